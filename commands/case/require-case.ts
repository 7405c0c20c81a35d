import type { CommandContext } from "../../src/discord/command-context.ts";
import { ChoiceNeeded } from "../../src/discord/choices.ts";
import { AppError } from "../../src/errors.ts";
import { authorize, listRights } from "../../src/moderation/authorize.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import { findCase, listNumbered, type Case } from "../../src/moderation/cases/case.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { neededFor } from "../../src/moderation/capabilities.ts";
import { describeState, kindWords } from "../shared/describe-case.ts";
import { chooseChannel } from "../shared/options.ts";
import { findClearChannel } from "../shared/suggestions.ts";

/**
 * The channel of the case with this number: the given channel or the one that need not be named, if it has one, otherwise
 * any that the actor may view. Throws `invalid_input` if there is none, ChoiceNeeded if several channels have one.
 */
export async function chooseChannelOfCase(
  context: CommandContext,
  given: string | undefined,
  number: number,
): Promise<string> {
  if (given !== undefined) return chooseChannel(context, given);
  const { query } = context.database;
  const { guildId } = context.actor;
  const clear = await findClearChannel(context, await listLinkedChannels(context, guildId));
  if (clear !== undefined && (await findCase(query, { guildId, channelId: clear, number }))) return clear;
  const viewed = [...(await listRights(context, context.actor))].flatMap(([channelId, held]) =>
    held.includes("view") ? [channelId] : [],
  );
  const found = await listNumbered(query, guildId, viewed, [number]);
  const [only, another] = found;
  if (another) throw askWhichCase(number, found);
  if (only) return only.channelId;
  if (viewed.every((channelId) => channelId === clear)) return chooseChannel(context, clear);
  throw new AppError(
    "invalid_input",
    `There is no case ${showNumber("case", number)} in the channels that you may view.`,
  );
}

function askWhichCase(number: number, found: readonly Case[]): ChoiceNeeded {
  const shown = showNumber("case", number);
  const channels = found.map(({ channelId }) => `/${channelId}`).join(", ");
  return new ChoiceNeeded(
    `Several channels have a case ${shown}. Which one?`,
    found.map((subject) => ({
      label: `/${subject.channelId}`,
      description: `${kindWords[subject.kind]}, ${describeState(subject)}`,
      raw: { channel: subject.channelId },
    })),
    `Several channels have a case ${shown}: ${channels}. Choose one with the channel option.`,
  );
}

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
