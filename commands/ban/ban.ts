import { z } from "zod";
import type { Tx } from "../../src/database/database.ts";
import { confirm, flag, type RawValues } from "../../src/discord/command.ts";
import { textView, type View } from "../../src/discord/view.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import { authorizeAction, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import { targetKey, type Case } from "../../src/moderation/cases/case.ts";
import { requireSameEnd } from "../../src/moderation/cases/standing-bans.ts";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { maxTargets, type Bulk } from "../../src/moderation/bulks/bulk.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import type { CastBody } from "../../src/text/show-cast.ts";
import { followBulk } from "../shared/bulk.ts";
import {
  banLengthOption,
  channelOption,
  chooseChannel,
  optionalUser,
  reasonOption,
} from "../shared/options.ts";
import { askOrConfirm, chooseLength } from "../shared/ban-question.ts";
import { previewBan, type BanStep } from "../shared/preview-ban.ts";
import { suggestBy, suggestedChannels, suggestUsersFor } from "../shared/suggestions.ts";
import { showDone } from "../shared/show-case.ts";
import { searchCasts } from "../../src/moderation/bulks/find-casts.ts";
import { AppError } from "../../src/errors.ts";
import { previewRestrict, restrict, RestrictRequest } from "./restrict.ts";
import { ruleOption } from "../rule/rule-arguments.ts";
import { refuseBoth, refuseUseless } from "../shared/targets.ts";
import { BanState, liftBan, previewLift } from "../undo/ban.ts";
import { changeMany, manyOptions, ManyRequest, maxReason, previewBans, previewUnbans } from "./many.ts";
import { banEverywhere, EverywhereRequest, previewEverywhere, type RequestedBan } from "./everywhere.ts";

const BanRequest = z.object({
  channelId: z.string(),
  fid: z.int(),
  reason: z.string().optional(),
  forSeconds: z.int().optional(),
  hideCasts: z.boolean(),
  /** What the preview said. */
  step: z.enum(["ban", "change_expiry", "none"]),
  /** When the ban ends that changes, as the preview said. */
  before: z.number().nullable().optional(),
});
type BanRequest = z.infer<typeof BanRequest>;

export const banUser = confirm({
  description: "Ban a user; or many: listed, from a file, or the authors of casts. Or lift such bans",
  needs: "ban",
  console: true,
  options: {
    user: {
      ...optionalUser("Who: fid, @name or profile link"),
      suggest: suggestBy("lift", suggestUsersFor("unban"), suggestUsersFor("ban")),
    },
    reason: reasonOption("Why; shown in the case", { maxLength: maxReason }),
    duration: banLengthOption("For how long, such as 6h, 7d or permanent; asked if left out"),
    hide_casts: flag("Hide the user's own casts in the channel too; a ban hides only replies"),
    everywhere: flag("In every channel of this server where you may ban"),
    restrict: flag("Lift the ban at once: removes role and invites, and the user stays restricted"),
    ...manyOptions,
    lift: flag("Lift bans instead: of these users, of a rule, or since a time; they stay restricted"),
    rule: { ...ruleOption, description: "With lift: only bans that this rule set" },
    channel: channelOption,
  },
  confirmLabel: "Ban",
  state: z.union([ManyRequest, BanState, EverywhereRequest, BanRequest, RestrictRequest]),
  async preview(context, args) {
    const { user, reason, duration, hide_casts: hideCasts, everywhere, restrict, channel: given } = args;
    const { users, file, text, link, since, lift, rule } = args;
    refuseBoth({ user, users, file }, { text, link, since, rule });
    if (lift) {
      refuseUseless(
        { duration, hide_casts: hideCasts, everywhere, restrict, text, link },
        "does not go with `lift`",
      );
      if (!user) return previewUnbans(context, args);
      return previewLift(context, user, { channelId: await chooseChannel(context, given), reason });
    }
    refuseUseless({ rule }, "is for `lift`");
    if (!user) {
      refuseUseless({ hide_casts: hideCasts, everywhere, restrict }, "is for one `user`");
      return previewBans(context, args);
    }
    if (restrict) {
      if (duration !== undefined || hideCasts || everywhere)
        throw new AppError("invalid_input", "With `restrict`, fill in only `user`, `reason` and `channel`.");
      return previewRestrict(context, await chooseChannel(context, given), { user, reason });
    }
    const channelId = everywhere ? given : await chooseChannel(context, given);
    const saved = await listSavedReasons(context.database.query, context.actor.guildId);
    const forSeconds = chooseLength(duration, reason, saved);
    const ban = { user, forSeconds, reason, hideCasts };
    const { view, state, step } =
      everywhere || channelId === undefined
        ? await planEverywhere(context, ban)
        : await planHere(context, channelId, ban);
    if (!state) return { view };
    const only = { user: String(user.fid), ...(channelId !== undefined && { channel: channelId }) };
    const raw = {
      ...only,
      ...(hideCasts && { hide_casts: true }),
      ...(everywhere && { everywhere: true }),
    };
    const stateFor = (chosen: number | null) => ({ ...state, forSeconds: chosen ?? undefined });
    const mayHide = await suggestedChannels(context, "hide");
    const mayBan = await suggestedChannels(context, "ban");
    const here = channelId === undefined ? "In one channel" : `Only in /${channelId}`;
    const changes = [
      ...(mayHide.some((id) => everywhere || id === channelId)
        ? [switchOption(raw, "hide_casts", "Hide their casts too", "Keep their casts")]
        : []),
      ...(!everywhere && step === "ban"
        ? [{ label: "Only restrict", raw: { ...only, restrict: true } }]
        : []),
      ...(mayBan.length > 1 ? [switchOption(raw, "everywhere", "Everywhere I may ban", here)] : []),
    ];
    const asked = { raw, reason, maxReason, saved, stateFor, changes };
    return {
      view,
      question: askOrConfirm(
        asked,
        step === "none" && forSeconds === "asked" ? null : forSeconds,
        labels[step],
      ),
    };
  },
  async act(context, request) {
    if ("fids" in request) return changeMany(context, request);
    if ("kind" in request) return liftBan(context, request);
    if (!("hideCasts" in request)) return restrict(context, request);
    if ("channelIds" in request) return banEverywhere(context, request);
    const { by } = await authorizeBan(context, request);
    const { casts, total } = request.hideCasts
      ? await findCastsToHide(context, request)
      : { casts: [], total: 0 };
    const { ban, bulk } = await context.database.transaction((tx) =>
      proposeAll(context, tx, request, by, casts),
    );
    const banned = ban && (await showDone(context, await applyCase(context, ban.id)));
    if (!bulk) return banned ?? textView("plain", "They have no visible casts left to hide.");
    const beside = {
      ...context,
      showProgress: (view: View) => context.showProgress(joinViews(view, banned)),
    };
    const hidden = await followBulk(beside, bulk.id);
    const left = total - casts.length;
    const rest =
      left > 0
        ? `${left} older casts stay visible, because one bulk takes at most ${maxTargets}. Run it again for the rest.`
        : "";
    return joinViews(hidden, banned, rest);
  },
});

const labels: Record<BanStep, string> = {
  ban: "Ban",
  change_expiry: "Change the end",
  none: "Hide the casts",
};

async function planHere(context: CommandContext, channelId: string, ban: RequestedBan) {
  const { user, reason, hideCasts } = ban;
  const request = { channelId, fid: user.fid, reason, hideCasts };
  const { channel } = await authorizeBan(context, request);
  const hides = hideCasts ? await findCastsToHide(context, request) : undefined;
  const hiding = hides && { hidden: hides.casts.length, visible: hides.total };
  const { view, step, noChange, before } = await previewBan(context, { ...ban, channel, hiding });
  return { view, step, state: noChange ? undefined : { ...request, step, before } };
}

async function planEverywhere(context: CommandContext, ban: RequestedBan) {
  const { user, reason, hideCasts } = ban;
  const { view, step, channelIds, hideOnly } = await previewEverywhere(context, ban);
  const state =
    channelIds.length === 0 ? undefined : { fid: user.fid, reason, hideCasts, channelIds, hideOnly };
  return { view, step, state };
}

/** Turns a flag among the typed options on or off. */
function switchOption(raw: RawValues, option: string, on: string, off: string) {
  const { [option]: isOn, ...others } = raw;
  return isOn ? { label: off, raw: others } : { label: on, raw: { ...raw, [option]: true } };
}

function authorizeBan(
  context: CommandContext,
  { channelId, hideCasts }: Pick<BanRequest, "channelId" | "hideCasts">,
): Promise<AuthorizedAction> {
  return hideCasts
    ? authorizeAction(context, context.actor, channelId, "ban", "hide")
    : authorizeAction(context, context.actor, channelId, "ban");
}

function findCastsToHide(
  { database }: CommandContext,
  { channelId, fid }: Pick<BanRequest, "channelId" | "fid">,
) {
  return searchCasts(database.query, { channelId, hidden: false, fid, rootsOnly: true }, maxTargets);
}

function joinViews(hidden: View, banned: View | undefined, content = ""): View {
  const buttons = [...(banned?.buttons ?? []), ...(hidden.buttons ?? [])];
  return { content, embeds: [...(banned?.embeds ?? []), ...(hidden.embeds ?? [])], buttons };
}

/** Stores the ban and the hides that go with it, all or nothing. */
async function proposeAll(
  context: CommandContext,
  tx: Tx,
  { channelId, fid, reason: publicReason, forSeconds, step, before }: BanRequest,
  by: AuthorizedAction["by"],
  casts: readonly { hash: string; body: CastBody }[],
): Promise<{ ban: Case | undefined; bulk: Bulk | undefined }> {
  const { guildId } = context.actor;
  const shared = { guildId, channelId, targetFid: fid, forSeconds, actor: by, publicReason };
  if (before !== undefined) {
    const target = targetKey({ channelId, kind: "ban", targetFid: fid });
    await requireSameEnd(tx, { guildId, target }, before);
  }
  const ban = step === "none" ? undefined : await proposeCase(tx, context.clock, { ...shared, kind: step });
  if (casts.length === 0) return { ban, bulk: undefined };
  const hides = casts.map(({ hash, body }) => ({
    kind: "hide" as const,
    targetCast: hash,
    evidence: body,
  }));
  const asked = { guildId, channelId, by, reason: publicReason, selection: "casts of", subjectFid: fid };
  return { ban, bulk: await beginBulk(context, tx, { ...asked, kind: "hide" }, hides) };
}
