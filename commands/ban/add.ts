import { z } from "zod";
import type { Tx } from "../../src/database/database.ts";
import { confirm, flag, text } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { authorizeAction, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { countRootCasts, listRootCasts } from "../../src/moderation/find-target.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { channelOption, chooseChannel, durationOption, userOption } from "../shared/options.ts";
import { previewBan } from "../shared/preview.ts";
import { showCase } from "../shared/show-case.ts";
import { amount } from "../../src/text/amount.ts";
import { showNumber } from "../../src/text/numbered.ts";

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
    user: userOption("Who: fid, @name or profile link"),
    reason: text({ description: "Why; shown in the case" }),
    duration: durationOption("For how long, such as 6h or 7d; permanent if left out"),
    hide_casts: flag("Hide the user's own casts in the channel too; a ban hides only replies"),
    channel: channelOption,
  },
  confirmLabel: "Ban",
  state: BanRequest,
  async preview(context, { user, reason, duration, hide_casts: hideCasts, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const request = { channelId, fid: user.fid, reason, forSeconds: duration, hideCasts };
    const { channel } = await authorizeBan(context, request);
    const hiding = hideCasts ? await countCastsToHide(context, request) : undefined;
    const ban = { channel, user, forSeconds: duration, reason, hiding };
    const { view, needless } = await previewBan(context, ban);
    return needless ? { view } : { view, state: request };
  },
  async act(context, request) {
    const { by } = await authorizeBan(context, request);
    const casts = request.hideCasts ? await findCastsToHide(context, request) : [];
    const left = request.hideCasts ? (await countCastsToHide(context, request)).visible - casts.length : 0;
    const [ban, ...hides] = await context.database.transaction((tx) =>
      proposeAll(context, tx, request, by, casts),
    );
    if (!ban) throw new Error("no case was proposed");
    const settled = await applyCase(context, ban.id);
    if (hides.length === 0) return showCase(context, settled);
    await context.wake("settle-cases");
    const [first = ban, last = first] = [hides[0], hides.at(-1)];
    const numbers = `${showNumber("case", first.number)}–${showNumber("case", last.number)}`;
    const rest = left > 0 ? ` **${left} older ones stay**: the same command again hides the next.` : "";
    return showCase(
      context,
      settled,
      `${amount(hides.length, "cast")} being hidden: cases ${numbers}.${rest}`,
    );
  },
});

function authorizeBan(
  context: CommandContext,
  { channelId, hideCasts }: BanRequest,
): Promise<AuthorizedAction> {
  return hideCasts
    ? authorizeAction(context, context.actor, channelId, "ban", "hide")
    : authorizeAction(context, context.actor, channelId, "ban");
}

function findCastsToHide({ database }: CommandContext, { channelId, fid }: BanRequest) {
  return listRootCasts(database.query, channelId, fid, maxHidden);
}

async function countCastsToHide({ database }: CommandContext, { channelId, fid }: BanRequest) {
  const visible = await countRootCasts(database.query, channelId, fid);
  return { visible, hidden: Math.min(visible, maxHidden) };
}

/** The ban and what is hidden with it: all of it is remembered, or nothing. */
async function proposeAll(
  { clock, actor }: CommandContext,
  tx: Tx,
  { channelId, fid, reason: publicReason, forSeconds }: BanRequest,
  by: AuthorizedAction["by"],
  casts: readonly { hash: string; text: string }[],
): Promise<Case[]> {
  const shared = { guildId: actor.guildId, channelId, actor: by, publicReason };
  const cases = [await proposeCase(tx, clock, { ...shared, kind: "ban", targetFid: fid, forSeconds })];
  for (const { hash: targetCast, text: evidence } of casts) {
    cases.push(await proposeCase(tx, clock, { ...shared, kind: "hide", targetCast, evidence }));
  }
  return cases;
}
