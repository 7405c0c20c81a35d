import type { Updateable } from "kysely";
import { mapLimited } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { camelCased } from "../database/camel-case.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { asAppError } from "../errors.ts";
import { announceLink, noteBotRole, type Link } from "./channel-links.ts";
import { checkCustody } from "./proofs/staff-proofs.ts";
import { findStaffFid, isAllowedByOperator } from "./staff.ts";

/** A link is suspended once its proof has been unreadable for this long (milliseconds), in at least so many tries. */
const suspendAfterMs = 24 * 3600_000;
const minTries = 12;
/** After a longer time without a try (milliseconds), or three turns, the bot was off: the count begins again. */
const longestGap = 2 * 3600_000;

const unreadable = "for a day the network did not show who owns and moderates the channel.";
const lost = "the person who linked it no longer owns or moderates the channel, as far as the network shows.";
const gone = "the network no longer has the channel.";

/** On the live network, a proof is read again after an hour instead of at each run, in milliseconds. */
const proofLasts = 3600_000;
/** At most this many channels per run, in turns. */
const maxConcurrent = 10;
/** Milliseconds between two runs. */
export const verifyLinksEvery = 5 * 60_000;

/**
 * Reads every link's proof again, or those of one channel: renews, suspends or restores it, and notes whether the bot
 * still moderates.
 */
export async function verifyLinks(context: BotContext, only?: string): Promise<void> {
  const now = context.clock.now();
  const rows = await context.database.query
    .selectFrom("castellan.links")
    .selectAll()
    // Proofs do not matter for a server that removed the bot.
    .where("guild_id", "not in", (query) => query.selectFrom("castellan.absent_servers").select("guild_id"))
    .orderBy("channel_id")
    .execute();
  const links = rows.map(camelCased);
  const isDue = ({ channelId, verifiedAtMs }: Link) =>
    only === undefined ? !context.live || now - verifiedAtMs >= proofLasts : channelId === only;
  const channels = [...new Set(links.filter(isDue).map(({ channelId }) => channelId))];
  const turns = context.live ? Math.ceil(channels.length / maxConcurrent) : 1;
  const turn = Math.floor(now / verifyLinksEvery) % turns;
  const inTurn = channels.filter((_, index) => index % turns === turn);
  const gap = Math.max(longestGap, 3 * Math.ceil(links.length / maxConcurrent) * verifyLinksEvery);
  // Each gets its turn, even if others fail.
  await mapLimited(inTurn, 1, async (channelId) => {
    const own = links.filter((link) => link.channelId === channelId);
    const channel = await tryChannel(context, channelId);
    if (channel instanceof Object) await noteBotRole(context, channel);
    await mapLimited(own, 1, (link) => verify(context, link, channel, gap));
  });
}

type ProofColumns = Updateable<BotTables["castellan.links"]>;

/** The columns of a link whose last try was successful. */
const wasRead = { unreadable_since_ms: null, unreadable_at_ms: null, unreadable_tries: 0 };

async function verify(
  context: BotContext,
  link: Link,
  channel: Channel | "unreadable" | "gone",
  gap: number,
): Promise<void> {
  const now = context.clock.now();
  const proof = channel instanceof Object ? await readProof(context, link, channel) : channel;
  if (proof === "holds") {
    const suspension = { suspended_at_ms: null, suspended_reason: null };
    await setProof(context, link, { verified_at_ms: now, ...suspension, ...wasRead });
  } else if (proof === "unreadable") {
    await setProof(context, link, countUnreadable(link, now, gap));
  } else {
    const suspended_reason = proof === "gone" ? gone : lost;
    await setProof(context, link, { suspended_at_ms: now, suspended_reason, ...wasRead });
  }
}

/** Since the first failed try, at most one per run. While the bot was off, nobody tried. */
function countUnreadable(link: Link, now: number, gap: number): ProofColumns {
  const { unreadableSinceMs, unreadableAtMs } = link;
  const goesOn = unreadableSinceMs !== null && unreadableAtMs !== null && now - unreadableAtMs <= gap;
  const counts = !goesOn || now - unreadableAtMs >= verifyLinksEvery;
  const sinceMs = goesOn ? unreadableSinceMs : now;
  const tries = (goesOn ? link.unreadableTries : 0) + (counts ? 1 : 0);
  const isTooLong = now - sinceMs >= suspendAfterMs && tries >= minTries;
  return {
    unreadable_since_ms: sinceMs,
    unreadable_at_ms: counts ? now : unreadableAtMs,
    unreadable_tries: tries,
    suspended_at_ms: isTooLong ? now : link.suspendedAtMs,
    suspended_reason: isTooLong ? unreadable : link.suspendedReason,
  };
}

async function readProof(
  context: BotContext,
  link: Link,
  channel: Channel,
): Promise<"holds" | "lost" | "unreadable"> {
  const { guildId, linkedBy: userId } = link;
  await checkCustody(context, guildId, channel.id);
  if (isAllowedByOperator(context, guildId, channel.id)) return "holds";
  try {
    return (await findStaffFid(context, channel, { guildId, userId })) === undefined ? "lost" : "holds";
  } catch (error) {
    context.log.warn({ err: error, channelId: channel.id }, "could not read the verifications of a channel");
    return "unreadable";
  }
}

async function tryChannel(context: BotContext, channelId: string): Promise<Channel | "unreadable" | "gone"> {
  try {
    return (await context.network.channels.get({ channelId })).channel;
  } catch (error) {
    if (asAppError(error, "not_found")) return "gone";
    context.log.warn({ err: error, channelId }, "could not read a linked channel");
    return "unreadable";
  }
}

/** Writes the changes, in the same transaction as their event; nothing if the link was already suspended. */
async function setProof(context: BotContext, link: Link, proof: ProofColumns): Promise<void> {
  const suspends = proof.suspended_at_ms !== null;
  if (suspends && link.suspendedAtMs !== null) return;
  const { guildId, channelId } = link;
  await context.database.transaction(async (tx) => {
    const written = await tx
      .updateTable("castellan.links")
      .set(proof)
      .where("guild_id", "=", guildId)
      .where("channel_id", "=", channelId)
      // Linked again, or handled by another worker meanwhile: the reading is out of date.
      .where("verified_at_ms", "=", link.verifiedAtMs)
      .where("suspended_at_ms", "is not distinct from", link.suspendedAtMs)
      .executeTakeFirst();
    const changes = suspends !== (link.suspendedAtMs !== null);
    if (written.numUpdatedRows === 0n || !changes) return;
    const change = suspends ? "suspended" : "restored";
    await announceLink(context, tx, { guildId, channelId, change, reason: proof.suspended_reason ?? "" });
  });
}
