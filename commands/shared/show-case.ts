import type { BotSettings } from "../../src/bot-context.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import type { Case, CaseKind, CaseState } from "../../src/moderation/cases/case.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { proposeCase, type Proposal } from "../../src/moderation/cases/propose.ts";
import { describeUser } from "../../src/observe/people.ts";
import { colors } from "../../src/text/colors.ts";
import { codeBlock, describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";

/** Writes the case, does it, and shows what came of it. */
export async function carryOut(context: CommandContext, request: Omit<Proposal, "guildId">): Promise<View> {
  const { database, clock, actor } = context;
  const proposal = { ...request, guildId: actor.guildId };
  const proposed = await database.transaction((tx) => proposeCase(tx, clock, proposal));
  return showCase(context, await applyCase(context, proposed.id));
}

export async function showCase(context: CommandContext, subject: Case, ...notes: string[]): Promise<View> {
  const fid = subject.targetFid;
  const name = fid === null ? undefined : await findName(context, fid);
  const names = new Map(fid === null || name === undefined ? [] : [[fid, name]]);
  const embed = describeCase(subject, names, context.settings);
  return { embeds: [{ ...embed, description: [embed.description, ...notes].join("\n") }] };
}

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
  already: "was already so",
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

/** Who did it: "<@5>", "rule links (version 3)", "fid 7". */
export function describeCaseActor(subject: Case): string {
  if (subject.actorKind === "rule") {
    return `rule ${inlineCode(subject.ruleId ?? "")} (version ${subject.ruleVersion ?? "?"})`;
  }
  if (subject.endsCaseId !== null) return "Castellan, when its time was up";
  if (subject.actorUser !== null) {
    const held = subject.ruleId === null ? "" : ` for rule ${inlineCode(subject.ruleId)}`;
    return `<@${subject.actorUser}>${held}`;
  }
  return subject.actorFid === null ? "somebody outside Castellan" : `fid ${subject.actorFid}`;
}

/** One line for lists: number, what, whom, how it stands. */
export function describeCaseLine(subject: Case, names: ReadonlyMap<number, string>): string {
  const when = describeTime(subject.requestedAtMs / 1000);
  const whom = describeTarget(subject, names);
  const reason = subject.publicReason === null ? "" : ` · ${escapeText(subject.publicReason, 80)}`;
  return `**${showNumber("case", subject.number)}** ${kindWords[subject.kind]} ${whom} · ${stateWords[subject.state]} · ${when}${reason}`;
}

function describeTarget(subject: Case, names: ReadonlyMap<number, string>): string {
  const { targetFid: fid, targetCast: cast } = subject;
  if (fid !== null) return describeUser({ fid, name: names.get(fid) });
  return cast === null ? "" : inlineCode(`${cast.slice(0, 10)}…`);
}

/** A whole case, with its number first and the network's answer below. */
function describeCase(subject: Case, names: ReadonlyMap<number, string>, settings: BotSettings): RoomEmbed {
  const { targetCast: cast, dueAtMs: due, evidence } = subject;
  const lines = [
    `**${subject.answer ?? "Requested; the network has not answered yet."}**`,
    "",
    ...(subject.targetFid === null ? [] : [`Whom: ${describeTarget(subject, names)}`]),
    ...(cast === null ? [] : [`Cast: ${inlineCode(`${settings.linkBase}/~/conversations/${cast}`)}`]),
    `Channel: /${subject.channelId}`,
    `By: ${describeCaseActor(subject)} ${describeTime(subject.requestedAtMs / 1000)}`,
    ...(subject.publicReason === null ? [] : [`Reason: ${escapeText(subject.publicReason)}`]),
    ...(subject.privateReason === null ? [] : [`Note: ${escapeText(subject.privateReason)}`]),
    ...(due === null ? [] : [`Ends: ${describeTime(due / 1000, "f")} (${describeTime(due / 1000)})`]),
    ...(evidence === null ? [] : [codeBlock(evidence)]),
  ];
  return {
    title: `${showNumber("case", subject.number)} · ${kindWords[subject.kind]} · ${stateWords[subject.state]}`,
    description: lines.join("\n"),
    color: stateColors[subject.state],
  };
}
