import { en } from "../../languages/en.ts";
import type { PostTexts } from "../../languages/posts/en.ts";
import { describeUser } from "../../observe/people.ts";
import { colors } from "../../text/colors.ts";
import { encodeCustomId } from "../../text/custom-id.ts";
import { sourceOf } from "../../text/review-sources.ts";
import { describeTime, escapeText, inlineCode, nameSome } from "../../text/message-text.ts";
import { castLine, castLink } from "../../text/show-cast.ts";
import type { RoomButton } from "../rooms.ts";
import { runButton } from "../run-button.ts";
import type { HeldAppeal, HeldReview, ReviewedChannel } from "./held-reviews.ts";
import { lines, listFirst, quoteBody, type Announcement } from "./phrases.ts";
import { showDoer, showUser } from "../../text/show-doer.ts";
import { showNumber } from "../../text/numbered.ts";
import { groupBy } from "../../group-by.ts";

const evidenceLength = 600;

/**
 * A review for people: its author, channels, reason and outcome. Reporters' names are only for moderators who may decide,
 * not for everyone who reads a room: `named` if one of them asks.
 */
export function describeReview(
  item: HeldReview,
  linkBase: string,
  named = false,
  texts: PostTexts = en.posts,
): Announcement {
  const { channels, queue, appeal, evidence, names, castHash } = item;
  const { review, cast, strikes } = texts;
  const [number, where] = [showNumber("review", item.id), listNames(channels, texts)];
  const came = describeTime(item.queuedAtMs / 1000);
  return {
    title: appeal ? review.appeal(number, where) : review.title(number, escapeText(queue, 40), where),
    description: lines(
      `${author(item, texts)} · ${appeal ? review.sent(came) : review.held(came)}`,
      ...describeOrigin(item, named, texts),
      review.earlier(describeAgainst(item.against, texts), strikes.points(item.points)),
      evidence === null ? [] : quoteBody(evidence, names, evidenceLength, texts),
      castHash === null ? [] : cast.at(castLink(linkBase, castHash, cast.link)),
      ...outcomesOf(item, texts),
      ...standing(item, texts),
    ),
    color: isOpen(item) ? colors.warning : colors.muted,
  };
}

/** The record against somebody: "1 hide, 2 bans"; "nothing". */
export function describeAgainst(
  against: readonly HeldReview["against"][number][],
  { cases: { against: words } }: PostTexts = en.posts,
): string {
  return against.map(({ kind, count }) => words[kind](count)).join(", ") || words.nothing;
}

function describeOrigin(item: HeldReview, named: boolean, texts: PostTexts): string[] {
  if (item.appeal) return describeAppeal(item.appeal, item, texts);
  return sourceOf(item.ruleId) === "report" ? describeReports(item, named, texts) : describeRule(item, texts);
}

/** The appeal's request; the author's own words follow below. */
function describeAppeal(appeal: HeldAppeal, item: HeldReview, texts: PostTexts): string[] {
  const { userId, number, kind, channelId, requestedAtMs, publicReason, cast, isOver } = appeal;
  const { review } = texts;
  const appeals = review[kind === "ban" ? "appealsBan" : "appealsHide"];
  const what = appeals(`<@${userId}>`, showNumber("case", number), channelId);
  const did = review.did(what, whoDid(appeal, texts), describeTime(requestedAtMs / 1000));
  return [
    publicReason === null ? did : `${did}: ${escapeText(publicReason, 200)}`,
    ...(cast === null
      ? []
      : [texts.cast.inOneLine(inlineCode(castLine(cast, item.names, 200, texts.cast.parts), 200))]),
    ...(isOpen(item) ? [isOver ? review.noLongerInForce : review.grantingWould(listActions(item))] : []),
  ];
}

function whoDid({ actorKind, actorUser, actorRule }: HeldAppeal, texts: PostTexts): string {
  if (actorKind === "rule") return texts.byRule(inlineCode(actorRule ?? "?", 64));
  return actorUser === null ? texts.review.fromOutside : texts.by(showUser(actorUser, texts.doers));
}

function describeRule(item: HeldReview, { review }: PostTexts): string[] {
  const { ruleId, ruleVersion, why, sentences } = item;
  const version = review.version(inlineCode(ruleId, 64), ruleVersion);
  const would = review[isOpen(item) ? "approveWould" : "ruleWanted"];
  return [
    why === null ? version : `${version}: ${escapeText(why, 300)}`,
    sentences.length === 0 ? review.onlyReview : would(listActions(item)),
  ];
}

function listActions({ sentences }: HeldReview): string {
  return sentences.map((sentence) => inlineCode(sentence, 80)).join(", ");
}

const maxReports = 8;

function describeReports({ id, reports }: HeldReview, named: boolean, { review }: PostTexts): string[] {
  const shown = reports.map(({ userId, reason }) =>
    review.report(
      named ? `<@${userId}>` : review.aMember,
      reason === null ? review.withoutReason : escapeText(reason, 150),
    ),
  );
  const command = `\`/review show number:${showNumber("review", id)}\``;
  return [
    review.reportedBy(reports.length),
    ...listFirst(shown, maxReports, review.moreReports),
    ...(named ? [] : [review.whoReported(command)]),
  ];
}

const maxNames = 5;

function listNames(channels: HeldReview["channels"], { andMore }: PostTexts): string {
  return nameSome(channels, maxNames, ({ name }) => escapeText(name, 64), andMore);
}

function author({ fid, name }: HeldReview, { someone }: PostTexts): string {
  return fid === null ? someone : describeUser({ fid, name });
}

function isOpen({ channels }: HeldReview): boolean {
  return channels.some(({ state }) => state === "open");
}

/** A line for each outcome, with the channels if they differ. */
function outcomesOf(item: HeldReview, texts: PostTexts): string[] {
  const { channels, undoneBy, appeal } = item;
  const { review, doers } = texts;
  // A granted appeal is approved, and one that is not granted is dismissed.
  const decided = appeal
    ? { ...review.decided, approved: review.granted, dismissed: review.declined }
    : review.decided;
  const same = groupBy(channels, ({ state, decidedBy, decidedToken }) =>
    state === "open" ? openWords(item, texts) : decided[state](showDoer(decidedBy, decidedToken, doers)),
  );
  const outcomes = [...same].map(([words, where]) =>
    same.size === 1 ? words : review.inChannels(listNames(where, texts), words),
  );
  return undoneBy === null ? outcomes : [...outcomes, review.undoneBy(`<@${undoneBy}>`)];
}

function openWords({ claimedBy, escalatedBy }: HeldReview, { review }: PostTexts): string {
  const handling = [
    ...(escalatedBy === null ? [] : [review.leftToOwner(`<@${escalatedBy}>`)]),
    ...(claimedBy === null ? [] : [review.claimedBy(`<@${claimedBy}>`)]),
  ];
  return handling.join(" ") || review.open;
}

/** What others have done meanwhile, while the review is still open. */
function standing(item: HeldReview, { review }: PostTexts): string[] {
  if (item.appeal) return [];
  const open = item.channels.filter(({ state }) => state === "open");
  const said = (words: (cases: string) => string, by: (channel: ReviewedChannel) => number | null) => {
    const where = open.flatMap((channel) => {
      const number = by(channel);
      if (number === null) return [];
      const shown = `**${showNumber("case", number)}**`;
      return [item.channels.length === 1 ? shown : review.caseIn(shown, escapeText(channel.name, 64))];
    });
    return where.length === 0 ? [] : [words(where.slice(0, maxNames).join(", "))];
  };
  return [
    ...said(review.hiddenAlready, ({ hiddenBy }) => hiddenBy),
    ...said(review.bannedAlready, ({ bannedBy }) => bannedBy),
  ];
}

/** Whether hiding the cast would change anything. */
function canHide({ castHash, channels }: HeldReview): boolean {
  return castHash !== null && channels.some(({ state, hiddenBy }) => state === "open" && hiddenBy === null);
}

/** The available decisions; once decided, an undo button. */
export function reviewButtons(
  item: HeldReview,
  { buttons: labels }: Pick<PostTexts, "buttons"> = en.posts,
): RoomButton[][] {
  const button = (choice: string, label: string, style: RoomButton["style"], seen?: number): RoomButton => ({
    customId: reviewButtonId(item.tag, choice, seen),
    label,
    style,
  });
  const undo = item.channels.some(({ state }) => state !== "open")
    ? [button("undo", labels.undo, "secondary", item.changes)]
    : [];
  if (!isOpen(item)) return [[...undo, ...inviteAgain(item, labels)]];
  const decisions = item.appeal
    ? [
        button("approve", item.appeal.kind === "ban" ? labels.lift : labels.showAgain, "success"),
        button("dismiss", labels.keep, "secondary"),
      ]
    : [
        ...(item.sentences.length > 0 ? [button("approve", labels.approve, "success")] : []),
        ...(canHide(item) ? [button("hide", labels.hide, "danger")] : []),
        ...(item.fid === null ? [] : [button("ban", labels.ban, "danger")]),
        button("dismiss", labels.dismiss, "secondary"),
      ];
  const handling = [
    item.claimedBy === null
      ? button("claim", labels.claim, "primary")
      : button("release", labels.release, "secondary"),
    ...(item.escalatedBy === null ? [button("escalate", labels.leaveToOwner, "secondary")] : []),
    ...undo,
  ];
  return [decisions, handling];
}

/** A ban that ends leaves its author restricted: an invite lets them in again. */
function inviteAgain({ appeal, channels, fid }: HeldReview, labels: PostTexts["buttons"]): RoomButton[] {
  if (appeal?.kind !== "ban" || fid === null || !channels.some(({ state }) => state === "approved"))
    return [];
  return [runButton(labels.inviteAgain, "invite", { user: String(fid), channel: appeal.channelId })];
}

/** `tag` identifies the review, `choice` the button's decision, which is about the review with `seen` changes. */
export function reviewButtonId(tag: string, choice: string, seen?: number): string {
  const words = [tag, choice, ...(seen === undefined ? [] : [String(seen)])];
  return encodeCustomId({ kind: "command", command: "review", words });
}
