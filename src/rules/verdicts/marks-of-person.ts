import type { Selectable } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import {
  countStrikesIn,
  listNotes,
  listStrikes,
  type PersonInChannels,
} from "../actions/strikes-and-notes.ts";

/** A person's strikes, notes and reviews from a server's rules, in channels of the server. */
export interface Marks {
  /** Strike points in force, by channel. */
  points: Map<string, number>;
  /** Strikes that count now, newest first. */
  strikes: Awaited<ReturnType<typeof listStrikes>>["strikes"];
  /** Of these, how many there are in all. */
  allStrikes: number;
  notes: Awaited<ReturnType<typeof listNotes>>["notes"];
  /** The total number of notes. */
  allNotes: number;
  openReviews: { id: number; channelId: string; ruleId: string; queuedAtMs: number }[];
  /** The number of reviews in each state. */
  reviews: { state: Selectable<ReviewItemTable>["state"]; reviews: number }[];
  verdicts: {
    channelId: string;
    ruleId: string;
    eventId: number;
    action: string;
    outcome: RuleDecisionTable["outcome"];
    evaluatedAtMs: number;
  }[];
}

/** How many notes, reviews and verdicts are shown, and how many strikes. */
const [most, mostStrikes] = [3, 5];

export async function readMarks(db: Queryable, clock: Clock, scope: PersonInChannels): Promise<Marks> {
  const [points, { strikes, all: allStrikes }, { notes, all: allNotes }, openReviews, reviews, verdicts] =
    await Promise.all([
      countStrikesIn(db, clock, scope),
      listStrikes(db, clock, scope, mostStrikes),
      listNotes(db, scope, { limit: most }),
      readOpenReviews(db, scope),
      countReviewsByState(db, scope),
      readVerdicts(db, scope),
    ]);
  return { points, strikes, allStrikes, notes, allNotes, openReviews, reviews, verdicts };
}

function readOpenReviews(
  db: Queryable,
  { guildId, channelIds, fid }: PersonInChannels,
): Promise<Marks["openReviews"]> {
  return db
    .selectFrom("castellan.review_items")
    .select(["id", "channel_id as channelId", "rule_id as ruleId", "queued_at_ms as queuedAtMs"])
    .where("state", "=", "open")
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .orderBy("id", "desc")
    .limit(most)
    .execute();
}

function countReviewsByState(
  db: Queryable,
  { guildId, channelIds, fid }: PersonInChannels,
): Promise<Marks["reviews"]> {
  return db
    .selectFrom("castellan.review_items")
    .select((query) => ["state", query.fn.countAll<number>().as("reviews")])
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .groupBy("state")
    .orderBy("state")
    .execute();
}

/** The rules' verdicts on the person's events, newest first; for a rule with several actions, the first. */
function readVerdicts(
  db: Queryable,
  { guildId, channelIds, fid }: PersonInChannels,
): Promise<Marks["verdicts"]> {
  return db
    .selectFrom("castellan.events as event")
    .innerJoin("castellan.rule_decisions as verdict", "verdict.event_id", "event.id")
    .select([
      "verdict.channel_id as channelId",
      "verdict.rule_id as ruleId",
      "verdict.event_id as eventId",
      "verdict.action",
      "verdict.outcome",
      "verdict.decided_at_ms as evaluatedAtMs",
    ])
    .where("event.channel_id", "in", [...channelIds])
    .where("event.subject_fid", "=", fid)
    .where("verdict.guild_id", "=", guildId)
    .where("verdict.channel_id", "in", [...channelIds])
    .where("verdict.action_index", "=", 0)
    .orderBy("verdict.id", "desc")
    .limit(most)
    .execute();
}
