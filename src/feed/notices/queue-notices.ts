import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { afterCommit } from "../../database/transactions.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { request } from "../../outbox/request.ts";

/**
 * A row for each ban and hide that was carried out in a channel with a template: a subscriber of the transaction that
 * stores events, so that each such case has exactly one message.
 */
export function queueNotices({ wake }: Pick<BotContext, "wake">) {
  return async (tx: Tx, events: readonly ChannelEvent[]): Promise<void> => {
    const count = await requestNotices(tx, events);
    if (count > 0) afterCommit(() => void wake("send-outbox"));
  };
}

async function requestNotices(tx: Tx, events: readonly ChannelEvent[]): Promise<number> {
  const applied = events.flatMap((event) =>
    event.kind === "case.settled" && event.data.state === "applied" && event.caseId !== null
      ? [{ id: event.caseId, at: event.observedAt }]
      : [],
  );
  if (applied.length === 0) return 0;
  const { rows } = await sql<{
    id: number;
    guildId: string;
    fid: number;
    template: string;
    locale: string;
    at: number;
  }>`
    select subject.id, subject.guild_id as "guildId", subject.subject_fid as fid, given.template, given.locale, settled.at
    from jsonb_to_recordset(${JSON.stringify(applied)}::text::jsonb) as settled (id bigint, at bigint)
    join castellan.cases as subject on subject.id = settled.id
    join castellan.notice_templates as given on given.guild_id = subject.guild_id
      and given.channel_id = subject.channel_id
    where subject.kind in ('ban', 'hide') and subject.subject_fid is not null
  `.execute(tx);
  await request(
    tx,
    rows.map(({ id, guildId, fid, template, locale, at }) => ({
      kind: "notice",
      key: String(id),
      // One person in one server.
      destination: `${guildId} ${fid}`,
      requestedAtMs: at,
      data: { template, locale },
    })),
  );
  return rows.length;
}
