import { sql } from "kysely";
import type { ListingName } from "../../observe/listings/listings.ts";
import { eventsSource } from "../../observe/live/current-plan.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Fact, FactContext, FactSource } from "./fact.ts";
import { authorSource, storedLifetime, type AuthorSource } from "./read-network.ts";

/**
 * Whether the author is in one of the channel's listings. On the live network, where each call counts, the stored listing
 * is used first: it shows who is in it and, if it was read after the event, who is not. Only the remaining authors are
 * requested from the network, one by one.
 */
export function listedSource(
  listing: ListingName,
  given: AuthorSource<boolean, []>,
): FactSource<boolean, []> {
  const asked = authorSource(given);
  return {
    ...asked,
    async load(context, wanted) {
      if (!context.live) return asked.load(context, wanted);
      const stored = await readStored(context, listing, `${given.name}, as last read`, wanted);
      const open = wanted.filter((_, index) => stored[index] === undefined);
      const answers = open.length > 0 ? (await asked.load(context, open)).values() : [].values();
      // One result for each open author, in order.
      return stored.map((fact) => fact ?? (answers.next().value as Fact<boolean>));
    },
  };
}

/** Milliseconds: a reading this soon after an event may not yet show the listing at that time. */
const margin = 3_000;

/** Undefined for authors that the stored listing does not settle. */
async function readStored(
  { database, clock }: FactContext,
  listing: ListingName,
  name: string,
  wanted: readonly { occurrence: Occurrence }[],
): Promise<(Fact<boolean> | undefined)[]> {
  const asked = wanted.map(({ occurrence: { channelId, authorFid, event } }, index) => {
    return { index, channel: channelId, fid: authorFid, seen_at: event.observedAt };
  });
  // For a busy channel, only the members are read in between.
  const { rows } = await sql<{ index: number; listed: boolean; read_at: number; whole: boolean }>`
    select asked.index, entry.fid is not null as listed, source.error is null as whole,
      greatest(source.${sql.ref(listing === "members" ? "succeeded_at_ms" : "all_listings_at_ms")}, told.succeeded_at_ms) as read_at
    from json_to_recordset(${JSON.stringify(asked)}::text::json)
      as asked(index int, channel text, fid bigint, seen_at bigint)
    join castellan.sources as source on source.source = 'listings/' || asked.channel and source.has_baseline
    left join castellan.sources as told on told.source = ${eventsSource} and told.failing_since_ms is null
    left join castellan.listing_entries as entry
      on entry.channel_id = asked.channel and entry.listing = ${listing} and entry.fid = asked.fid
    where asked.fid is not null
  `.execute(database.query);
  const facts: (Fact<boolean> | undefined)[] = wanted.map(() => undefined);
  for (const { index, listed, read_at: at, whole } of rows) {
    const seenAt = asked[index]?.seen_at ?? Infinity;
    const isKnown = listed ? at >= clock.now() - storedLifetime : whole && at >= seenAt + margin;
    if (isKnown) facts[index] = { known: true, value: listed, source: name, at };
  }
  return facts;
}
