import { describeAgainst } from "../../src/feed/render/review.ts";
import { discordLimits } from "../../src/limits/discord-limits.ts";
import type { StandingBan } from "../../src/moderation/cases/standing-bans.ts";
import type { NameChange, PersonOnNetwork } from "../../src/moderation/person-on-network.ts";
import type { CastCounts } from "../../src/moderation/count-casts.ts";
import { describeUser } from "../../src/observe/people.ts";
import type { Place } from "../../src/moderation/person.ts";
import type { Marks } from "../../src/rules/verdicts/marks-of-person.ts";
import { amount } from "../../src/text/amount.ts";
import { describeReviewSource } from "../../src/text/review-sources.ts";
import { describeTime, escapeText, fitLinesOrCount, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { outcomeWords } from "../rule/describe-rule.ts";
import { describeHiddenCasts, describeWriter } from "../shared/describe-history.ts";

/** A person's role in one channel, and their history there. */
export function describePlace(
  { staff, since, invitedAs }: Place,
  guildId: string,
  known: {
    casts: CastCounts | undefined;
    ban: StandingBan | undefined;
    points: number;
    cases: Parameters<typeof describeAgainst>[0];
  },
): string {
  const { casts = { seen: 0, hidden: 0, hiddenByBan: 0 }, ban, points, cases } = known;
  const role =
    staff ?? (since.members === undefined ? "no role" : `member since ${describeTime(since.members, "f")}`);
  const lines = [
    role,
    ...(since.bans === undefined
      ? []
      : [`**banned** ${describeTime(since.bans)}${describeBan(ban, guildId)}`]),
    ...(since.restrictions === undefined ? [] : [`**restricted** ${describeTime(since.restrictions)}`]),
    ...(since.invites === undefined
      ? []
      : [`invited as ${invitedAs ?? "member"} ${describeTime(since.invites)}`]),
    `${amount(casts.seen, "cast")} seen, ${describeHiddenCasts(casts)}`,
    ...(points > 0 ? [`**${amount(points, "strike point")}**`] : []),
    ...(cases.length > 0 ? [`earlier: ${describeAgainst(cases)}`] : []),
  ];
  return lines.join("\n");
}

/** When a ban ends and its case; "" if Castellan has no record of it. */
function describeBan(ban: StandingBan | undefined, guildId: string): string {
  if (!ban) return "";
  const until = ban.untilMs === null ? ", permanently" : `, until ${describeTime(ban.untilMs / 1000, "f")}`;
  if (ban.by.guildId !== guildId) return `${until}, by another server`;
  const reason = ban.reason === null ? "" : `: ${escapeText(ban.reason, 80)}`;
  return `${until} (${showNumber("case", ban.by.number)})${reason}`;
}

/** Names, accounts and blocks; and which of these the network did not answer. */
export function describeNetwork(
  fid: number,
  person: PersonOnNetwork,
  blockers: ReadonlyMap<number, string>,
): string[] {
  const { names, accounts, blocks, blockedBy, unanswered } = person;
  return [
    ...(names && names.length > 0 ? [describeNames(fid, names)] : []),
    ...(accounts && accounts.length > 0
      ? [
          `Verified: ${accounts.map(({ platform, username }) => `${platform} ${inlineCode(username, 40)}`).join(", ")}`,
        ]
      : []),
    ...(blocks && blocks.count > 0
      ? [`Blocks ${blocks.more ? "more than " : ""}${amount(blocks.count, "user")}.`]
      : []),
    ...(blockedBy && blockedBy.length > 0
      ? [
          `**Blocked by** ${blockedBy.map((blocker) => describeUser({ fid: blocker, name: blockers.get(blocker) })).join(", ")}, who owns a channel here.`,
        ]
      : []),
    ...(unanswered.length > 0 ? [`The network did not answer: ${unanswered.join(", ")}.`] : []),
  ];
}

/** A person's names in the registry, each with its dates. */
function describeNames(fid: number, changes: readonly NameChange[]): string {
  const parts = changes.map(({ name, from, to, at }) => {
    const shown = inlineCode(`@${name}`, 40);
    const other = to === fid ? from : to;
    const whose = other === 0 ? "" : ` ${to === fid ? "from" : "to"} fid ${other}`;
    return `${shown} ${to === fid ? "since" : "given up"} ${describeTime(at, "f")}${whose}`;
  });
  return `Names: ${fitLinesOrCount(parts.toReversed(), 700).replaceAll("\n", " · ")}`;
}

/** Verdicts of rules, and reviews. */
export function describeSaid(fid: number, marks: Marks): { name: string; value: string }[] {
  const { strikes, allStrikes, notes, allNotes, openReviews, reviews, verdicts } = marks;
  const decided = reviews.filter(({ state }) => state !== "open");
  const open = reviews.find(({ state }) => state === "open")?.reviews ?? 0;
  const lines = [
    ...openReviews.map(
      ({ id, channelId, ruleId, queuedAtMs }) =>
        `**${showNumber("review", id)} waits** in /${channelId}: ${describeReviewSource(ruleId)} ${describeTime(queuedAtMs / 1000)}`,
    ),
    ...(open > openReviews.length
      ? [`${openReviews.length} of ${open} open reviews: /review show lists all.`]
      : []),
    ...(decided.length > 0
      ? [`Reviews decided: ${decided.map(({ state, reviews }) => `${reviews} ${state}`).join(", ")}`]
      : []),
    ...strikes.map(describeStrike),
    ...(allStrikes > strikes.length ? [`${strikes.length} of ${allStrikes} strikes that count.`] : []),
    ...notes.map(
      (note) => `Note in /${note.channel_id} of ${describeWriter(note)}: ${escapeText(note.text, 150)}`,
    ),
    ...(allNotes > notes.length
      ? [`${notes.length} of ${allNotes} notes: </note> user:${fid} shows all of a channel.`]
      : []),
    ...verdicts.map(
      ({ channelId, ruleId, outcome, action, eventId, evaluatedAtMs }) =>
        `Rule ${inlineCode(ruleId, 40)} in /${channelId} ${describeTime(evaluatedAtMs / 1000)}: ${escapeText(action, 60)}, ${outcomeWords[outcome]} (${showNumber("event", eventId)})`,
    ),
  ];
  return lines.length === 0
    ? []
    : [{ name: "Rules and moderators", value: fitLinesOrCount(lines, discordLimits.fieldValue) }];
}

/** One that counts, with the number by which /undo removes it. */
function describeStrike(strike: Marks["strikes"][number]): string {
  const { id, points, channel_id, rule_id, given_by, given_at_ms, reason, expires_at_ms: end } = strike;
  const by = rule_id === null ? `<@${given_by}>` : `rule ${inlineCode(rule_id, 40)}`;
  const parts = [
    `**${showNumber("strike", id)}** ${amount(points, "point")} in /${channel_id}`,
    describeTime(given_at_ms / 1000),
    `by ${by}`,
    ...(reason === null ? [] : [escapeText(reason, 100)]),
    ...(end === null ? [] : [`counts until ${describeTime(end / 1000, "f")}`]),
  ];
  return parts.join(" · ");
}
