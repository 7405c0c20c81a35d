import type { CaseKind } from "../../database/tables/bot.ts";
import { describeUser } from "../../observe/people.ts";
import { amount } from "../../text/amount.ts";
import { colors } from "../../text/colors.ts";
import { encodeCustomId } from "../../text/custom-id.ts";
import { sourceOf } from "../../text/review-sources.ts";
import { describeTime, escapeText, inlineCode, nameSome } from "../../text/message-text.ts";
import { castLine, castLink, showCast } from "../../text/show-cast.ts";
import type { RoomButton } from "../rooms.ts";
import { runButton } from "../run-button.ts";
import type { HeldAppeal, HeldReview, ReviewedChannel } from "./held-reviews.ts";
import { lines, type Announcement } from "./phrases.ts";
import { showDoer, showUser } from "../../text/show-doer.ts";
import { showNumber } from "../../text/numbered.ts";
import { groupBy } from "../../group-by.ts";

const evidenceLength = 600;

/**
 * A review for people: its author, channels, reason and outcome. Reporters' names are only for moderators who may decide,
 * not for everyone who reads a room: `named` if one of them asks.
 */
export function describeReview(item: HeldReview, linkBase: string, named = false): Announcement {
  const { channels, queue, evidence, names, castHash } = item;
  return {
    title: `Review ${showNumber("review", item.id)} · ${escapeText(queue, 40)} · ${listNames(channels)}`,
    description: lines(
      `${author(item)} · held ${describeTime(item.queuedAtMs / 1000)}`,
      ...describeOrigin(item, named),
      `Earlier: ${describeAgainst(item.against)} · ${amount(item.points, "strike point")}`,
      evidence === null ? [] : showCast(evidence, names, evidenceLength),
      castHash === null ? [] : `The cast ${castLink(linkBase, castHash)}`,
      ...outcomesOf(item),
      ...standing(item),
    ),
    color: isOpen(item) ? colors.warning : colors.muted,
  };
}

/** The record against somebody: "1 hide, 2 bans"; "nothing". */
export function describeAgainst(against: readonly { kind: CaseKind; count: number }[]): string {
  if (against.length === 0) return "nothing";
  return against.map(({ kind, count }) => amount(count, againstWords[kind] ?? kind)).join(", ");
}
const againstWords: Partial<Record<CaseKind, string>> = { remove_member: "removal" };

function describeOrigin(item: HeldReview, named: boolean): string[] {
  if (item.appeal) return describeAppeal(item.appeal, item);
  return sourceOf(item.ruleId) === "report" ? describeReports(item, named) : describeRule(item);
}

/** The appeal's request; the author's own words follow below. */
function describeAppeal(appeal: HeldAppeal, item: HeldReview): string[] {
  const { userId, number, kind, channelId, requestedAtMs, publicReason, cast, isOver } = appeal;
  const what = kind === "ban" ? "the ban" : "that a cast is hidden";
  const reason = publicReason === null ? "" : `: ${escapeText(publicReason, 200)}`;
  return [
    `<@${userId}> appeals against ${what}: case **${showNumber("case", number)}** in /${channelId}, ${whoDid(appeal)} ${describeTime(requestedAtMs / 1000)}${reason}`,
    ...(cast === null ? [] : [`The cast: ${inlineCode(castLine(cast, item.names, 200), 200)}`]),
    ...(isOpen(item)
      ? [isOver ? "**It is no longer in force.**" : `Granting it would: ${listActions(item)}`]
      : []),
  ];
}

function whoDid({ actorKind, actorUser, actorRule }: HeldAppeal): string {
  if (actorKind === "rule") return `by rule ${inlineCode(actorRule ?? "?", 64)}`;
  return actorUser === null ? "from outside Castellan" : `by ${showUser(actorUser)}`;
}

function describeRule(item: HeldReview): string[] {
  const { ruleId, ruleVersion, why, sentences } = item;
  const asked = isOpen(item) ? "Approve would" : "The rule asked to";
  return [
    `Rule ${inlineCode(ruleId, 64)}, version ${ruleVersion}${why === null ? "" : `: ${escapeText(why, 300)}`}`,
    sentences.length === 0 ? "The rule only asks for a review." : `${asked}: ${listActions(item)}`,
  ];
}

function listActions({ sentences }: HeldReview): string {
  return sentences.map((sentence) => inlineCode(sentence, 80)).join(", ");
}

const maxReports = 8;

function describeReports({ id, reports }: HeldReview, named: boolean): string[] {
  const shown = reports.slice(0, maxReports).map(({ userId, reason }) => {
    const said = reason === null ? "without a reason" : escapeText(reason, 150);
    return `- ${named ? `<@${userId}>` : "A member"}: ${said}`;
  });
  const rest = reports.length > maxReports ? [`- and ${reports.length - maxReports} more`] : [];
  const who = named
    ? []
    : [`\`/review show number:${showNumber("review", id)}\` names them to moderators who may decide.`];
  return [`Reported by ${amount(reports.length, "member")}.`, ...shown, ...rest, ...who];
}

const maxNames = 5;

function listNames(channels: HeldReview["channels"]): string {
  return nameSome(channels, maxNames, ({ name }) => escapeText(name, 64));
}

function author({ fid, name }: HeldReview): string {
  return fid === null ? "someone unknown" : describeUser({ fid, name });
}

function isOpen({ channels }: HeldReview): boolean {
  return channels.some(({ state }) => state === "open");
}

/** A line for each outcome, with the channels if they differ. */
function outcomesOf(item: HeldReview): string[] {
  const { channels, claimedBy, escalatedBy, undoneBy } = item;
  const same = groupBy(channels, ({ state, decidedBy, decidedToken }) =>
    state === "open"
      ? openWords(claimedBy, escalatedBy)
      : `${(item.appeal ? answered[state] : undefined) ?? decided[state]} by ${showDoer(decidedBy, decidedToken)}.`,
  );
  const outcomes = [...same].map(([words, where]) =>
    same.size === 1 ? words : `${listNames(where)}: ${words}`,
  );
  return undoneBy === null ? outcomes : [...outcomes, `An earlier decision was undone by <@${undoneBy}>.`];
}

function openWords(claimedBy: string | null, escalatedBy: string | null): string {
  const owner = escalatedBy === null ? "" : `Left to the channel's owner by <@${escalatedBy}>. `;
  if (claimedBy !== null) return `${owner}<@${claimedBy}> is reviewing it.`;
  return owner === "" ? "Open." : owner.trim();
}

/** What others have done meanwhile, while the review is still open. */
function standing(item: HeldReview): string[] {
  if (item.appeal) return [];
  const open = item.channels.filter(({ state }) => state === "open");
  const said = (what: string, by: (channel: ReviewedChannel) => number | null) => {
    const where = open.flatMap((channel) => {
      const number = by(channel);
      if (number === null) return [];
      const there = item.channels.length === 1 ? "" : ` in ${escapeText(channel.name, 64)}`;
      return [`**${showNumber("case", number)}**${there}`];
    });
    return where.length === 0 ? [] : [`${what} already: ${where.slice(0, maxNames).join(", ")}.`];
  };
  return [
    ...said("The cast is hidden", ({ hiddenBy }) => hiddenBy),
    ...said("The author is banned", ({ bannedBy }) => bannedBy),
  ];
}

/** Whether hiding the cast would change anything. */
function canHide({ castHash, channels }: HeldReview): boolean {
  return castHash !== null && channels.some(({ state, hiddenBy }) => state === "open" && hiddenBy === null);
}

const decided: Record<Exclude<ReviewedChannel["state"], "open">, string> = {
  approved: "Approved",
  hidden: "Hidden",
  banned: "Banned",
  dismissed: "Dismissed: nothing was done,",
};

/** The same for appeals. */
const answered: Partial<typeof decided> = {
  approved: "Granted",
  dismissed: "Not granted",
};

/** The available decisions; once decided, an undo button. */
export function reviewButtons(item: HeldReview): RoomButton[][] {
  const button = (choice: string, label: string, style: RoomButton["style"], seen?: number): RoomButton => ({
    customId: reviewButtonId(item.tag, choice, seen),
    label,
    style,
  });
  const undo = item.channels.some(({ state }) => state !== "open")
    ? [button("undo", "Undo", "secondary", item.changes)]
    : [];
  if (!isOpen(item)) return [[...undo, ...inviteAgain(item)]];
  const decisions = item.appeal
    ? [
        button("approve", item.appeal.kind === "ban" ? "Lift" : "Show again", "success"),
        button("dismiss", "Keep", "secondary"),
      ]
    : [
        ...(item.sentences.length > 0 ? [button("approve", "Approve", "success")] : []),
        ...(canHide(item) ? [button("hide", "Hide", "danger")] : []),
        ...(item.fid === null ? [] : [button("ban", "Ban", "danger")]),
        button("dismiss", "Dismiss", "secondary"),
      ];
  const handling = [
    item.claimedBy === null ? button("claim", "Claim", "primary") : button("release", "Release", "secondary"),
    ...(item.escalatedBy === null ? [button("escalate", "Leave to the owner", "secondary")] : []),
    ...undo,
  ];
  return [decisions, handling];
}

/** A ban that ends leaves its author restricted: an invite lets them in again. */
function inviteAgain({ appeal, channels, fid }: HeldReview): RoomButton[] {
  if (appeal?.kind !== "ban" || fid === null || !channels.some(({ state }) => state === "approved"))
    return [];
  return [runButton("Invite again", "invite member", { user: String(fid), channel: appeal.channelId })];
}

/** `tag` identifies the review, `choice` the button's decision, which is about the review with `seen` changes. */
export function reviewButtonId(tag: string, choice: string, seen?: number): string {
  const words = [tag, choice, ...(seen === undefined ? [] : [String(seen)])];
  return encodeCustomId({ kind: "command", command: "review", words });
}
