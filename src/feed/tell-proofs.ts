import type { BotContext } from "../bot-context.ts";
import type { CodeOutcome } from "../database/tables/moderation.ts";
import { describeUser, readNames } from "../observe/people.ts";
import { postOnce, type FindableMessage } from "../outbox/post-once.ts";
import type { Sender } from "../outbox/send-outbox.ts";
import { colors } from "../text/colors.ts";
import { encodeCustomId } from "../text/custom-id.ts";

/** Posts the result of a code in the room where it was requested. */
export const proofSender: Sender = {
  async send(context, { key, requestedAtMs }) {
    const cast = await judgedCast(context, key);
    if (!cast) return "dropped";
    await postOnce(context, cast.room_id, await describe(context, cast), requestedAtMs);
    return "sent";
  },
  final: ["paused", "refused"],
  expiresAfter: () => 3600_000,
  giveUp({ log }, { key, destination }, err) {
    log.warn({ err, castHash: key, roomId: destination }, "could not post the result of a code");
  },
};

type JudgedCast = NonNullable<Awaited<ReturnType<typeof judgedCast>>>;

async function judgedCast({ database }: BotContext, castHash: string) {
  return database.query
    .selectFrom("castellan.code_casts as cast")
    .innerJoin("castellan.link_codes as issued", "issued.code", "cast.code")
    .select(["cast.cast_hash", "cast.fid", "cast.outcome"])
    .select(["issued.channel_id", "issued.user_id", "issued.room_id"])
    .where("cast.cast_hash", "=", castHash)
    .executeTakeFirst();
}

async function describe(context: BotContext, cast: JudgedCast): Promise<FindableMessage> {
  const { fid, channel_id: channelId, cast_hash } = cast;
  const names = await readNames(context.database.query, [fid]);
  const isProven = cast.outcome === "proven";
  const description = sentences[cast.outcome ?? "spent"]({
    who: describeUser({ fid, name: names.get(fid) }),
    user: `<@${cast.user_id}>`,
    channelId,
  });
  const customId = encodeCustomId({ kind: "command", command: "setup", words: [channelId, "link"] });
  return {
    nonce: cast_hash.slice(2, 27),
    embeds: [
      {
        description,
        color: isProven ? colors.good : colors.warning,
        footer: `Cast ${cast_hash.slice(0, 12)}`,
      },
    ],
    ...(isProven && { buttons: [[{ customId, label: `Link /${channelId}`, style: "success" }]] }),
  };
}

interface Told {
  who: string;
  user: string;
  channelId: string;
}

const sentences: Record<CodeOutcome, (told: Told) => string> = {
  proven: ({ who, user, channelId }) =>
    `Proven: ${user} is ${who}, who owns or moderates /${channelId}. ${user} can link it now, with this button or /setup link. The cast is not needed any more.`,
  late: ({ user, channelId }) =>
    `The code for /${channelId} was cast too late, so it proves nothing. ${user}, get a new one with /setup link and cast it within 15 minutes.`,
  inexact: ({ user, channelId }) =>
    `The code for /${channelId} was cast with other words, a link, a quote or a mention, so it proves nothing. ${user}, get a new one with /setup link and cast exactly that text and nothing else.`,
  removed: ({ user, channelId }) =>
    `The cast with the code for /${channelId} was deleted before Castellan could read it. ${user}, get a new one with /setup link and leave the cast up until this room shows that it is proven.`,
  stranger: ({ who, user, channelId }) =>
    `${who} cast the code for /${channelId}, but does not own or moderate it. ${user}, get a new one with /setup link and cast it from an account that does.`,
  "unknown channel": ({ user, channelId }) =>
    `The network no longer has /${channelId}, so ${user} cannot prove anything about it.`,
  forged: ({ who, user, channelId }) =>
    `A hub showed the code for /${channelId} as cast by ${who}, but no key of that account signed the cast: it was made up, or changed on the way. Nothing was proven. Castellan's operator should check the hub (HUB_URL, castellan doctor). ${user}, use another way that /setup link shows.`,
  unconfirmed: ({ who, user, channelId }) =>
    `A hub showed the code for /${channelId} as cast by ${who}, but no second source confirms that it is theirs, and one hub alone proves nothing. ${user}, use another way that /setup link shows: sign the text with the account's custody wallet, or connect Discord to that account. Castellan's operator can also add a second hub (HUB_URL).`,
  spent: ({ channelId }) => `The code for /${channelId} was used before.`,
};
