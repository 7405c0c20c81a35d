import type { Selectable } from "kysely";
import type { Channel } from "../contract/channels.ts";
import type { BotTables } from "../database/tables/bot.ts";
import { asAppError } from "../errors.ts";
import { announceLink, noteBotRole } from "./bot-role.ts";
import type { ModerationContext } from "./context.ts";
import { findStaffFid, isAllowedByOperator } from "./proof.ts";

type Link = Selectable<BotTables["castellan.links"]>;

/** A link whose proof cannot be read for this long is suspended, in milliseconds. */
const patience = 24 * 3600_000;

const unreadable = "for a day the network did not show who owns and moderates the channel.";
const lost = "whoever linked it does not own or moderate the channel any more, as far as the network shows.";
const gone = "the network does not know the channel any more.";

/** Reads every link's proof again: renews, suspends or restores it, and notes whether the bot still moderates. */
export async function verifyLinks(context: ModerationContext): Promise<void> {
  const links = await context.database.query
    .selectFrom("castellan.links")
    .selectAll()
    // Whatever the network proves, a server that removed the bot has no say.
    .where("guild_id", "not in", (query) => query.selectFrom("castellan.absent_servers").select("guild_id"))
    .orderBy("channel_id")
    .execute();
  for (const channelId of new Set(links.map((link) => link.channel_id))) {
    const own = links.filter((link) => link.channel_id === channelId);
    const channel = await tryChannel(context, channelId);
    if (channel instanceof Object) await noteBotRole(context, channel);
    for (const link of own) await verify(context, link, channel);
  }
}

async function verify(
  context: ModerationContext,
  link: Link,
  channel: Channel | "unreadable" | "gone",
): Promise<void> {
  const now = context.clock.now();
  const proof = channel instanceof Object ? await readProof(context, link, channel) : channel;
  if (proof === "holds") {
    await setProof(context, link, { verified_at_ms: now, suspended_at_ms: null, suspended_reason: null });
  } else if (proof === "unreadable") {
    if (now - link.verified_at_ms < patience) return;
    await setProof(context, link, { suspended_at_ms: now, suspended_reason: unreadable });
  } else {
    await setProof(context, link, {
      suspended_at_ms: now,
      suspended_reason: proof === "gone" ? gone : lost,
    });
  }
}

async function readProof(
  context: ModerationContext,
  link: Link,
  channel: Channel,
): Promise<"holds" | "lost" | "unreadable"> {
  if (isAllowedByOperator(context, link.guild_id, link.channel_id)) return "holds";
  try {
    return (await findStaffFid(context, channel, link.linked_by)) === undefined ? "lost" : "holds";
  } catch (error) {
    context.log.warn({ err: error, channelId: channel.id }, "the verifications of a channel are unreadable");
    return "unreadable";
  }
}

async function tryChannel(
  context: ModerationContext,
  channelId: string,
): Promise<Channel | "unreadable" | "gone"> {
  try {
    return (await context.network.channels.get({ channelId })).channel;
  } catch (error) {
    if (asAppError(error, "not_found")) return "gone";
    context.log.warn({ err: error, channelId }, "a linked channel is unreadable");
    return "unreadable";
  }
}

/** Writes what changed, in the same transaction as the news of it; nothing when the link was suspended already. */
async function setProof(
  context: ModerationContext,
  link: Link,
  proof: Partial<Pick<Link, "verified_at_ms" | "suspended_at_ms" | "suspended_reason">>,
): Promise<void> {
  const suspends = proof.suspended_at_ms !== null;
  if (suspends && link.suspended_at_ms !== null) return;
  const { guild_id: guildId, channel_id: channelId } = link;
  await context.database.transaction(async (tx) => {
    const written = await tx
      .updateTable("castellan.links")
      .set(proof)
      .where("guild_id", "=", guildId)
      .where("channel_id", "=", channelId)
      // Linked anew, or seen to by another worker meanwhile: what was read is out of date.
      .where("verified_at_ms", "=", link.verified_at_ms)
      .where("suspended_at_ms", "is not distinct from", link.suspended_at_ms)
      .executeTakeFirst();
    const changes = suspends !== (link.suspended_at_ms !== null);
    if (written.numUpdatedRows === 0n || !changes) return;
    const change = suspends ? "suspended" : "restored";
    await announceLink(context, tx, { guildId, channelId, change, reason: proof.suspended_reason ?? "" });
  });
}
