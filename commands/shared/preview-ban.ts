import type { Channel } from "../../src/contract/channels.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { targetKey } from "../../src/moderation/cases/case.ts";
import { describeAfterBan, lastsAfterBan } from "../../src/moderation/cases/outcome.ts";
import { readEndAfter } from "../../src/moderation/cases/new-end.ts";
import { readStandingBan } from "../../src/moderation/cases/standing-bans.ts";
import { describeUser, type User } from "../../src/observe/people.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { nameCase } from "./describe-case.ts";
import { describeHistoryBelow } from "./describe-history.ts";
import { describeStanding, readStanding, type Standing } from "./preview.ts";

/** In seconds; null for a permanent ban, "asked" if buttons under the preview ask for the length. */
export type BanLength = number | null | "asked";

interface Ban {
  channel: Channel;
  user: User;
  forSeconds: BanLength;
  reason?: string | undefined;
  /** The user's own casts that are hidden with it, and their number; undefined if they stay. */
  hiding?: { hidden: number; visible: number } | undefined;
  /** The choice can extend a ban that is in force, but never shorten it. */
  onlyLonger?: true;
}

/** What Confirm would do about the ban itself: ban, change the end of the existing ban, or nothing. */
export type BanStep = "ban" | "change_expiry" | "none";

/** What a ban would do: to whom, where, until when, and what cannot be undone. */
interface BanPreview {
  view: View;
  step: BanStep;
  /** Neither the ban nor any cast would change. */
  noChange: boolean;
  /** When the ban ends that would change, in UNIX milliseconds; null for a permanent one. */
  before?: number | null;
}

/** Throws `cannot_ban_owner`, `cannot_ban_moderator`. */
export async function previewBan(context: CommandContext, ban: Ban): Promise<BanPreview> {
  const { channel, user, reason, hiding } = ban;
  const standing = await readStanding(context, channel, user.fid);
  refuseStaff(context, ban, standing);
  const { lines: end, step, before } = await describeBanEnd(context, ban, standing);
  const noChange = step === "none" && !hiding?.hidden;
  const lost = describeLoss(standing);
  const now = describeStanding(standing);
  const lines = [
    `${describeUser(user)} · now: ${lost === undefined ? now : `**${now}**`}`,
    ...(step === "ban"
      ? [describeBanEffects(channel, hiding && describeHiding(hiding)), describeEnd(lost)]
      : end),
    ...(reason === undefined ? [] : [`Reason: ${escapeText(reason)}`]),
    ...(step === "ban" ? end : [noChange ? "There is nothing to confirm." : describeOther(hiding)]),
    ...(await describeHistoryBelow(context, channel.id, user)),
  ];
  const title = noChange ? `Banned from /${channel.id} already` : titles[step](channel.id);
  const color = noChange ? "plain" : "warning";
  return { view: textView(color, lines, { title }), step, noChange, ...(before !== undefined && { before }) };
}

const titles: Record<BanStep, (channelId: string) => string> = {
  ban: (channelId) => `Ban from /${channelId}?`,
  change_expiry: (channelId) => `Change when the ban from /${channelId} ends?`,
  none: (channelId) => `Hide casts in /${channelId}?`,
};

/** What the user has, and a ban takes away. */
function describeLoss({ role, invitedAs }: Standing): string | undefined {
  if (role === "member") return "their membership";
  if (role !== undefined) return "their role";
  return invitedAs === undefined ? undefined : "their invite";
}

/** What a ban hides and what it does not; `hiding` says which of their own casts are hidden with it. */
export function describeBanEffects(
  { publicCasting }: { publicCasting: boolean },
  hiding: string | undefined,
): string {
  if (!publicCasting) {
    const replies =
      "A ban hides all their replies and new casts, because only members' casts show in this channel.";
    return `${replies} ${hiding ?? "**Their existing casts stay visible.**"}`;
  }
  const casts = hiding
    ? `${hiding} **They can still post new ones, which stay visible.**`
    : "**Their other casts stay visible, and they can still post new ones.**";
  return `A ban hides all their replies, old and new. ${casts}`;
}

/** What stays when the ban ends: marked if the user has something to lose. */
export function describeEnd(lost: string | undefined): string {
  return lost === undefined ? lastsAfterBan : `**${describeAfterBan(lost)}**`;
}

/** What changes besides a ban that is in force. */
function describeOther(hiding: Ban["hiding"]): string {
  return hiding ? describeHiding(hiding) : "Nothing but the end changes.";
}

function refuseStaff({ botFid }: CommandContext, { channel, user }: Ban, { role }: Standing): void {
  if (role === "owner") throw new AppError("cannot_ban_owner", "The owner of a channel cannot be banned.");
  if (role !== "moderator" || channel.leadFid === botFid) return;
  const who = user.fid === botFid ? "Castellan itself" : describeUser(user);
  throw new AppError(
    "cannot_ban_moderator",
    `${who} moderates the channel. Only the channel's owner can ban a moderator on Farcaster, or remove the role first.`,
  );
}

/** The end of the ban, next to that of the existing one. */
async function describeBanEnd(
  context: CommandContext,
  { channel, user, forSeconds, onlyLonger }: Ban,
  { banned }: Standing,
): Promise<{ lines: string[]; step: BanStep; before?: number | null }> {
  const { database, clock, actor } = context;
  const wanted = typeof forSeconds === "number" ? clock.now() + forSeconds * 1000 : null;
  if (!banned) return { lines: [describeWish(context, forSeconds)], step: "ban" };
  const target = targetKey({ channelId: channel.id, kind: "ban", targetFid: user.fid });
  const found = await readStandingBan(database.query, target);
  const before = found?.untilMs ?? null;
  const by = found ? nameCase(found.by, { guildId: actor.guildId }) : "outside Castellan";
  const why = found?.reason == null ? [] : [`Reason: ${escapeText(found.reason)}`];
  const already = `The user is banned already, ${describeExpiry(before)} (${by}).`;
  if (forSeconds === "asked") {
    if (before === null && onlyLonger) {
      const change =
        found?.by.guildId === actor.guildId ? ` /case edit number:${by} changes when it ends.` : "";
      return { lines: [`${already}${change}`, ...why], step: "none" };
    }
    const choose = onlyLonger ? "Here you can only extend it." : "Choose another end, counted from now:";
    return { lines: [already, ...why, choose], step: "change_expiry", before };
  }
  const after = await readEndAfter(database.query, { target, guildId: actor.guildId }, wanted);
  if (after !== before)
    return { lines: describeNewEnd({ before, by, wanted, after }), step: "change_expiry", before };
  const stays =
    after !== wanted
      ? " That ban stays, because another server's ban does not end with this one."
      : found
        ? ""
        : " Castellan does not know about that ban and will not lift it. It stays until somebody does.";
  return { lines: [`${already}${stays}`, ...why], step: "none" };
}

interface NewEnd {
  /** UNIX milliseconds, null if permanent: the current end, the requested one, and the resulting one. */
  before: number | null;
  wanted: number | null;
  after: number | null;
  /** What makes the ban last until then. */
  by: string;
}

/** The end of a ban before and after the change. */
export function describeNewEnd({ before, wanted, after, by }: NewEnd): string[] {
  return [
    `Now: banned, ${describeExpiry(before)} (${by}).`,
    `Then: ${describeExpiry(after)}.`,
    ...(after === wanted ? [] : ["Another server's ban lasts longer and stays as it is."]),
    ...(after === null ? [] : ["Bans on Farcaster do not expire, so Castellan lifts it then."]),
  ];
}

export function describeExpiry(ms: number | null): string {
  return ms === null ? "permanently" : `until ${showEnd(ms)}`;
}

function showEnd(ms: number): string {
  return `${describeTime(ms / 1000, "f")} (${describeTime(ms / 1000)})`;
}

export function describeHiding({ hidden, visible }: NonNullable<Ban["hiding"]>): string {
  if (visible === 0) return "They have no visible casts of their own to hide.";
  if (hidden === visible) {
    const all = visible === 1 ? "Their 1 visible cast" : `All ${visible} visible casts of theirs`;
    return `${all} will be hidden as well.`;
  }
  return `The latest ${hidden} of their ${visible} visible casts will be hidden as well; **${visible - hidden} older ones stay**. Run the command again to hide the next ${Math.min(hidden, visible - hidden)}.`;
}

export function describeWish({ clock }: CommandContext, forSeconds: BanLength): string {
  if (forSeconds === "asked") return "For how long? Castellan lifts the ban when the time is over.";
  if (forSeconds === null) return "Permanently.";
  return `Until ${showEnd(clock.now() + forSeconds * 1000)}. Castellan lifts it then.`;
}
