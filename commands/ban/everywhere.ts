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
import { describeBanEffects } from "../../src/moderation/cases/effects.ts";
import { lastsAfterBan } from "../../src/moderation/cases/outcome.ts";
import { readStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { countCastsIn } from "../../src/moderation/count-casts.ts";
import type { KnownCast } from "../../src/moderation/find-target.ts";
import { countCasesAgainst, readPlaces, type Place } from "../../src/moderation/person.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { amount } from "../../src/text/amount.ts";
import { escapeText } from "../../src/text/message-text.ts";
import { carryOutBulk, describeLeft } from "../shared/bulk.ts";
import { nameCase } from "../shared/describe-case.ts";
import { warnUnknown } from "../shared/describe-history.ts";
import {
  describeExpiry,
  describeHiding,
  describeWish,
  membershipEnds,
  type BanLength,
} from "../shared/preview-ban.ts";

/* A ban in every channel of the server where the actor may ban: one bulk, so it has one number, one post and one undo. */

export const EverywhereRequest = z.object({
  fid: z.int(),
  reason: z.string().optional(),
  forSeconds: z.int().optional(),
  hideCasts: z.boolean(),
  /** The channels that the preview showed. */
  channelIds: z.array(z.string()),
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
): Promise<{ view: View; channelIds: string[] }> {
  const held = await authorizeIn(context, context.actor, "ban");
  const { allowed, left, places } = await findBannable(context, { fid: user.fid, hideCasts }, held);
  const channelIds = allowed.map(({ channel }) => channel.id);
  const { casts, isCut } = hideCasts
    ? await findCastsToHide(context, user.fid, channelIds)
    : { casts: [], isCut: false };
  const hiding = hideCasts ? { hidden: casts.length, visible: casts.length } : undefined;
  const memberOf = places.flatMap(({ channelId, since }) =>
    since.members !== undefined && channelIds.includes(channelId) ? [`/${channelId}`] : [],
  );
  const isPublic = allowed.some(({ channel }) => channel.publicCasting);
  const lines = [
    describeUser(user),
    ...(memberOf.length === 0
      ? []
      : [`**They are a member of ${listChannels(memberOf)}.** ${membershipEnds}`]),
    ...(await describeRecord(context, held, user)),
    "",
    ...(channelIds.length === 0
      ? ["There is nothing to confirm."]
      : [
          `In ${listChannels(channelIds.map((id) => `/${id}`))}.`,
          describeWish(context, forSeconds),
          ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
          "",
          ...describeBanEffects({ publicCasting: isPublic }),
          isCut
            ? `The latest ${casts.length} of their visible casts will be hidden as well; **older ones stay**. /bulk hide hides more.`
            : describeHiding(hiding),
          `**${lastsAfterBan}**`,
        ]),
    ...describeLeft(left),
  ];
  const title =
    channelIds.length === 0 ? "No channel to ban from" : `Ban from ${amount(channelIds.length, "channel")}?`;
  return { view: textView(channelIds.length === 0 ? "plain" : "warning", lines, { title }), channelIds };
}

/** Bans in the channels of the preview, as far as the actor may and the user is still not banned there. */
export async function banEverywhere(context: CommandContext, request: EverywhereRequest): Promise<View> {
  const { fid, reason, forSeconds, hideCasts } = request;
  const { allowed, left, error } = await findBannable(context, request, request.channelIds);
  const [first] = allowed;
  if (!first) throw error ?? new AppError("invalid_input", "The user is banned or staff everywhere by now.");
  const channelIds = allowed.map(({ channel }) => channel.id);
  const { casts } = hideCasts ? await findCastsToHide(context, fid, channelIds) : { casts: [] };
  const { by, channel } = first;
  return carryOutBulk(
    context,
    { channelId: channel.id, kind: "ban", selection: "a ban everywhere of", subjectFid: fid, by, reason },
    [
      ...channelIds.map((channelId) => ({ kind: "ban" as const, channelId, targetFid: fid, forSeconds })),
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

interface Bannable {
  allowed: AuthorizedAction[];
  /** The other channels, and why not there. */
  left: string[];
  /** The first error among the reasons. */
  error: AppError | undefined;
  places: Place[];
}

async function findBannable(
  context: CommandContext,
  { fid, hideCasts }: Pick<EverywhereRequest, "fid" | "hideCasts">,
  channelIds: readonly string[],
): Promise<Bannable> {
  const { database, actor, botFid } = context;
  const banOf = (channelId: string) => targetKey({ channelId, kind: "ban", targetFid: fid });
  const [rights, { places }, bans] = await Promise.all([
    authorizeActions(context, actor, channelIds, "ban", ...(hideCasts ? (["hide"] as const) : [])),
    readPlaces(database.query, channelIds, fid),
    readStandingBans(database.query, channelIds.map(banOf)),
  ]);
  const found: Bannable = { allowed: [], left: [], error: undefined, places };
  for (const { channelId, since } of places) {
    const right = rights.get(channelId);
    if (!right) continue;
    if (right instanceof AppError) {
      found.error ??= right;
      found.left.push(`✖ /${channelId}: ${right.message}`);
      continue;
    }
    const ban = bans.get(banOf(channelId));
    const banned = ban
      ? `banned already, ${describeExpiry(ban.untilMs)} (${nameCase(ban.by, actor)})`
      : "banned already";
    const isBanned = ban !== undefined || since.bans !== undefined;
    const why = whyNotBanned(right.channel, botFid, fid) ?? (isBanned ? banned : undefined);
    if (why === undefined) found.allowed.push(right);
    else found.left.push(`✖ /${channelId}: ${why}`);
  }
  return found;
}

/** As many of the user's visible casts as fit into the bulk, newest first. */
async function findCastsToHide(
  { database }: CommandContext,
  fid: number,
  channelIds: readonly string[],
): Promise<{ casts: KnownCast[]; isCut: boolean }> {
  if (channelIds.length === 0) return { casts: [], isCut: false };
  const room = maxTargets - channelIds.length;
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
    count: own.reduce((sum, one) => sum + one.cases, 0),
  }));
  return [
    `${amount(seen, "cast")} seen in all channels where you may ban. Earlier: ${describeAgainst(against)}.`,
    ...(user.name === undefined && seen === 0 && cases.length === 0 ? [warnUnknown(user)] : []),
  ];
}
