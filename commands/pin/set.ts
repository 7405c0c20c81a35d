import { z } from "zod";
import { confirm, flag } from "../../src/discord/command.ts";
import { findCast } from "../../src/moderation/find-target.ts";
import { authorizeForCast, castOption, channelOption } from "../shared/options.ts";
import { describeCast } from "../shared/preview.ts";
import { runCase } from "../shared/show-case.ts";
import { textView } from "../../src/discord/view.ts";
import { suggestCastsFor } from "../shared/suggestions.ts";
import { amount } from "../../src/text/amount.ts";

export const setPin = confirm({
  description: "Pin a cast in the channel, replacing the current one",
  needs: "pin",
  options: {
    cast: castOption("Which cast: link or hash", suggestCastsFor({ visible: "pin" })),
    notify: flag("Notify every follower of the channel; asks first"),
    channel: channelOption,
  },
  confirmLabel: "Pin and notify everyone",
  state: z.object({ channelId: z.string(), hash: z.string() }),
  async preview(context, { cast, notify, channel: given }) {
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
