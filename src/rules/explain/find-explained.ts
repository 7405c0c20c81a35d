import type { BotContext } from "../../bot-context.ts";
import { AppError } from "../../errors.ts";
import { toEvent, type ChannelEvent } from "../../observe/events.ts";
import { showNumber } from "../../text/numbered.ts";
import { ruleEvents } from "../evaluate/occurrence.ts";
import { findOfCase, findPeople, type People } from "./find-people.ts";

/** The thing to explain: exactly one of these. */
export interface Explained {
  castHash?: string | undefined;
  /** A case, by its number. */
  case?: number | undefined;
  /** An event, by its id. */
  event?: number | undefined;
}

/** An event that rules may have evaluated, or people's actions; if both, the rules evaluated those actions. */
export interface Found {
  channelId: string;
  /** null if rules do not evaluate this kind of event. */
  eventId: number | null;
  people?: People | undefined;
}

/**
 * The matching events, newest first, each in one of the given channels. Throws `not_found`, and `invalid_input` unless
 * exactly one thing is given.
 */
export async function findExplained(
  context: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  wanted: Explained,
): Promise<Found[]> {
  const given = Object.values(wanted).filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new AppError("invalid_input", "Give one of these: a cast, a case, or an event's number.");
  const found = await readEvents(context, guildId, channelIds, wanted);
  if (found.length === 0) throw new AppError("not_found", explainAbsence(wanted));
  return found;
}

function explainAbsence({ castHash, case: number, event = 0 }: Explained): string {
  if (castHash !== undefined) return "Castellan has seen no event about this cast in your channels.";
  if (number !== undefined) return `There is no case ${showNumber("case", number)} in your channels.`;
  return `There is no event ${showNumber("event", event)} in your channels, or it is no longer stored.`;
}

/** The most events explained per cast: created, hidden, shown, hidden again. */
const most = 5;

function readEvents(
  context: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  { castHash, case: number, event }: Explained,
): Promise<Found[]> {
  if (castHash !== undefined) return readAboutCast(context, guildId, channelIds, castHash);
  if (number !== undefined) return readOfCase(context, guildId, channelIds, number);
  return readNumbered(context, guildId, channelIds, event ?? 0);
}

async function readOfCase(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  number: number,
): Promise<Found[]> {
  const rows = await database.query
    .selectFrom("castellan.cases")
    .select(["id", "channel_id as channelId", "cause_event_id as causeEventId"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("number", "=", number)
    .limit(most)
    .execute();
  return Promise.all(
    rows.map(async (row): Promise<Found> => {
      const people = await findOfCase(database.query, row);
      return { channelId: row.channelId, eventId: people ? null : row.causeEventId, people };
    }),
  );
}

async function readAboutCast(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  castHash: string,
): Promise<Found[]> {
  const rows = await database.query
    .selectFrom("castellan.events")
    .selectAll()
    .where("channel_id", "in", [...channelIds])
    .where("cast_hash", "=", castHash)
    .where("kind", "not in", ["case.settled", "rule.hit"])
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return Promise.all(
    rows.map(async (row): Promise<Found> => {
      const people = await findPeople(database.query, guildId, toEvent(row));
      return { channelId: row.channel_id ?? "", eventId: row.id, people };
    }),
  );
}

/**
 * The event with the number shown in a room. An event that reports a rule's work (its hit, its review, its case, that
 * case's effect) leads to the event that the rule evaluated.
 */
async function readNumbered(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  eventId: number,
): Promise<Found[]> {
  const evaluated: Found[] = await database.query
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
    .where((is) => is.or([is("channel_id", "in", [...channelIds]), is("channel_id", "is", null)]))
    .executeTakeFirst();
  const event = row && toEvent(row);
  if (!event) return evaluated;
  if ("guildId" in event.data && event.data.guildId !== guildId) return [];
  // An event without a channel, such as a name, is evaluated in each.
  const channelId = event.channelId ?? channelIds[0] ?? "";
  const people = await findPeople(database.query, guildId, event);
  const cause = people ? null : await findCause({ database }, guildId, event);
  const causes = cause === null ? [] : [{ eventId: cause, channelId }];
  if ("guildId" in event.data && causes.length > 0) return causes;
  if (evaluated.length > 0) return [...causes, ...evaluated.map((found) => ({ ...found, people }))];
  const isAsked = ruleEvents.some((kind) => kind === event.kind);
  return [...causes, { eventId: isAsked || !people ? eventId : null, channelId, people }];
}

/** The event that the rule evaluated; null if no rule caused this event. */
async function findCause(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  event: ChannelEvent,
): Promise<number | null> {
  if (event.kind === "rule.hit") return event.data.eventId;
  // Their keys begin with their kind and the event's id (carry-out.ts).
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
