import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Capability } from "../../src/moderation/capabilities.ts";
import { requireCastIn, type FoundCast } from "../../src/moderation/find-cast.ts";
import { nameOf } from "../../src/moderation/find-user.ts";
import { openChannel, type OpenChannel } from "../../src/moderation/open-channel.ts";
import { codeBlock, inlineCode } from "../../src/text/escape.ts";
import { chooseChannel } from "./choose-channel.ts";
import { describeTime, describeUser } from "./describe.ts";

/** Opens the channel that a cast is in, for somebody who wants to do something with the cast. */
export async function openCastChannel(
  context: CommandContext,
  cast: FoundCast,
  given: string | undefined,
  capability: Capability,
): Promise<OpenChannel> {
  const channelId =
    given === undefined && cast.known ? cast.known.channel_id : await chooseChannel(context, given);
  const open = await openChannel(context, context.actor, channelId, capability);
  await requireCastIn(context, cast, channelId);
  return open;
}

export async function describeCast(context: CommandContext, { hash, known }: FoundCast): Promise<string> {
  if (!known) return `${inlineCode(hash)}\nCastellan never saw this cast, so it cannot show it.`;
  const author = describeUser({ fid: known.fid, name: await nameOf(context, known.fid) });
  const kind = known.parent_hash === null ? "cast" : "reply";
  const hidden = known.hidden ? " · hidden now" : "";
  return `${author} · ${kind} ${describeTime(known.cast_at)}${hidden}\n${codeBlock(known.text)}`;
}
