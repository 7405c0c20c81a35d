import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import type { FoundCast } from "../../src/moderation/find-cast.ts";

/** What somebody wants to have explained: exactly one of these. */
export interface Explained {
  cast?: FoundCast | undefined;
  case?: number | undefined;
  event?: number | undefined;
}

/** The events in question, newest first, each in a channel of those given. Throws `not_found`, `invalid_input`. */
export async function findExplained(
  context: CommandContext,
  channelIds: readonly string[],
  wanted: Explained,
): Promise<{ eventId: number; channelId: string }[]> {
  const given = Object.values(wanted).filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new AppError("invalid_input", "Say which: a cast, a case, or an event's number.");
  const rows = await readEvents(context, channelIds, wanted);
  if (rows.length > 0) return rows;
  throw new AppError("not_found", absence(wanted));
}

function absence({ cast, case: number }: Explained): string {
  if (cast) return "Castellan has seen no event about this cast in a channel of yours.";
  if (number !== undefined) return `No case #${number} of yours was made by a rule.`;
  return "There is no such event in a channel of yours.";
}

/** Most that are told of one cast: made, hidden, shown, hidden again. */
const most = 5;

function readEvents(
  { database, actor }: CommandContext,
  channelIds: readonly string[],
  { cast, case: number, event }: Explained,
): Promise<{ eventId: number; channelId: string }[]> {
  if (number !== undefined) {
    return database.query
      .selectFrom("castellan.cases")
      .select(["channel_id as channelId"])
      .select((query) => query.ref("cause_event_id").$notNull().as("eventId"))
      .where("guild_id", "=", actor.guildId)
      .where("channel_id", "in", [...channelIds])
      .where("number", "=", number)
      .where("cause_event_id", "is not", null)
      .limit(most)
      .execute();
  }
  const decided = database.query
    .selectFrom("castellan.rule_decisions")
    .select(["event_id as eventId", "channel_id as channelId"])
    .where("guild_id", "=", actor.guildId)
    .where("channel_id", "in", [...channelIds])
    .where("event_id", "=", event ?? 0);
  const happened = database.query
    .selectFrom("castellan.events")
    .select("id as eventId")
    .select((query) => query.ref("channel_id").$notNull().as("channelId"))
    .where("channel_id", "in", [...channelIds])
    .where((is) => (cast ? is("cast_hash", "=", cast.hash) : is("id", "=", event ?? 0)))
    .where("kind", "not in", ["case.settled", "rule.hit"]);
  return happened.union(decided).orderBy("eventId", "desc").limit(most).execute();
}
