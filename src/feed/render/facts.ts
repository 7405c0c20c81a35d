import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { ChannelEvent } from "../../observe/event.ts";
import { loadReviews, type ReviewFact } from "./review-facts.ts";

/** What the events of a message are told with: who the people are, what the casts say, which cases they belong to. */
export interface Facts {
  names: ReadonlyMap<number, string>;
  casts: ReadonlyMap<string, CastFact>;
  /** Names of the server's channels, by id. */
  channels: ReadonlyMap<string, string>;
  /** The server's case of an event, by the event's id. */
  cases: ReadonlyMap<number, CaseFact>;
  /** What rules hold, by number. */
  reviews: ReadonlyMap<number, ReviewFact>;
}

export interface CastFact {
  fid: number;
  text: string;
}

export interface CaseFact {
  number: number;
  actorKind: "person" | "rule" | "outside";
  actorUser: string | null;
  /** Nobody did it: the time of what it ends was over. */
  endsInTime: boolean;
  ruleId: string | null;
  reason: string | null;
}

/** `now` in UNIX milliseconds. */
export async function loadFacts(
  tx: Tx,
  guildId: string,
  events: readonly ChannelEvent[],
  now: number,
): Promise<Facts> {
  const hashes = events.flatMap(castHashesOf);
  const casts = await findCasts(tx, hashes);
  const fids = [...events.flatMap(fidsOf), ...[...casts.values()].map((cast) => cast.fid)];
  return {
    casts,
    names: await findNames(tx, fids),
    channels: await findChannels(tx, guildId),
    cases: await findCases(tx, guildId, events),
    reviews: await loadReviews(tx, events.flatMap(reviewOf), now),
  };
}

function reviewOf(event: ChannelEvent): number[] {
  return event.kind === "review.held" ? [event.data.itemId] : [];
}

function castHashesOf({ data }: ChannelEvent): string[] {
  const hashes = [
    "castHash" in data && data.castHash,
    "parentHash" in data && data.parentHash,
    "previousHash" in data && data.previousHash,
  ];
  return hashes.filter((hash) => typeof hash === "string");
}

function fidsOf({ subjectFid, data }: ChannelEvent): number[] {
  const fids = [
    subjectFid,
    "previousFid" in data && data.previousFid,
    "inviterFid" in data && data.inviterFid,
  ];
  return fids.filter((fid) => typeof fid === "number");
}

async function findCasts(tx: Tx, hashes: string[]): Promise<Map<string, CastFact>> {
  if (hashes.length === 0) return new Map();
  const rows = await tx
    .selectFrom("castellan.casts")
    .select(["hash", "fid", "text"])
    .where("hash", "in", hashes)
    // Of a blanked one nothing is known to quote.
    .where("erased_at_ms", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.hash, row]));
}

/** The name that a user has had for the longest: names of other kinds come and go. */
async function findNames(tx: Tx, fids: number[]): Promise<Map<number, string>> {
  if (fids.length === 0) return new Map();
  const { rows } = await sql<{ fid: number; name: string }>`
    select distinct on (fid) fid, name from castellan.names where fid = any(${fids}::bigint[])
    order by fid, since, name
  `.execute(tx);
  return new Map(rows.map((row) => [row.fid, row.name]));
}

async function findChannels(tx: Tx, guildId: string): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom("castellan.links")
    .select(["channel_id", "channel_name"])
    .where("guild_id", "=", guildId)
    .execute();
  return new Map(rows.map((row) => [row.channel_id, row.channel_name]));
}

async function findCases(
  tx: Tx,
  guildId: string,
  events: readonly ChannelEvent[],
): Promise<Map<number, CaseFact>> {
  const ids = events.map((event) => event.id);
  const { rows } = await sql<CaseFact & { eventId: number }>`
    select events.id as "eventId", cases.number, cases.actor_kind as "actorKind", cases.actor_user as "actorUser",
      cases.ends_case_id is not null as "endsInTime",
      cases.rule_id as "ruleId", cases.public_reason as reason
    from castellan.events join castellan.cases
      on cases.id = events.case_id or cases.claimed_event_id = events.id
    where events.id = any(${ids}::bigint[]) and cases.guild_id = ${guildId}
  `.execute(tx);
  return new Map(rows.map((row) => [row.eventId, row]));
}
