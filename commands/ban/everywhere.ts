import { z } from "zod";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { listChannels } from "../../src/feed/render/bulk.ts";
import { describeAgainst } from "../../src/feed/render/review.ts";
import { groupBy } from "../../src/group-by.ts";
import { authorizeActions, type AuthorizedAction } from "../../src/moderation/authorize.ts";
import { authorizeIn } from "../../src/moderation/authorize-server.ts";
import { maxTargets } from "../../src/moderation/bulks/bulk.ts";
import { listCasts } from "../../src/moderation/bulks/find-casts.ts";
import { whyNotBanned } from "../../src/moderation/bulks/find-users.ts";
import { targetKey } from "../../src/moderation/cases/case.ts";
import { readStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { countCastsIn } from "../../src/moderation/count-casts.ts";
import type { KnownCast } from "../../src/moderation/find-target.ts";
import { countCasesAgainst, readPlaces, type Place } from "../../src/moderation/person.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText, fitLinesOrCount } from "../../src/text/message-text.ts";
import { carryOutBulk, describeLeft } from "../shared/bulk.ts";
import { nameCase } from "../shared/describe-case.ts";
import { small, warnUnknown } from "../shared/describe-history.ts";
import {
  describeBanEffects,
  describeEnd,
  describeExpiry,
  describeHiding,
  describeWish,
  type BanLength,
  type BanStep,
} from "../shared/preview-ban.ts";

/* A ban in every channel of the server where the actor may ban: one bulk, so it has one number, one post and one undo. */

export const EverywhereRequest = z.object({
  fid: z.int(),
  reason: z.string().optional(),
  forSeconds: z.int().optional(),
  hideCasts: z.boolean(),
  /** The channels that the preview showed. */
  channelIds: z.array(z.string()),
  /** Those in which only casts are hidden. */
  hideOnly: z.array(z.string()).default([]),
});
type EverywhereRequest = z.infer<typeof EverywhereRequest>;

/** A ban as typed, wherever it is. */
export interface RequestedBan {
  user: User;
  forSeconds: BanLength;
  reason: string | undefined;
  hideCasts: boolean;
}

/** What the ban would do, and the channels in which it would do it. */
export async function previewEverywhere(
  context: CommandContext,
  { user, forSeconds, reason, hideCasts }: RequestedBan,
): Promise<{ view: View; step: BanStep; channelIds: string[]; hideOnly: string[] }> {
  const held = await authorizeIn(context, context.actor, "ban");
  const plan = await planBans(context, { fid: user.fid, forSeconds, hideCasts }, held);
  const { reached, places } = plan;
  const step = stepOf(reached);
  const banned = reached.filter((one) => one.step === "ban");
  const bannedFrom = banned.map(({ channel }) => channel.id);
  const memberOf = places.flatMap(({ channelId, since }) =>
    since.members !== undefined && bannedFrom.includes(channelId) ? [`/${channelId}`] : [],
  );
  const isPublic = banned.some(({ channel }) => channel.publicCasting);
  const lost = memberOf.length === 0 ? undefined : `their membership in ${listChannels(memberOf)}`;
  const where = banned.length === 0 ? "" : ` · in ${listChannels(bannedFrom.map((id) => `/${id}`))}`;
  const lines = [
    `${describeUser(user)}${where}`,
    ...(reached.length === 0
      ? ["There is nothing to confirm."]
      : [
          ...describeAlready(plan, forSeconds),
          ...(step === "ban"
            ? [describeBanEffects({ publicCasting: isPublic }, describeCasts(plan)), describeEnd(lost)]
            : [describeCasts(plan) ?? "Their casts stay visible."]),
          ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
          ...(step === "none" ? [] : [describeWish(context, forSeconds)]),
        ]),
    ...(await describeRecord(context, held, user)),
    ...describeLeft(plan.left),
  ];
  const title =
    reached.length === 0
      ? "No channel to ban from"
      : titles[step](amount(step === "ban" ? banned.length : reached.length, "channel"));
  const view = textView(reached.length === 0 ? "plain" : "warning", lines, { title });
  const hideOnly = reached.filter((one) => one.step === "none").map(({ channel }) => channel.id);
  return { view, step, channelIds: reached.map(({ channel }) => channel.id), hideOnly };
}

const titles: Record<BanStep, (channels: string) => string> = {
  ban: (channels) => `Ban from ${channels}?`,
  change_expiry: (channels) => `Extend the ban in ${channels}?`,
  none: (channels) => `Hide casts in ${channels}?`,
};

/** Does in the channels of the preview what is still allowed and still changes something. */
export async function banEverywhere(context: CommandContext, request: EverywhereRequest): Promise<View> {
  const { fid, reason, forSeconds, hideCasts, channelIds, hideOnly } = request;
  const ban = { fid, forSeconds: forSeconds ?? null, hideCasts };
  const { reached, casts, left, error } = await planBans(context, ban, channelIds, hideOnly);
  const [first] = reached;
  if (!first) {
    const nowhere = "The user is staff everywhere by now, or banned for at least as long.";
    throw error ?? new AppError("invalid_input", nowhere);
  }
  const what =
    stepOf(reached) === "none"
      ? { kind: "hide" as const, selection: "casts of" }
      : { kind: "ban" as const, selection: "a ban everywhere of" };
  const { by, channel } = first;
  return carryOutBulk(
    context,
    { ...what, channelId: channel.id, subjectFid: fid, by, reason },
    [
      ...reached.flatMap(({ step: kind, channel: { id: channelId } }) =>
        kind === "none" ? [] : [{ kind, channelId, targetFid: fid, forSeconds }],
      ),
      ...casts.map((cast) => ({
        kind: "hide" as const,
        channelId: cast.channelId,
        targetCast: cast.hash,
        evidence: cast,
      })),
    ],
    { notes: describeLeft(left) },
  );
}

interface Reached extends AuthorizedAction {
  step: BanStep;
  /** The ban that is in force, in words. */
  already: string;
}

interface Plan {
  /** The channels in which something changes. */
  reached: Reached[];
  casts: KnownCast[];
  /** Whether older casts stay, and the channels whose casts are hidden. */
  isCut: boolean;
  hidesIn: string[];
  /** What is left out, and why. */
  left: string[];
  /** The first error among the reasons. */
  error: AppError | undefined;
  places: Place[];
}

/** A ban in force is extended, never shortened. In `hideOnly` nobody is banned. */
async function planBans(
  context: CommandContext,
  { fid, forSeconds, hideCasts }: { fid: number; forSeconds: BanLength; hideCasts: boolean },
  channelIds: readonly string[],
  hideOnly: readonly string[] = [],
): Promise<Plan> {
  const { database, actor, botFid } = context;
  const banOf = (channelId: string) => targetKey({ channelId, kind: "ban", targetFid: fid });
  const [rights, hideRights, { places }, bans] = await Promise.all([
    authorizeActions(context, actor, channelIds, "ban"),
    hideCasts ? authorizeActions(context, actor, channelIds, "hide") : undefined,
    readPlaces(database.query, channelIds, fid),
    readStandingBans(database.query, channelIds.map(banOf)),
  ]);
  const bannable: Reached[] = [];
  const hidesIn: string[] = [];
  const left: string[] = [];
  let error: AppError | undefined;
  for (const { channelId, since } of places) {
    const right = rights.get(channelId);
    if (!right) continue;
    if (right instanceof AppError) {
      error ??= right;
      left.push(`✖ /${channelId}: ${right.message}`);
      continue;
    }
    const why = whyNotBanned(right.channel, botFid, fid);
    if (why !== undefined) {
      left.push(`✖ /${channelId}: ${why}`);
      continue;
    }
    const hide = hideRights?.get(channelId);
    if (hide instanceof AppError) left.push(`✖ Casts in /${channelId}: ${hide.message}`);
    else if (hide) hidesIn.push(channelId);
    const ban = bans.get(banOf(channelId));
    const already = ban
      ? `banned already, ${describeExpiry(ban.untilMs)} (${nameCase(ban.by, actor)})`
      : "banned already";
    const isBanned = ban !== undefined || since.bans !== undefined;
    const isLonger = ban !== undefined && endsBefore(context, ban.untilMs, forSeconds);
    const step = isBanned ? (isLonger ? "change_expiry" : "none") : "ban";
    bannable.push({ ...right, step: hideOnly.includes(channelId) ? "none" : step, already });
  }
  const { casts, isCut } = await findCastsToHide(context, fid, hidesIn, maxTargets - bannable.length);
  const reached: Reached[] = [];
  for (const one of bannable) {
    const { id } = one.channel;
    if (one.step !== "none" || casts.some(({ channelId }) => channelId === id)) reached.push(one);
    else left.push(`✖ /${id}: ${one.already}`);
  }
  return { reached, casts, isCut, hidesIn, left, error, places };
}

/** Whether the new ban outlasts the one in force, or may do so. */
function endsBefore({ clock }: CommandContext, untilMs: number | null, forSeconds: BanLength): boolean {
  if (untilMs === null) return false;
  return typeof forSeconds !== "number" || clock.now() + forSeconds * 1000 > untilMs;
}

function stepOf(reached: readonly Reached[]): BanStep {
  if (reached.some(({ step }) => step === "ban")) return "ban";
  return reached.some(({ step }) => step === "change_expiry") ? "change_expiry" : "none";
}

/** The channels where the user is banned already, and what changes there. */
function describeAlready({ reached }: Plan, forSeconds: BanLength): string[] {
  const extended = forSeconds === "asked" ? "extended if the new ban lasts longer" : "extended";
  const lines = reached.flatMap(({ step, channel, already }) =>
    step === "ban"
      ? []
      : [`In /${channel.id}: ${already}; ${step === "none" ? "only their casts are hidden" : extended}.`],
  );
  return lines.length === 0 ? [] : [fitLinesOrCount(lines, 1000)];
}

/** Which casts are hidden; undefined if none are. */
function describeCasts({ casts, isCut, hidesIn, reached }: Plan): string | undefined {
  const hidden = casts.length;
  if (isCut) {
    return `The latest ${hidden} of their visible casts will be hidden as well; **older ones stay**. </hide> hides more of a user.`;
  }
  if (hidesIn.length === 0) return undefined;
  return hidden === 0 || reached.every(({ channel }) => hidesIn.includes(channel.id))
    ? describeHiding({ hidden, visible: hidden })
    : `${amount(hidden, "visible cast")} will be hidden as well.`;
}

/** As many of the user's visible casts as fit into the bulk, newest first. */
async function findCastsToHide(
  { database }: CommandContext,
  fid: number,
  channelIds: readonly string[],
  room: number,
): Promise<{ casts: KnownCast[]; isCut: boolean }> {
  if (channelIds.length === 0) return { casts: [], isCut: false };
  const filter = { fid, rootsOnly: true, hidden: false };
  const casts = await listCasts(database.query, channelIds, filter, undefined, room + 1);
  return { casts: casts.slice(0, room), isCut: casts.length > room };
}

/** What this server knows about the user in all of these channels. */
async function describeRecord(
  { database, actor }: CommandContext,
  channelIds: readonly string[],
  user: User,
): Promise<string[]> {
  const [casts, cases] = await Promise.all([
    countCastsIn(database.query, channelIds, user.fid),
    countCasesAgainst(database.query, actor.guildId, channelIds, user.fid),
  ]);
  const seen = [...casts.values()].reduce((sum, one) => sum + one.seen, 0);
  const against = [...groupBy(cases, ({ kind }) => kind)].map(([kind, own]) => ({
    kind,
    count: own.reduce((sum, one) => sum + one.count, 0),
  }));
  return [
    ...(user.name === undefined && seen === 0 && cases.length === 0 ? [warnUnknown(user)] : []),
    small(
      `${amount(seen, "cast")} seen in all channels where you may ban. Earlier: ${describeAgainst(against)}.`,
    ),
  ];
}
