import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import { AppError } from "../../errors.ts";
import { toEvent, type ChannelEvent } from "../../observe/events.ts";
import { heldBy } from "../../text/held-by.ts";
import { showNumber } from "../../text/numbered.ts";

/** What somebody wants to have explained: exactly one of these. */
export interface Explained {
  castHash?: string | undefined;
  /** A case, by its number. */
  case?: number | undefined;
  /** An event, by its id. */
  event?: number | undefined;
}

/**
 * The events in question, newest first, each in a channel of those given. Throws `not_found`, and `invalid_input` where not
 * exactly one thing is asked for.
 */
export async function findExplained(
  context: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  wanted: Explained,
): Promise<{ eventId: number; channelId: string }[]> {
  const given = Object.values(wanted).filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new AppError("invalid_input", "Say which: a cast, a case, or an event's number.");
  const found = await readEvents(context, guildId, channelIds, wanted);
  if (found.length === 0) throw new AppError("not_found", explainAbsence(wanted));
  await refuseBrought(context, found);
  return found;
}

/** Throws `invalid_input` for what people brought to review: no rule was asked, and none stands behind it. */
async function refuseBrought(
  { database }: Pick<BotContext, "database">,
  found: readonly Found[],
): Promise<void> {
  const ids = found.map(({ eventId }) => eventId);
  const { rows } = await sql<{ itemId: number }>`
    select (data ->> 'itemId')::bigint as "itemId" from castellan.events
    where id = any(${ids}::bigint[]) and kind = 'review.held'
      and data ->> 'ruleId' = any(${Object.values(heldBy)}::text[]) limit 1
  `.execute(database.query);
  const [brought] = rows;
  if (!brought) return;
  throw new AppError(
    "invalid_input",
    `People brought that before the moderators, and no rule did: /review show ${showNumber("review", brought.itemId)} tells what they said. What rules say of a cast, /rule explain tells with its cast option.`,
  );
}

function explainAbsence({ castHash, case: number, event = 0 }: Explained): string {
  if (castHash !== undefined) return "Castellan has seen no event about this cast in a channel of yours.";
  if (number !== undefined) return `No case ${showNumber("case", number)} of yours was made by a rule.`;
  return `There is no event ${showNumber("event", event)} in a channel of yours, or not any more.`;
}

/** Most that are explained of one cast: made, hidden, shown, hidden again. */
const most = 5;

type Found = { eventId: number; channelId: string };

function readEvents(
  context: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  { castHash, case: number, event }: Explained,
): Promise<Found[]> {
  if (castHash !== undefined) return readAboutCast(context, channelIds, castHash);
  if (number !== undefined) return readCause(context, guildId, channelIds, number);
  return readNumbered(context, guildId, channelIds, event ?? 0);
}

function readCause(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  number: number,
): Promise<Found[]> {
  return database.query
    .selectFrom("castellan.cases")
    .select(["channel_id as channelId"])
    .select((query) => query.ref("cause_event_id").$notNull().as("eventId"))
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("number", "=", number)
    .where("cause_event_id", "is not", null)
    .limit(most)
    .execute();
}

function readAboutCast(
  { database }: Pick<BotContext, "database">,
  channelIds: readonly string[],
  castHash: string,
): Promise<Found[]> {
  return database.query
    .selectFrom("castellan.events")
    .select("id as eventId")
    .select((query) => query.ref("channel_id").$notNull().as("channelId"))
    .where("channel_id", "in", [...channelIds])
    .where("cast_hash", "=", castHash)
    .where("kind", "not in", ["case.settled", "rule.hit"])
    .orderBy("eventId", "desc")
    .limit(most)
    .execute();
}

/**
 * The event under whose number something stands in a room. What tells of a rule's doing (its hit, what it holds, its case, what
 * that case did) leads to the event that the rule was asked about.
 */
async function readNumbered(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  eventId: number,
): Promise<Found[]> {
  const decided = await database.query
    .selectFrom("castellan.rule_decisions")
    .select(["event_id as eventId", "channel_id as channelId"])
    .distinct()
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("event_id", "=", eventId)
    .limit(most)
    .execute();
  const row = await database.query
    .selectFrom("castellan.events")
    .selectAll()
    .where("id", "=", eventId)
    .where("channel_id", "in", [...channelIds])
    .executeTakeFirst();
  const event = row && toEvent(row);
  if (!event || event.channelId === null) return decided;
  if ("guildId" in event.data && event.data.guildId !== guildId) return [];
  const { channelId } = event;
  const cause = await findCause({ database }, guildId, event);
  const causes = cause === null ? [] : [{ eventId: cause, channelId }];
  if ("guildId" in event.data && causes.length > 0) return causes;
  return [...causes, ...(decided.length > 0 ? decided : [{ eventId, channelId }])];
}

/** What the rule was asked about that this event tells of; null where no rule stands behind it. */
async function findCause(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  event: ChannelEvent,
): Promise<number | null> {
  if (event.kind === "rule.hit") return event.data.eventId;
  // Their keys begin with what they are and the event's id (carry-out.ts).
  if (event.kind === "rule.alert" || event.kind === "strike.added")
    return Number(event.sourceKey.split(" ")[1]);
  if (event.kind === "review.held") {
    const held = await database.query
      .selectFrom("castellan.review_items")
      .select("event_id")
      .where("id", "=", event.data.itemId)
      .executeTakeFirst();
    return held?.event_id ?? null;
  }
  if (event.caseId === null) return null;
  const subject = await database.query
    .selectFrom("castellan.cases")
    .select("cause_event_id")
    .where("id", "=", event.caseId)
    .where("guild_id", "=", guildId)
    .where("cause_event_id", "is not", null)
    .executeTakeFirst();
  return subject?.cause_event_id ?? null;
}
