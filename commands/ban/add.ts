import { z } from "zod";
import { confirm } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { flag, text } from "../../src/discord/option.ts";
import { applyCase } from "../../src/moderation/apply-case.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";
import { propose, showCase } from "../shared/carry-out.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { channelOption, durationOption, userOption } from "../shared/options.ts";
import { previewBan } from "../shared/preview-ban.ts";

/** Root casts that one ban hides at most; the newest first. */
const maxHidden = 100;

const BanRequest = z.object({
  channelId: z.string(),
  fid: z.int(),
  reason: z.string().optional(),
  forSeconds: z.int().optional(),
  hideCasts: z.boolean(),
});
type BanRequest = z.infer<typeof BanRequest>;

export const addBan = confirm({
  description: "Ban a user from the channel",
  options: {
    user: userOption("Whom: fid, @name or profile link"),
    reason: text({ description: "Why; shown in the case" }),
    duration: durationOption("For how long, such as 6h or 7d; for good when left out"),
    hide_casts: flag("Hide the user's own casts in the channel too; a ban hides only replies"),
    channel: channelOption,
  },
  confirmLabel: "Ban",
  state: BanRequest,
  async preview(context, { user, reason, duration, hide_casts: hideCasts, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const { channel } = await openChannel(context, context.actor, channelId, "ban");
    if (hideCasts) await openChannel(context, context.actor, channelId, "hide");
    const hiddenCasts = hideCasts ? (await findRootCasts(context, channelId, user.fid)).length : undefined;
    return {
      view: await previewBan(context, { channel, user, forSeconds: duration, reason, hiddenCasts }),
      state: { channelId, fid: user.fid, reason, forSeconds: duration, hideCasts },
    };
  },
  async act(context, request) {
    const { channelId, fid, hideCasts } = request;
    const { actorFid } = await openChannel(context, context.actor, channelId, "ban");
    if (hideCasts) await openChannel(context, context.actor, channelId, "hide");
    const casts = hideCasts ? await findRootCasts(context, channelId, fid) : [];
    const [ban, ...hides] = await context.database.transaction((tx) =>
      proposeAll(context, tx, request, actorFid, casts),
    );
    if (!ban) throw new Error("no case was proposed");
    const settled = await applyCase(context, ban.id);
    if (hides.length === 0) return showCase(context, settled);
    await context.wake("settle-cases");
    const numbers = `#${hides[0]?.number}–#${hides.at(-1)?.number}`;
    return showCase(context, settled, `${hides.length} casts are being hidden: cases ${numbers}.`);
  },
});

type Tx = Parameters<typeof propose>[1];

/** The ban and what is hidden with it: all of it is remembered, or nothing. */
async function proposeAll(
  context: CommandContext,
  tx: Tx,
  { channelId, fid, reason, forSeconds }: BanRequest,
  actorFid: number | undefined,
  casts: readonly { hash: string; text: string }[],
) {
  const publicReason = reason;
  const cases = [
    await propose(context, tx, {
      channelId,
      kind: "ban",
      targetFid: fid,
      publicReason,
      forSeconds,
      actorFid,
    }),
  ];
  for (const { hash: targetCast, text: evidence } of casts) {
    cases.push(
      await propose(context, tx, { channelId, kind: "hide", targetCast, publicReason, evidence, actorFid }),
    );
  }
  return cases;
}

function findRootCasts({ database }: CommandContext, channelId: string, fid: number) {
  return database.query
    .selectFrom("castellan.casts")
    .select(["hash", "text"])
    .where("fid", "=", fid)
    .where("channel_id", "=", channelId)
    .where("parent_hash", "is", null)
    .where("hidden", "=", false)
    .where("removed_at", "is", null)
    .orderBy("cast_at", "desc")
    .limit(maxHidden)
    .execute();
}
