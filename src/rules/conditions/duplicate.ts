import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { readAsShapes } from "../../text/skeleton.ts";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { orMore } from "../comparisons/number-tests.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import { countSource, scopes, type Scope } from "../facts/count-source.ts";
import { needOf } from "../facts/fact.ts";
import { durationBetween } from "../language/duration.ts";
import { readText } from "../text/rule-text.ts";
import { factField, numberLeaf } from "./make-condition.ts";

/**
 * The letters and digits of a text, whatever their case and script, so that neither punctuation nor invisible characters
 * make a copy look new. Undefined if nothing is left.
 */
export function fingerprintOf(text: string): string | undefined {
  const letters = readAsShapes(readText(text).folded).replace(/[^\p{L}\p{N}]+/gu, "");
  if (letters === "") return undefined;
  return createHash("sha256").update(letters).digest("base64url").slice(0, 16);
}

/** Stores the fingerprints of new casts, in the transaction that stores the casts. */
export async function storeFingerprints(tx: Tx, events: readonly ChannelEvent[]): Promise<void> {
  const rows = events.flatMap((event) => {
    if (event.kind !== "cast.created" || event.channelId === null) return [];
    const fingerprint = fingerprintOf(event.data.text);
    if (fingerprint === undefined) return [];
    const { id: event_id, channelId: channel_id, subjectFid: fid, occurredAt: at } = event;
    return [{ event_id, channel_id, fid, fingerprint, at }];
  });
  if (rows.length === 0) return;
  await sql`
    insert into castellan.cast_fingerprints
    select * from json_populate_recordset(null::castellan.cast_fingerprints, ${JSON.stringify(rows)}::text::json)
  `.execute(tx);
}

const source = countSource<[within: number, by: Scope]>(
  "texts of the channel",
  // One index lookup per cast: a plain join is planned for all of a channel's fingerprints at once.
  sql`
    select asked.index, same.count from asked cross join lateral (
      select count(*) as count from castellan.cast_fingerprints
      where channel_id = asked.channel and at > asked.since and event_id <= asked.event
        and fingerprint = (select fingerprint from castellan.cast_fingerprints where event_id = asked.event)
        and (asked.by = 'channel' or fid = asked.fid)
    ) as same
  `,
  ({ event }, within, by) => ({ by, since: event.occurredAt - within }),
  () => "Castellan compares texts from the link on",
);

/** The number of casts in the channel with this text in the seconds up to this one, itself included; 0 without words. */
export const copies = (within: number, by: Scope) => needOf(source, within, by);

/** How often this text was cast, by the author or by anybody in the channel, including this cast. */
export const duplicate: ConditionKind = {
  name: "duplicate",
  events: ["cast.created"],
  sources: [source],
  schema: () =>
    z
      .strictObject({
        of: z.literal("text"),
        by: z.enum(scopes),
        within: durationBetween("1m", "30d"),
        gte: z.int().min(2).max(10_000),
      })
      .transform(({ by, within, gte }) => {
        const called = `the same text ${by === "author" ? "by the author" : "in the channel"} within ${within.text}:`;
        return numberLeaf(called, factField(copies(within.seconds, by)), orMore(gte));
      }),
};
