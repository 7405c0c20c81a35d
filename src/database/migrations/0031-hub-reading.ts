/** How the reading of what a hub cannot give goes on. */
export const up = `
-- The place of a page is kept in another form: casts that are there already are skipped.
update castellan.watched_channels set past_page = '' where past_page is not null;

-- Until when a channel's past rests that could not be read; 0 where it does not.
alter table castellan.watched_channels add column past_rests_until_ms bigint not null default 0;

-- Casts of which not all replies fit in one page, or that rest because these could not be read.
create table castellan.reply_readings (
  hash text primary key references castellan.casts on delete cascade,
  page text not null default '',
  rests_until_ms bigint not null default 0
);

-- The worker's source, of which there is one for each channel now.
delete from castellan.sources where source = 'older casts';

-- Of so many events from "position" on, one cannot be given; null where that is not known. Since when it fails alone.
alter table castellan.sources add column unreadable_within bigint, add column unreadable_since_ms bigint;
`;
