import { z } from "zod";
import { confirm, flag } from "../src/discord/command.ts";
import { AppError } from "../src/errors.ts";
import { authorizeAction } from "../src/moderation/authorize.ts";
import { findCast } from "../src/moderation/find-target.ts";
import { authorizeForCast, channelOption, chooseChannel, optionalCast } from "./shared/options.ts";
import { describeCast } from "./shared/preview.ts";
import { runCase } from "./shared/show-case.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { suggestCastsFor } from "./shared/suggestions.ts";
import { amount } from "../src/text/amount.ts";

export const pin = confirm({
  description: "Pin a cast in the channel, replacing the current one; or unpin what is pinned",
  needs: "pin",
  options: {
    cast: optionalCast("Which cast: link or hash", suggestCastsFor({ visible: "pin" })),
    notify: flag("Notify every follower of the channel; asks first"),
    clear: flag("Unpin the pinned cast"),
    channel: channelOption,
  },
  confirmLabel: "Pin and notify everyone",
  state: z.object({ channelId: z.string(), hash: z.string() }),
  async preview(context, { cast, notify, clear, channel: given }) {
    if (clear === (cast !== undefined))
      throw new AppError("invalid_input", "Fill in either `cast` or `clear`.");
    if (!cast) return { view: await unpin(context, await chooseChannel(context, given)) };
    const { channel, by } = await authorizeForCast(context, cast, given, "pin");
    const evidence = cast.known;
    if (!notify) {
      const request = { channelId: channel.id, kind: "pin" as const, targetCast: cast.hash, evidence };
      return { view: await runCase(context, { ...request, actor: by }) };
    }
    const again = channel.pinnedCastHash === cast.hash;
    const lines = [
      await describeCast(context, cast),
      "",
      again
        ? "This cast is already pinned, so the network will not notify anyone again."
        : `**${amount(channel.followerCount, "follower")} will be notified. This cannot be undone**, not even by unpinning.`,
    ];
    return {
      view: textView("warning", lines, { title: `Pin and announce in /${channel.id}?` }),
      state: { channelId: channel.id, hash: cast.hash },
    };
  },
  async act(context, { channelId, hash }) {
    const cast = await findCast(context, hash);
    const { by } = await authorizeForCast(context, cast, channelId, "pin");
    const evidence = cast.known;
    return runCase(context, {
      channelId,
      kind: "pin",
      targetCast: hash,
      notify: true,
      evidence,
      actor: by,
    });
  },
});

async function unpin(context: CommandContext, channelId: string): Promise<View> {
  const { channel, by } = await authorizeAction(context, context.actor, channelId, "pin");
  return runCase(context, { channelId, kind: "unpin", targetCast: channel.pinnedCastHash, actor: by });
}
