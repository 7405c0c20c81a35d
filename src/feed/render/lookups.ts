import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { inForce, literals, type CaseState } from "../../database/tables/case-states.ts";
import type { DescribedOutcome } from "../../moderation/cases/outcome.ts";
import type { ChannelEvent } from "../../observe/events.ts";
import { selectBody } from "../../observe/cast-body.ts";
import { textsFor, type Language } from "../../languages/languages.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { readNames } from "../../observe/people.ts";
import type { CastBody } from "../../text/show-cast.ts";
import { kindsOf } from "../feed-kinds.ts";
import { readRoomChannels } from "../feeds.ts";
import { readReviews, type HeldReview } from "./held-reviews.ts";
import { readBulks, type BulkSummary } from "./bulk-summary.ts";

/** Stored facts about the events of a message: its users, its casts, its cases. */
export interface Lookups {
  names: ReadonlyMap<number, string>;
  casts: ReadonlyMap<string, KnownCast>;
  /** Names of the server's channels, by id. */
  channels: ReadonlyMap<string, string>;
  /** The server's case of an event, by the event's id. */
  cases: ReadonlyMap<number, EventCase>;
  /** What a rule hit, and the actions that followed, by the hit's id. */
  hits: ReadonlyMap<number, Hit>;
  /** Reviews by number. */
  reviews: ReadonlyMap<number, HeldReview>;
  /** Users who are banned now, as keys from `placeOf`. */
  banned: ReadonlySet<string>;
  /** The server's bulks, by id. */
  bulks: ReadonlyMap<number, BulkSummary>;
  /** Base address of links to casts. */
  linkBase: string;
  /** In the language of the room. */
  texts: PostTexts;
  /** The room is for readers. */
  forReaders: boolean;
}

/** Where events are posted. */
interface Room {
  roomId: string;
  language: Language;
  forReaders: boolean;
}

interface KnownCast {
  fid: number;
  body: CastBody;
  hidden: boolean;
  /** The channel does not show it: it is hidden or deleted, or a reply by a banned user. */
  gone: boolean;
}

interface Hit {
  castHash: string | null;
  cases: EventCase[];
}

type EndingCase = Pick<EventCase, "number" | "actorKind" | "actorUser" | "actorToken">;

export interface EventCase extends DescribedOutcome {
  number: number;
  state: CaseState;
  targetCast: string | null;
  /** The expiry of its effect, which may be another case's ban; null if permanent. */
  dueAtMs: number | null;
  actorKind: "person" | "rule" | "outside";
  actorUser: string | null;
  actorToken: string | null;
  /** Automatic: the earlier action expired. */
  isExpiry: boolean;
  /** Not undone by anybody: it expired. */
  hasExpired: boolean;
  /** The case of the same server that ended it, if known. */
  revertedBy: EndingCase | null;
  ruleId: string | null;
  reason: string | null;
}

/**
 * All facts needed to render these events, in few statements; `now` in UNIX milliseconds. For a room, bulks have only what
 * is in the channels that it follows, and the texts are in its language, otherwise in English.
 */
export async function readLookups(
  tx: Tx,
  guildId: string,
  events: readonly ChannelEvent[],
  now: number,
  linkBase: string,
  room?: Room,
): Promise<Lookups> {
  const hits = await findHits(tx, guildId, events);
  const hashes = [
    ...events.flatMap(castHashesOf),
    ...[...hits.values()].flatMap(({ castHash }) => castHash ?? []),
  ];
  const casts = await findCasts(tx, hashes);
  const fids = [
    ...events.flatMap(fidsOf),
    ...[...casts.values()].flatMap(({ fid, body }) => [fid, ...body.mentions]),
  ];
  return {
    linkBase,
    texts: textsFor(room?.language ?? "en-US").posts,
    forReaders: room?.forReaders ?? false,
    casts,
    names: await readNames(tx, fids),
    channels: await findChannels(tx, guildId),
    cases: await findCases(tx, guildId, events),
    hits,
    banned: await findBanned(tx, events),
    reviews: await readReviews(tx, events.flatMap(reviewIdsOf), now),
    bulks: await findBulks(tx, guildId, events, room?.roomId),
  };
}

async function findBulks(
  tx: Tx,
  guildId: string,
  events: readonly ChannelEvent[],
  roomId: string | undefined,
): Promise<Map<number, BulkSummary>> {
  const begun = events.flatMap((event) => (event.kind === "bulk.begun" ? [event] : []));
  const isWhole = ({ data }: (typeof begun)[number]) =>
    roomId === undefined || data.otherChannelIds === undefined;
  const bulks = await readBulks(
    tx,
    begun.filter(isWhole).map(({ data }) => data.bulkId),
  );
  if (roomId === undefined) return bulks;
  for (const event of begun.filter((one) => !isWhole(one))) {
    const { bulkId } = event.data;
    const followed = await readRoomChannels(tx, guildId, roomId, kindsOf(event));
    const channelIds = followed.includes(null) ? undefined : followed.flatMap((ids) => ids ?? []);
    const bulk = (await readBulks(tx, [bulkId], channelIds)).get(bulkId);
    if (bulk) bulks.set(bulkId, bulk);
  }
  return bulks;
}

/** A user in a channel. */
export function placeOf(channelId: string, fid: number): string {
  return `${channelId} ${fid}`;
}

/** Whether the user of an event is banned now. */
export function isBanned({ channelId, subjectFid }: ChannelEvent, { banned }: Lookups): boolean {
  return channelId !== null && subjectFid !== null && banned.has(placeOf(channelId, subjectFid));
}

async function findBanned(tx: Tx, events: readonly ChannelEvent[]): Promise<Set<string>> {
  const users = events.flatMap(({ channelId, subjectFid }) =>
    channelId === null || subjectFid === null ? [] : [{ channel_id: channelId, fid: subjectFid }],
  );
  if (users.length === 0) return new Set();
  // The limit makes PostgreSQL look up each user. It expects a hundred here, and would otherwise read all bans.
  const { rows } = await sql<{ channel_id: string; fid: number }>`
    select channel_id, fid from jsonb_to_recordset(${JSON.stringify(users)}::text::jsonb) as "user" (channel_id text, fid bigint)
    where (select true from castellan.banned_users as banned
      where banned.channel_id = "user".channel_id and banned.fid = "user".fid limit 1)
  `.execute(tx);
  return new Set(rows.map(({ channel_id, fid }) => placeOf(channel_id, fid)));
}

function reviewIdsOf(event: ChannelEvent): number[] {
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
    ...("mentions" in data ? data.mentions : []),
    subjectFid,
    "previousFid" in data && data.previousFid,
    "inviterFid" in data && data.inviterFid,
  ];
  return fids.filter((fid) => typeof fid === "number");
}

const isGone = sql<boolean>`(hidden or removed_at is not null
  or thread_depth > 0 and coalesce((select true from castellan.banned_users as banned
    where banned.channel_id = casts.channel_id and banned.fid = casts.fid limit 1), false))`;

async function findCasts(tx: Tx, hashes: string[]): Promise<Map<string, KnownCast>> {
  if (hashes.length === 0) return new Map();
  const rows = await tx
    .selectFrom("castellan.casts")
    .select(["hash", "fid", "hidden", selectBody("castellan.casts").as("body"), isGone.as("gone")])
    .where("hash", "in", hashes)
    // An erased cast has nothing to quote.
    .where("erased_at_ms", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.hash, row]));
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
): Promise<Map<number, EventCase>> {
  const ids = events.map((event) => event.id);
  const { rows } = await sql<EventCase & { eventId: number }>`
    select events.id as "eventId", ${caseColumns}
    from castellan.events join castellan.cases
      on cases.id = events.case_id or cases.event_id = events.id
    where events.id = any(${ids}::bigint[]) and cases.guild_id = ${guildId}
  `.execute(tx);
  return new Map(rows.map((row) => [row.eventId, row]));
}

const caseColumns = sql`cases.number, cases.kind, cases.state, cases.actor_kind as "actorKind",
  cases.actor_user as "actorUser", cases.actor_token as "actorToken", cases.ends_case_id is not null as "isExpiry", cases.has_expired as "hasExpired",
  cases.rule_id as "ruleId",
  (select jsonb_build_object('number', ending.number, 'actorKind', ending.actor_kind, 'actorUser', ending.actor_user,
      'actorToken', ending.actor_token)
    from castellan.cases as ending where ending.id = cases.reverted_by_case_id and ending.guild_id = cases.guild_id) as "revertedBy",
  cases.public_reason as reason, cases.target_cast as "targetCast",
  case when cases.kind in ('ban', 'change_expiry') and cases.state in (${literals(inForce)})
    then (select until_ms from castellan.standing_bans where standing_bans.target_key = cases.target_key)
    else cases.due_at_ms end as "dueAtMs", cases.notify, cases.outcome, cases.outcome_detail as "outcomeDetail",
  cases.waiting_reason as "waitingReason"`;

async function findHits(tx: Tx, guildId: string, events: readonly ChannelEvent[]): Promise<Map<number, Hit>> {
  const hits = events.flatMap((event) => (event.kind === "rule.hit" ? [event] : []));
  if (hits.length === 0) return new Map();
  const asked = hits.map(({ id, channelId, data }) => ({
    id,
    cause: data.eventId,
    rule: data.ruleId,
    channel: channelId,
  }));
  const { rows } = await sql<{ id: number; castHash: string | null }>`
    select hit.id, events.cast_hash as "castHash"
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as hit (id bigint, cause bigint)
    join castellan.events on events.id = hit.cause
  `.execute(tx);
  const castHashes = new Map(rows.map(({ id, castHash }) => [id, castHash]));
  const { rows: cases } = await sql<EventCase & { id: number }>`
    select hit.id, ${caseColumns}
    from jsonb_to_recordset(${JSON.stringify(asked)}::text::jsonb) as hit (id bigint, cause bigint, rule text, channel text)
    join castellan.cases on cases.cause_event_id = hit.cause and cases.rule_id = hit.rule
      and cases.guild_id = ${guildId} and cases.channel_id = hit.channel
    order by cases.id
  `.execute(tx);
  return new Map(
    hits.map(({ id }) => [
      id,
      { castHash: castHashes.get(id) ?? null, cases: cases.filter((one) => one.id === id) },
    ]),
  );
}
