import type { Selectable } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import { countStrikesIn, listNotes, listStrikes, type PersonInChannels } from "./strikes-and-notes.ts";

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
  decisions: {
    channelId: string;
    ruleId: string;
    eventId: number;
    action: string;
    outcome: RuleDecisionTable["outcome"];
    decidedAtMs: number;
  }[];
}

/** How many notes, reviews and decisions are shown, and how many strikes. */
const [most, mostStrikes] = [3, 5];

export async function readMarks(db: Queryable, clock: Clock, scope: PersonInChannels): Promise<Marks> {
  const [points, { strikes, all: allStrikes }, { notes, all: allNotes }, openReviews, reviews, decisions] =
    await Promise.all([
      countStrikesIn(db, clock, scope),
      listStrikes(db, clock, scope, mostStrikes),
      listNotes(db, scope, { limit: most }),
      readOpenReviews(db, scope),
      countReviewsByState(db, scope),
      readDecisions(db, scope),
    ]);
  return { points, strikes, allStrikes, notes, allNotes, openReviews, reviews, decisions };
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

/** The rules' decisions on the person's events, newest first; for a rule with several actions, the first. */
function readDecisions(
  db: Queryable,
  { guildId, channelIds, fid }: PersonInChannels,
): Promise<Marks["decisions"]> {
  return db
    .selectFrom("castellan.events as event")
    .innerJoin("castellan.rule_decisions as decision", "decision.event_id", "event.id")
    .select([
      "decision.channel_id as channelId",
      "decision.rule_id as ruleId",
      "decision.event_id as eventId",
      "decision.action",
      "decision.outcome",
      "decision.decided_at_ms as decidedAtMs",
    ])
    .where("event.channel_id", "in", [...channelIds])
    .where("event.subject_fid", "=", fid)
    .where("decision.guild_id", "=", guildId)
    .where("decision.channel_id", "in", [...channelIds])
    .where("decision.action_index", "=", 0)
    .orderBy("decision.id", "desc")
    .limit(most)
    .execute();
}
