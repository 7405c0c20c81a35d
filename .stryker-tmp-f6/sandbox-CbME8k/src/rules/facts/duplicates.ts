// @ts-nocheck
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/event.ts";
import type { Ask, Fact, FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { readText } from "../text/rule-text.ts";
import { authorNotKnown } from "./author-source.ts";
import type { HistoryScope } from "./history.ts";

interface DuplicatesAsk extends Ask<number> {
  by: HistoryScope;
  within: number;
}

/**
 * What stands for a text among others: letters and digits alone, whatever their case and script, so that neither
 * punctuation nor invisible characters make a copy look new. undefined where nothing is left.
 */
export function printOf(text: string): string | undefined {
  const letters = readText(text).latin.replace(/[^\p{L}\p{N}]+/gu, "");
  if (letters === "") return undefined;
  return createHash("sha256").update(letters).digest("base64url").slice(0, 16);
}

/** Keeps the prints of new casts: a subscriber of the transaction that stores them. */
export async function keepPrints(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const rows = events.flatMap((event) => {
    if (event.kind !== "cast.created" || event.channelId === null) return [];
    const print = printOf(event.data.text);
    if (print === undefined) return [];
    const { id: event_id, channelId: channel_id, subjectFid: fid, occurredAt: at } = event;
    return [{ event_id, channel_id, fid, print, at }];
  });
  if (rows.length === 0) return;
  await sql`
    insert into castellan.cast_prints
    select * from json_populate_recordset(null::castellan.cast_prints, ${JSON.stringify(rows)}::text::json)
  `.execute(tx);
}

const prints: FactSource = {
  name: "texts of the channel",
  // Only asks made by askDuplicates name this source.
  async load(context, wanted: readonly { ask: DuplicatesAsk; occurrence: Occurrence }[]) {
    const questions = wanted.map(({ ask, occurrence: { channelId, authorFid, event } }, index) => ({
      index,
      by: ask.by,
      channel: channelId,
      fid: authorFid,
      since: event.occurredAt - ask.within,
      event: event.id,
    }));
    const { rows } = await sql<{ index: number; count: number }>`
      select asked.index, count(*) as count
      from json_to_recordset(${JSON.stringify(questions)}::text::json)
        as asked(index int, by text, channel text, fid bigint, since bigint, event bigint)
      join castellan.cast_prints as own on own.event_id = asked.event
      join castellan.cast_prints as same on same.channel_id = asked.channel and same.print = own.print
        and same.at > asked.since and same.event_id <= asked.event
        and (asked.by = 'channel' or same.fid = asked.fid)
      group by asked.index
    `.execute(context.database.query);
    const counts = new Map(rows.map(({ index, count }) => [index, count]));
    const [source, at] = [prints.name, context.clock.now()];
    return wanted.map(({ ask: { by }, occurrence }, index): Fact<number> => {
      if (by === "author" && occurrence.authorFid === null) return authorNotKnown(source, context);
      return { known: true, value: counts.get(index) ?? 0, source, at };
    });
  },
};

/** How many casts of the channel in the seconds up to this one say the same, itself included; 0 for one without words. */
export function askDuplicates(by: HistoryScope, within: number): Ask<number> {
  const ask: DuplicatesAsk = { key: `duplicates:${by}:${within}`, source: prints, by, within };
  return ask;
}
