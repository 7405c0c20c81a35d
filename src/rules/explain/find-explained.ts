import type { BotContext } from "../../bot-context.ts";
import { AppError } from "../../errors.ts";

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
  if (found.length > 0) return found;
  throw new AppError("not_found", explainAbsence(wanted));
}

function explainAbsence({ castHash, case: number }: Explained): string {
  if (castHash !== undefined) return "Castellan has seen no event about this cast in a channel of yours.";
  if (number !== undefined) return `No case #${number} of yours was made by a rule.`;
  return "There is no such event in a channel of yours.";
}

/** Most that are explained of one cast: made, hidden, shown, hidden again. */
const most = 5;

function readEvents(
  { database }: Pick<BotContext, "database">,
  guildId: string,
  channelIds: readonly string[],
  { castHash, case: number, event }: Explained,
): Promise<{ eventId: number; channelId: string }[]> {
  if (number !== undefined) {
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
  const decided = database.query
    .selectFrom("castellan.rule_decisions")
    .select(["event_id as eventId", "channel_id as channelId"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "in", [...channelIds])
    .where("event_id", "=", event ?? 0);
  const happened = database.query
    .selectFrom("castellan.events")
    .select("id as eventId")
    .select((query) => query.ref("channel_id").$notNull().as("channelId"))
    .where("channel_id", "in", [...channelIds])
    .where((is) => (castHash === undefined ? is("id", "=", event ?? 0) : is("cast_hash", "=", castHash)))
    .where("kind", "not in", ["case.settled", "rule.hit"]);
  return happened.union(decided).orderBy("eventId", "desc").limit(most).execute();
}
