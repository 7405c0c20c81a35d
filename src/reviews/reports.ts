import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { packEvidence } from "../observe/cast-body.ts";
import { newEvent } from "../observe/events.ts";
import { hourMs, minutesToWait, type RateLimit } from "../limits/rate-limit.ts";
import type { CastBody } from "../text/show-cast.ts";
import { idOfSource } from "../text/review-sources.ts";
import { toStorable } from "../text/storable.ts";
import { announceItem, insertItem, type BroughtItem } from "./brought-item.ts";
import { lockLink } from "./lock-link.ts";
import type { ReviewItem } from "./review-items.ts";

/** Maximum reported casts per person, and per server. */
const personLimit = { max: 5, windowMs: hourMs };
const serverLimit = { max: 100, windowMs: hourMs };
/** The part of a server's limit reserved for first reports of the day, so that a few people cannot use it all. */
const keptForOthers = 40;
const dayMs = 86_400_000;

/** A member's report of a cast that Castellan has read. */
export interface Report {
  guildId: string;
  channelId: string;
  castHash: string;
  fid: number;
  body: CastBody;
  /** Discord user id. */
  userId: string;
  reason: string | undefined;
}

/** The result of a report: the first for its cast, another, the same person's again, or too late. */
export interface Reported {
  outcome: "first" | "joined" | "again" | "decided";
  itemId: number;
  state: ReviewItem["state"];
}

/**
 * Asks a channel's moderators to review a reported cast, once for all reports, of which each person has one. Throws
 * `not_proven` if the link is suspended, `not_allowed` if the moderators ignore the person, and `rate_limited`.
 */
export async function reportCast(
  context: Pick<BotContext, "database" | "clock" | "appendEvents">,
  report: Report,
): Promise<Reported> {
  return context.database.transaction(async (tx) => {
    await lockLink(tx, report.guildId, report.channelId);
    await requireNotIgnored(tx, report);
    const known = await findReported(tx, report);
    if (known && known.state !== "open") return { outcome: "decided", itemId: known.id, state: known.state };
    if (known && (await hasReported(tx, known.id, report.userId))) {
      return { outcome: "again", itemId: known.id, state: known.state };
    }
    const now = context.clock.now();
    await requireWithinLimits(tx, report, now);
    const item = toItem(report);
    const itemId = known?.id ?? (await insertItem(tx, item, now));
    await tx
      .insertInto("castellan.reports")
      .values({
        item_id: itemId,
        guild_id: report.guildId,
        user_id: report.userId,
        reason: report.reason === undefined ? null : toStorable(report.reason),
        reported_at_ms: now,
      })
      .execute();
    if (known) await widen(context, tx, report, itemId);
    else await announceItem(context, tx, itemId, item);
    return { outcome: known ? "joined" : "first", itemId, state: "open" };
  });
}

async function requireNotIgnored(tx: Tx, { guildId, channelId, userId }: Report): Promise<void> {
  const ignored = await tx
    .selectFrom("castellan.ignored_reporters")
    .select("user_id")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!ignored) return;
  throw new TranslatedError("not_allowed", ({ reports }) => reports.ignored(channelId));
}

function findReported(
  tx: Tx,
  { guildId, channelId, castHash }: Report,
): Promise<Pick<ReviewItem, "id" | "state"> | undefined> {
  return tx
    .selectFrom("castellan.review_items")
    .select(["id", "state"])
    .where("rule_id", "=", idOfSource.report)
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .where("cast_hash", "=", castHash)
    .forUpdate()
    .executeTakeFirst();
}

async function hasReported(tx: Tx, itemId: number, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("castellan.reports")
    .select("user_id")
    .where("item_id", "=", itemId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Which limit is reached. */
type TooMany = "tooManyOwn" | "tooMany" | "tooManyRecent";

async function requireWithinLimits(tx: Tx, { guildId, userId }: Report, now: number): Promise<void> {
  const latest = await tx
    .selectFrom("castellan.reports")
    .select(["user_id", "reported_at_ms"])
    .where("guild_id", "=", guildId)
    .where("reported_at_ms", ">", now - hourMs)
    .execute();
  const requireWithin = (counted: typeof latest, limit: RateLimit, which: TooMany) => {
    const times = counted.map(({ reported_at_ms }) => reported_at_ms);
    const minutes = minutesToWait(times, limit, now);
    if (minutes === 0) return;
    throw new TranslatedError("rate_limited", ({ reports }) => reports[which](limit.max, minutes));
  };
  const own = latest.filter(({ user_id }) => user_id === userId);
  requireWithin(own, personLimit, "tooManyOwn");
  const again = { ...serverLimit, max: serverLimit.max - keptForOthers };
  if (latest.length < again.max) return;
  if (await hasReportedSince(tx, { guildId, userId }, now - dayMs)) {
    requireWithin(latest, again, "tooManyRecent");
  } else requireWithin(latest, serverLimit, "tooMany");
}

async function hasReportedSince(
  tx: Tx,
  { guildId, userId }: Pick<Report, "guildId" | "userId">,
  since: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom("castellan.reports")
    .select("user_id")
    .where("guild_id", "=", guildId)
    .where("user_id", "=", userId)
    .where("reported_at_ms", ">", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function toItem({ guildId, channelId, fid, castHash, body }: Report): BroughtItem {
  return { guildId, channelId, source: "report", fid, castHash, evidence: packEvidence(body), actions: [] };
}

/** Another report changes the post about the item. */
async function widen(
  { clock, appendEvents }: Pick<BotContext, "clock" | "appendEvents">,
  tx: Tx,
  { guildId, channelId, userId }: Report,
  itemId: number,
): Promise<void> {
  const sourceKey = `reported ${itemId} ${userId}`;
  const data = { guildId, itemId };
  const event = newEvent(clock.now(), { sourceKey, kind: "review.widened", channelId, data });
  await appendEvents(tx, [event]);
}
