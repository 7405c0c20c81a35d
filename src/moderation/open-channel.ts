import type { Actor } from "../bot-context.ts";
import type { Channel } from "../contract/channels.ts";
import { AppError } from "../errors.ts";
import { authorize } from "./authorize.ts";
import { noteBotRole } from "./bot-role.ts";
import type { Capability } from "./capabilities.ts";
import type { ModerationContext } from "./context.ts";
import { readChannel } from "./proof.ts";

/** A channel that the actor may act on, as the network shows it at this moment. */
export interface OpenChannel {
  channel: Channel;
  /** The actor's verified fid, when that is what gives the right. */
  actorFid: number | undefined;
}

/** Capabilities for which the bot itself must moderate the channel. */
const needsBot: ReadonlySet<Capability> = new Set(["invite", "hide", "pin", "ban", "undo"]);

/**
 * Opens a channel for somebody who may do this in it, once the bot can do it there. Throws as `authorize` does, and
 * `not_allowed` where the bot does not moderate the channel.
 */
export async function openChannel(
  context: ModerationContext,
  actor: Actor,
  channelId: string,
  capability: Capability,
): Promise<OpenChannel> {
  const right = await authorize(context, actor, channelId, capability);
  const channel = right.channel ?? (await readChannel(context, channelId));
  if (needsBot.has(capability) && !(await noteBotRole(context, channel))) {
    throw new AppError(
      "not_allowed",
      `Castellan (fid ${context.botFid}) does not moderate ${channelId}, so nothing was done. Its owner has to invite it as moderator.`,
    );
  }
  return { channel, actorFid: right.staffFid };
}
