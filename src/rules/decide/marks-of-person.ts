import type { Selectable } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable } from "../../database/database.ts";
import type { ReviewItemTable } from "../../database/tables/rules-acts.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";

interface Scope {
  guildId: string;
  channelIds: readonly string[];
  fid: number;
}

/** What a server's rules gave a person, noted and held about them, in channels of the server. */
export interface Marks {
  /** Strike points that count now, by channel. */
  points: Map<string, number>;
  /** By a rule, or by a Discord user. */
  notes: {
    channelId: string;
    ruleId: string | null;
    writtenBy: string | null;
    text: string;
    writtenAtMs: number;
  }[];
  /** Of these, how many there are in all. */
  allNotes: number;
  openReviews: { id: number; channelId: string; ruleId: string; queuedAtMs: number }[];
  /** How many there are in each state. */
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

/** Notes, reviews and decisions that are shown of each. */
const most = 3;

export async function readMarks(db: Queryable, clock: Clock, scope: Scope): Promise<Marks> {
  const [points, { notes, allNotes }, openReviews, reviews, decisions] = await Promise.all([
    readPoints(db, clock, scope),
    readNotes(db, scope),
    readOpenReviews(db, scope),
    countReviewsByState(db, scope),
    readDecisions(db, scope),
  ]);
  return { points, notes, allNotes, openReviews, reviews, decisions };
}

async function readPoints(
  db: Queryable,
  clock: Clock,
  { guildId, channelIds, fid }: Scope,
): Promise<Marks["points"]> {
  const rows = await db
    .selectFrom("castellan.strikes")
    .select((query) => ["channel_id", query.fn.sum<number>("points").as("total")])
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null)
    .where((is) => is.or([is("expires_at_ms", "is", null), is("expires_at_ms", ">", clock.now())]))
    .groupBy("channel_id")
    .execute();
  return new Map(rows.map(({ channel_id, total }) => [channel_id, total]));
}

async function readNotes(
  db: Queryable,
  { guildId, channelIds, fid }: Scope,
): Promise<Pick<Marks, "notes" | "allNotes">> {
  const written = db
    .selectFrom("castellan.user_notes")
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("fid", "=", fid)
    .where("removed_at_ms", "is", null);
  const notes = written
    .select([
      "channel_id as channelId",
      "rule_id as ruleId",
      "written_by as writtenBy",
      "text",
      "written_at_ms as writtenAtMs",
    ])
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  const count = written.select((row) => row.fn.countAll<number>().as("all")).executeTakeFirstOrThrow();
  return { notes: await notes, allNotes: (await count).all };
}

function readOpenReviews(db: Queryable, { guildId, channelIds, fid }: Scope): Promise<Marks["openReviews"]> {
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

function countReviewsByState(db: Queryable, { guildId, channelIds, fid }: Scope): Promise<Marks["reviews"]> {
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

/** What rules said of what the person did, newest first; of a rule with several actions the first. */
function readDecisions(db: Queryable, { guildId, channelIds, fid }: Scope): Promise<Marks["decisions"]> {
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
