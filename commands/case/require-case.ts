import type { CommandContext } from "../../src/discord/command-context.ts";
import { AppError } from "../../src/errors.ts";
import { authorize, listRights } from "../../src/moderation/authorize.ts";
import { findCase, type Case } from "../../src/moderation/cases/case.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { neededFor } from "../../src/moderation/capabilities.ts";

/** A case of this server, by its number, for whoever may look. Throws `invalid_input`, and as `authorize` does. */
export async function requireCase(context: CommandContext, channelId: string, number: number): Promise<Case> {
  await authorize(context, context.actor, channelId, "view");
  const { guildId } = context.actor;
  const subject = await findCase(context.database.query, { guildId, channelId, number });
  if (subject) return subject;
  throw new AppError("invalid_input", `There is no case ${showNumber("case", number)} in /${channelId}.`);
}

/** The same. Throws `not_allowed` unless the actor has the right that the case's action needs, and may so edit it. */
export async function requireEditable(
  context: CommandContext,
  channelId: string,
  number: number,
): Promise<Case> {
  const { guildId } = context.actor;
  const subject = await findCase(context.database.query, { guildId, channelId, number });
  if (!subject) return requireCase(context, channelId, number);
  await authorize(context, context.actor, channelId, neededFor[subject.kind]);
  return subject;
}

/** Whether the actor may edit it, as far as is known; the edit itself checks again. */
export async function mayEdit(context: CommandContext, { channelId, kind }: Case): Promise<boolean> {
  const rights = await listRights(context, context.actor);
  return rights.get(channelId)?.includes(neededFor[kind]) ?? false;
}
