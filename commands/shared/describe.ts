import type { BotSettings } from "../../src/bot-context.ts";
import { colors } from "../../src/discord/view.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import type { Case, CaseKind, CaseState } from "../../src/moderation/case.ts";
import type { User } from "../../src/moderation/find-user.ts";
import { codeBlock, escapeText, inlineCode } from "../../src/text/escape.ts";

const kindWords: Record<CaseKind, string> = {
  ban: "Ban",
  unban: "Unban",
  invite: "Invite",
  revoke_invite: "Invite taken back",
  remove_member: "Removal",
  hide: "Hide",
  unhide: "Unhide",
  pin: "Pin",
  unpin: "Unpin",
};

const stateWords: Record<CaseState, string> = {
  requested: "not settled yet",
  applied: "done",
  already: "was so already",
  failed: "failed",
  outside: "done outside Castellan",
  reverted: "undone since",
};

const stateColors: Record<CaseState, number> = {
  requested: colors.warning,
  applied: colors.good,
  already: colors.plain,
  failed: colors.bad,
  outside: colors.plain,
  reverted: colors.plain,
};

export function describeUser({ fid, name }: User): string {
  return name === undefined ? `fid ${fid}` : `**@${escapeText(name)}** (fid ${fid})`;
}

/** A Discord timestamp that each reader sees in their own time. */
export function describeTime(seconds: number, style: "R" | "f" = "R"): string {
  return `<t:${Math.floor(seconds)}:${style}>`;
}

export function describeActor(subject: Case): string {
  if (subject.actor_kind === "rule") {
    return `rule ${inlineCode(subject.rule_id ?? "")} (version ${subject.rule_version ?? "?"})`;
  }
  if (subject.ends_case_id !== null) return "Castellan, as its time was over";
  if (subject.actor_user !== null) {
    const held = subject.rule_id === null ? "" : ` for rule ${inlineCode(subject.rule_id)}`;
    return `<@${subject.actor_user}>${held}`;
  }
  return subject.actor_fid === null ? "somebody outside Castellan" : `fid ${subject.actor_fid}`;
}

/** One line for lists: number, what, whom, how it stands. */
export function describeCaseLine(subject: Case, names: ReadonlyMap<number, string>): string {
  const when = describeTime(subject.requested_at_ms / 1000);
  const whom = describeTarget(subject, names);
  const reason = subject.public_reason === null ? "" : ` · ${escapeText(subject.public_reason, 80)}`;
  return `**#${subject.number}** ${kindWords[subject.kind]} ${whom} · ${stateWords[subject.state]} · ${when}${reason}`;
}

function describeTarget(subject: Case, names: ReadonlyMap<number, string>): string {
  const { target_fid: fid, target_cast: cast } = subject;
  if (fid !== null) return describeUser({ fid, name: names.get(fid) });
  return cast === null ? "" : inlineCode(`${cast.slice(0, 10)}…`);
}

/** A whole case, with its number first and the network's answer below. */
export function describeCase(
  subject: Case,
  names: ReadonlyMap<number, string>,
  settings: BotSettings,
): RoomEmbed {
  const { target_cast: cast, due_at_ms: due, evidence } = subject;
  const lines = [
    `**${subject.answer ?? "Asked for; the network has not answered yet."}**`,
    "",
    ...(subject.target_fid === null ? [] : [`Whom: ${describeTarget(subject, names)}`]),
    ...(cast === null ? [] : [`Cast: ${inlineCode(`${settings.linkBase}/~/conversations/${cast}`)}`]),
    `Channel: /${subject.channel_id}`,
    `By: ${describeActor(subject)} ${describeTime(subject.requested_at_ms / 1000)}`,
    ...(subject.public_reason === null ? [] : [`Reason: ${escapeText(subject.public_reason)}`]),
    ...(subject.private_reason === null ? [] : [`Note: ${escapeText(subject.private_reason)}`]),
    ...(due === null ? [] : [`Ends: ${describeTime(due / 1000, "f")} (${describeTime(due / 1000)})`]),
    ...(evidence === null ? [] : [codeBlock(evidence)]),
  ];
  return {
    title: `#${subject.number} · ${kindWords[subject.kind]} · ${stateWords[subject.state]}`,
    description: lines.join("\n"),
    color: stateColors[subject.state],
  };
}
