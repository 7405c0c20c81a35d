import type { Tx } from "../../src/database/database.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { View } from "../../src/discord/view.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import type { Case } from "../../src/moderation/cases/case.ts";
import { readCaseEndings, readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { proposeCase, type Proposal } from "../../src/moderation/cases/propose.ts";
import { caseButtons } from "./leading-buttons.ts";
import { describeCase } from "./describe-case.ts";

/** Stores the case, carries it out, and shows the outcome. */
export async function runCase(
  context: CommandContext,
  request: Omit<Proposal, "guildId">,
  check: (tx: Tx) => Promise<void> = async () => {},
): Promise<View> {
  const { database, clock, actor } = context;
  const proposal = { ...request, guildId: actor.guildId };
  const proposed = await database.transaction(async (tx) => {
    await check(tx);
    return proposeCase(tx, clock, proposal);
  });
  return showDone(context, await applyCase(context, proposed.id));
}

/** The outcome of a new case, with buttons for the next steps. */
export async function showDone(context: CommandContext, subject: Case, ...notes: string[]): Promise<View> {
  return { ...(await showCase(context, subject, ...notes)), buttons: [caseButtons(subject)] };
}

export async function showCase(context: CommandContext, subject: Case, ...notes: string[]): Promise<View> {
  const { query } = context.database;
  const lookups = await readCaseLookups(query, [subject]);
  const endings = await readCaseEndings(query, subject);
  const fid = subject.subjectFid;
  const name = fid === null || lookups.names.has(fid) ? undefined : await findName(context, fid);
  const names = fid === null || name === undefined ? lookups.names : new Map([...lookups.names, [fid, name]]);
  const at = { settings: context.settings, nowMs: context.clock.now() };
  const embed = describeCase(subject, { ...lookups, names }, endings, at);
  return { embeds: [{ ...embed, description: [embed.description, ...notes].join("\n") }] };
}
