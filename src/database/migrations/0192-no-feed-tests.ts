/** /feed test is gone. What it had not posted yet is not posted any more; what it posted stays. */
export const up = `
delete from castellan.feed_rows where message_id is null
  and event_id in (select id from castellan.events where kind = 'feed.tested');
`;
