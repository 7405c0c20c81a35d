import type { BotSettings } from "../../src/bot-context.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { isBanKind, type Case, type CaseKind } from "../../src/moderation/cases/case.ts";
import type { CaseEndings, CaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { describeOutcome } from "../../src/moderation/cases/outcome.ts";
import { readEvidence } from "../../src/observe/cast-body.ts";
import { describeUser } from "../../src/observe/people.ts";
import { colors } from "../../src/text/colors.ts";
import { describeReviewSource } from "../../src/text/review-sources.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { showDoer } from "../../src/text/show-doer.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { castLine, castLink, isSeen, showCast } from "../../src/text/show-cast.ts";
import { capitalize } from "../../src/text/capitalize.ts";
import type { CaseState } from "../../src/database/tables/case-states.ts";

const and = new Intl.ListFormat("en");

export const kindWords: Record<CaseKind, string> = {
  ban: "Ban",
  unban: "Unban",
  change_expiry: "Expiry change",
  invite: "Invite",
  revoke_invite: "Invite revocation",
  remove_member: "Removal",
  hide: "Hide",
  unhide: "Unhide",
  pin: "Pin",
  unpin: "Unpin",
};

export const stateWords: Record<Exclude<CaseState, "reverted">, string> = {
  requested: "not settled yet",
  applied: "done",
  already: "nothing to do",
  failed: "failed",
  outside: "done outside Castellan",
};

/** Words for an action that has ended since, by the kind of the case that ended it. */
const endedWords: Partial<Record<CaseKind, string>> = {
  ban: "lifted",
  hide: "shown again",
  unhide: "hidden again",
  invite: "taken back",
  change_expiry: "changed or lifted",
};

const stateColors: Record<CaseState, number> = {
  requested: colors.warning,
  applied: colors.good,
  already: colors.plain,
  failed: colors.bad,
  outside: colors.plain,
  reverted: colors.plain,
};

export function describeState({
  kind,
  state,
  hasExpired,
}: Pick<Case, "kind" | "state" | "hasExpired">): string {
  if (state === "reverted" && hasExpired) return "expired";
  return state === "reverted" ? `${endedWords[kind] ?? "undone"} since` : stateWords[state];
}

/** Who did it: "<@5>", "rule links (version 3)", "@mo (fid 7)". */
export function describeCaseActor(subject: Case, names: CaseLookups["names"]): string {
  if (subject.actorKind === "rule") {
    return `rule ${inlineCode(subject.ruleId ?? "")} (version ${subject.ruleVersion ?? "?"})`;
  }
  if (subject.endsCaseId !== null) return "Castellan, when it expired";
  if (subject.actorUser !== null) {
    const held = subject.ruleId === null ? "" : ` for ${describeReviewSource(subject.ruleId)}`;
    return `${showDoer(subject.actorUser, subject.actorToken)}${held}`;
  }
  const fid = subject.actorFid;
  return fid === null ? "somebody outside Castellan" : describeUser({ fid, name: names.get(fid) });
}

/** One line for lists: time, number, action, target, state. */
export function describeCaseLine(subject: Case, lookups: CaseLookups): string {
  const when = describeTime(subject.requestedAtMs / 1000);
  const number = showNumber("case", subject.number);
  const reason = subject.publicReason === null ? [] : [escapeText(subject.publicReason, 80)];
  const what = `**${number}** ${kindWords[subject.kind]} ${describeTarget(subject, lookups)}`.trimEnd();
  return [what, when, describeState(subject), ...describeEnd(subject, lookups, "R"), ...reason].join(" · ");
}

/** The target: a person or a cast. */
export function describeTarget(subject: Case, { names, casts }: CaseLookups): string {
  const { subjectFid: fid, targetCast: cast } = subject;
  const whom = fid === null ? "" : describeUser({ fid, name: names.get(fid) });
  if (cast === null) return whom;
  const body = casts.get(cast) ?? readEvidence(subject);
  const quote = inlineCode(body && isSeen(body) ? castLine(body, names, 60) : `${cast.slice(0, 10)}…`, 60);
  return whom === "" ? quote : `${whom}: ${quote}`;
}

/** The end of a ban in force, whatever its own case asked for; empty without an end. */
export function describeEnd(subject: Case, { bans }: CaseLookups, style: "R" | "f"): string[] {
  const { kind, state, dueAtMs: due } = subject;
  if (!isBanKind(kind) || state === "failed" || state === "reverted") return [];
  const show = (ms: number) => {
    const relative = describeTime(ms / 1000);
    return style === "R" ? relative : `${describeTime(ms / 1000, "f")} (${relative})`;
  };
  if (state === "requested") return due === null ? [] : [`to end ${show(due)}`];
  const standing = bans.get(subject.target);
  if (!standing) return [];
  const { by, untilMs } = standing;
  const through = by.id === subject.id ? "" : `, by ${nameCase(by, subject)}`;
  return [untilMs === null ? `permanently${through}` : `ends ${show(untilMs)}${through}`];
}

/** Other servers' numbers mean nothing here. */
export function nameCase(named: Case, beside: Pick<Case, "guildId">): string {
  return named.guildId === beside.guildId ? showNumber("case", named.number) : "another server's case";
}

/** The outcome; for an action that has ended since, the outcome at the time. */
function describeAnswer(subject: Case, by: Case | undefined, names: CaseLookups["names"]): string {
  if (subject.state !== "reverted") return `**${answerOf(subject)}**`;
  const ended =
    by && !subject.hasExpired
      ? `${endedWords[subject.kind] ?? "undone"} by ${describeCaseActor(by, names)}, ${nameCase(by, subject)}, ${describeTime(by.requestedAtMs / 1000)}`
      : describeState(subject);
  return `**${capitalize(ended)}.** At the time: ${answerOf(subject)}`;
}

/** The network's answer, or why there is none. */
export function answerOf(subject: Case): string {
  const { state, actorKind, actorFid, sentAtMs } = subject;
  const outcome = describeOutcome(subject);
  if (outcome !== null) return outcome;
  if (state === "requested") {
    return sentAtMs === null
      ? "Requested; not sent to the network yet."
      : "Requested; the network has not answered yet.";
  }
  if (actorKind === "outside") {
    return actorFid === null
      ? "Done outside Castellan. The network does not show who did it."
      : "Done outside Castellan.";
  }
  return `${stateWords[state === "reverted" ? "applied" : state]}.`;
}

/**
 * A whole case, beginning with its number, the network's answer below. An answer stays on the screen when the ban ends, and
 * cannot be edited after 15 minutes, so it says when a ban in force was read.
 */
export function describeCase(
  subject: Case,
  lookups: CaseLookups,
  { by, ended }: CaseEndings,
  { settings, nowMs }: { settings: BotSettings; nowMs: number },
): RoomEmbed {
  const { subjectFid: fid, targetCast: cast } = subject;
  const body = readEvidence(subject) ?? (cast === null ? undefined : lookups.casts.get(cast));
  const lines = [
    describeAnswer(subject, by, lookups.names),
    "",
    ...(fid === null
      ? []
      : [`${cast === null ? "User" : "Author"}: ${describeUser({ fid, name: lookups.names.get(fid) })}`]),
    ...(cast === null ? [] : [`Cast: ${castLink(settings.linkBase, cast)} ${inlineCode(cast)}`]),
    `Channel: /${subject.channelId}`,
    `By: ${describeCaseActor(subject, lookups.names)} ${describeTime(subject.requestedAtMs / 1000)}`,
    ...(ended.length === 0 ? [] : [`Ended: ${and.format(ended.map((one) => nameCase(one, subject)))}`]),
    ...(subject.publicReason === null ? [] : [`Reason: ${escapeText(subject.publicReason)}`]),
    ...(subject.privateReason === null ? [] : [`Note: ${escapeText(subject.privateReason)}`]),
    ...describeEnd(subject, lookups, "f").map(
      (end) =>
        `${subject.state === "requested" ? "Then" : `As of ${describeTime(nowMs / 1000)}`}: banned, ${end}`,
    ),
    ...(body && isSeen(body) ? [showCast(body, lookups.names)] : []),
  ];
  return {
    title: `${showNumber("case", subject.number)} · ${kindWords[subject.kind]} · ${describeState(subject)}`,
    description: lines.join("\n"),
    color: stateColors[subject.state],
  };
}
