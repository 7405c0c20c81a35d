import type { BotContext } from "../bot-context.ts";
import type { CodeOutcome } from "../database/tables/moderation.ts";
import { asAppError } from "../errors.ts";
import { describeUser, readNames } from "../observe/people.ts";
import { colors } from "../text/colors.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import type { RoomMessage, Rooms } from "./rooms.ts";

/** An answer that the room cannot take for so long, in milliseconds, is let go. */
const giveUpAfterMs = 3600_000;

/** Casts with codes that are judged and whose room does not know. */
function pendingNotifications({ database }: BotContext) {
  return database.query
    .selectFrom("castellan.code_casts as cast")
    .innerJoin("castellan.link_codes as asked", "asked.code", "cast.code")
    .select(["cast.cast_hash", "cast.fid", "cast.outcome", "cast.judged_at_ms"])
    .select(["asked.channel_id", "asked.user_id", "asked.room_id"])
    .where("cast.judged_at_ms", "is not", null)
    .where("cast.told_at_ms", "is", null)
    .orderBy("cast.judged_at_ms")
    .orderBy("cast.cast_hash");
}
type PendingNotification = Awaited<ReturnType<ReturnType<typeof pendingNotifications>["execute"]>>[number];

/**
 * Tells the rooms where a code was asked for what became of it. Told again after a crash between sending and noting it,
 * Discord takes it for the same message. A room that cannot be reached holds up no other; then it throws why.
 */
export async function tellProofs(context: BotContext, rooms: Rooms): Promise<void> {
  const failures: unknown[] = [];
  for (const cast of await pendingNotifications(context).execute()) {
    try {
      await rooms.post(cast.room_id, await describe(context, cast));
    } catch (err) {
      const isFinal = asAppError(err, "room_unavailable", "message_refused") !== undefined;
      const isOld = context.clock.now() - (cast.judged_at_ms ?? 0) > giveUpAfterMs;
      if (!isFinal && !isOld) {
        failures.push(err);
        continue;
      }
      const about = { err, channelId: cast.channel_id, roomId: cast.room_id, outcome: cast.outcome };
      context.log.warn(about, "a room could not be told what became of a code");
    }
    await context.database.query
      .updateTable("castellan.code_casts")
      .set({ told_at_ms: context.clock.now() })
      .where("cast_hash", "=", cast.cast_hash)
      .execute();
  }
  if (failures.length > 0) throw failures[0];
}

async function describe(context: BotContext, cast: PendingNotification): Promise<RoomMessage> {
  const { fid, channel_id: channelId, cast_hash } = cast;
  const names = await readNames(context.database.query, [fid]);
  const isProven = cast.outcome === "proven";
  const description = sentences[cast.outcome ?? "spent"]({
    who: describeUser({ fid, name: names.get(fid) }),
    asker: `<@${cast.user_id}>`,
    channelId,
  });
  const customId = encodeCustomId({ kind: "command", command: "channel", words: [channelId, "link"] });
  return {
    nonce: cast_hash.slice(2, 27),
    embeds: [{ description, color: isProven ? colors.good : colors.warning }],
    ...(isProven && { buttons: [[{ customId, label: `Link /${channelId}`, style: "success" }]] }),
  };
}

interface Told {
  who: string;
  asker: string;
  channelId: string;
}

const sentences: Record<CodeOutcome, (told: Told) => string> = {
  proven: ({ who, asker, channelId }) =>
    `Proven: ${asker} is ${who}, who owns or moderates /${channelId}. ${asker} can link it now, with this button or /channel link. The cast is not needed any more.`,
  late: ({ asker, channelId }) =>
    `The code for /${channelId} was cast too late, so it proves nothing. ${asker}, get a new one with /channel link and cast it within 15 minutes.`,
  inexact: ({ asker, channelId }) =>
    `The code for /${channelId} was cast with other words, a link, a quote or a mention, so it proves nothing. ${asker}, get a new one with /channel link and cast that text alone, exactly as it stands.`,
  removed: ({ asker, channelId }) =>
    `The cast with the code for /${channelId} was deleted before Castellan could look at it. ${asker}, get a new one with /channel link and let the cast stand until this room says that it is proven.`,
  stranger: ({ who, asker, channelId }) =>
    `${who} cast the code for /${channelId}, but does not own or moderate it. ${asker}, get a new one with /channel link and cast it from an account that does.`,
  "unknown channel": ({ asker, channelId }) =>
    `The network does not know /${channelId} any more, so ${asker} cannot prove anything about it.`,
  forged: ({ who, asker, channelId }) =>
    `A hub showed the code for /${channelId} as cast by ${who}, but no key of that account signed the cast: it was made up, or changed on the way. Nothing was proven. The operator of Castellan should look at the hub (HUB_URL, castellan doctor). ${asker}, use another way that /channel link shows.`,
  unconfirmed: ({ who, asker, channelId }) =>
    `A hub showed the code for /${channelId} as cast by ${who}, but no second source confirms that it is theirs, and one hub alone proves nothing. ${asker}, use another way that /channel link shows: sign the text with the account's custody wallet, or connect Discord to that account. The operator of Castellan can also name a second hub (HUB_URL).`,
  spent: ({ channelId }) => `The code for /${channelId} was used before.`,
};
