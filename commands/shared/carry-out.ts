import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { applyCase } from "../../src/moderation/apply-case.ts";
import type { Case } from "../../src/moderation/case.ts";
import { nameOf } from "../../src/moderation/find-user.ts";
import { proposeCase, type Proposal } from "../../src/moderation/propose-case.ts";
import { describeCase } from "./describe.ts";

/** A proposal by the one who runs the command. */
export type Request = Omit<Proposal, "guildId" | "actor"> & { actorFid: number | undefined };

/** Writes the case, does it, and shows what came of it. */
export async function carryOut(context: CommandContext, request: Request): Promise<View> {
  const proposed = await context.database.transaction((tx) => propose(context, tx, request));
  return showCase(context, await applyCase(context, proposed.id));
}

export function propose(
  { clock, actor }: CommandContext,
  tx: Parameters<typeof proposeCase>[0],
  { actorFid, ...request }: Request,
): Promise<Case> {
  const { guildId, userId } = actor;
  return proposeCase(tx, clock, { ...request, guildId, actor: { userId, fid: actorFid } });
}

export async function showCase(context: CommandContext, subject: Case, ...notes: string[]): Promise<View> {
  const fid = subject.target_fid;
  const name = fid === null ? undefined : await nameOf(context, fid);
  const names = new Map(fid === null || name === undefined ? [] : [[fid, name]]);
  const embed = describeCase(subject, names, context.settings);
  return { embeds: [{ ...embed, description: [embed.description, ...notes].join("\n") }] };
}
