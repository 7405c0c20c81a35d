import {
  MessageFlags,
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  type ModalSubmitInteraction,
} from "discord.js";
import type { BotContext } from "../bot-context.ts";
import { AppError, asAppError } from "../errors.ts";
import type { Rooms } from "../feed/rooms.ts";
import type { AppendEvents } from "../observe/append-events.ts";
import type { RuleThreads } from "../rules/threads/rule-threads.ts";
import { findHandler, type Aside, type Command, type CommandContext } from "./command.ts";
import { describeError } from "./describe-error.ts";
import { latestOnly } from "./latest-only.ts";
import { fitChoices } from "./limits.ts";
import type { RawValue, RawValues } from "./option.ts";
import { readScope } from "./read-actor.ts";
import { openForm, reopenForm, runForm } from "./run-form.ts";
import { runButton, runHandler } from "./run-handler.ts";
import { showForm, typedIn } from "./show-form.ts";
import { showView } from "./show-view.ts";
import { toReply, type View } from "./view.ts";

export interface DispatchContext extends BotContext {
  appendEvents: AppendEvents;
  rooms: Rooms;
  ruleThreads: RuleThreads;
  commands: readonly Command[];
}

/** Milliseconds after which Discord takes no first answer any more. */
const answerable = 3000;

/**
 * Answers interactions, whatever goes wrong: acknowledged at once, run, replied to. Never throws. Discord asks for
 * suggestions at every keystroke: for one person they are looked up one at a time, and what was typed over before its turn
 * came is not answered, for an empty answer would say that nothing was found.
 */
export function createDispatch(context: DispatchContext): (interaction: Interaction) => Promise<void> {
  const latest = latestOnly();
  return async (interaction) => {
    if (!interaction.isAutocomplete()) return dispatch(context, interaction);
    const came = context.clock.monotonic();
    await latest(interaction.user.id, async () => {
      if (context.clock.monotonic() - came < answerable) await suggest(context, interaction);
    });
  };
}

async function dispatch(context: DispatchContext, interaction: Interaction): Promise<void> {
  if (interaction.isChatInputCommand()) {
    const path = pathOf(interaction);
    const handler = findHandler(context.commands, path);
    if (handler?.kind === "form") {
      return showForm(context, interaction, path, (scope) =>
        openForm(scope, path, handler, rawValues(interaction)),
      );
    }
    return answer(context, interaction, path, async (scope) => {
      if (!handler) throw new AppError("invalid_input", `There is no command /${path} any more.`);
      return runHandler(scope, path, handler, rawValues(interaction));
    });
  }
  const find = (path: string) => findHandler(context.commands, path);
  if (interaction.isModalSubmit()) {
    return answer(context, interaction, interaction.customId, (scope) =>
      runForm(scope, find, interaction.customId, typedIn(interaction)),
    );
  }
  if (interaction.isButton() && interaction.customId.startsWith("form:")) {
    return showForm(context, interaction, interaction.customId, (scope) =>
      reopenForm(scope, interaction.customId),
    );
  }
  if (interaction.isButton()) {
    const [name, ...words] = interaction.customId.split(":");
    const press = context.commands.find((command) => command.name === name)?.press;
    if (press) {
      return answer(context, interaction, interaction.customId, (scope) => press(scope, words), true);
    }
    return answer(context, interaction, interaction.customId, (scope) =>
      runButton(scope, find, interaction.customId),
    );
  }
}

async function answer(
  context: DispatchContext,
  interaction: ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Aside>,
  inRoom = false,
): Promise<void> {
  try {
    // Discord waits three seconds for this; whatever takes longer comes after it.
    if (interaction.isButton()) await interaction.deferUpdate();
    else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  } catch (error) {
    // The interaction is gone, or Discord cannot be reached: there is nobody left to tell, and nothing is done.
    context.log.error({ err: error, what }, "an interaction could not be answered");
    return;
  }
  const { aside, ...shown } = await viewOrError(context, interaction, what, run);
  const beside = (view: View) => interaction.followUp({ ...toReply(view), flags: MessageFlags.Ephemeral });
  const inPlace = (view: View) => interaction.editReply(toReply(view));
  // What stands in a room for everybody is not replaced by one person's mistake.
  const put = aside || (shown.failed && inRoom) ? beside : inPlace;
  await showView(context, what, shown, put, inRoom ? beside : put);
}

async function viewOrError(
  context: DispatchContext,
  interaction: ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Aside>,
): Promise<{ view: View; aside: boolean; failed: boolean }> {
  try {
    const tellProgress = async (view: View) => {
      await interaction.editReply(toReply(view)).catch((error: unknown) => {
        context.log.warn({ err: error, what }, "progress could not be shown");
      });
    };
    const view = await run({ ...context, ...readScope(interaction), tellProgress });
    if ("aside" in view) return { view: view.aside, aside: true, failed: false };
    return { view, aside: false, failed: false };
  } catch (error) {
    // A second click must not replace what the first one's answer says.
    const aside = asAppError(error, "already_answered") !== undefined;
    return { view: describeError(context, error, what), aside, failed: true };
  }
}

async function suggest(context: DispatchContext, interaction: AutocompleteInteraction): Promise<void> {
  const path = pathOf(interaction);
  try {
    const { name, value } = interaction.options.getFocused(true);
    const suggestFor = findHandler(context.commands, path)?.options[name]?.suggest;
    const scope = { ...context, ...readScope(interaction), tellProgress: async () => {} };
    const choices = (await suggestFor?.(value, scope, rawValues(interaction))) ?? [];
    await interaction.respond(fitChoices(choices));
  } catch (error) {
    context.log.warn({ err: error, path }, "no suggestions");
    await interaction.respond([]).catch((failure: unknown) => {
      context.log.warn({ err: failure, path }, "the empty suggestions were refused");
    });
  }
}

function pathOf(interaction: ChatInputCommandInteraction | AutocompleteInteraction): string {
  const subcommand = interaction.options.getSubcommand(false);
  return subcommand === null ? interaction.commandName : `${interaction.commandName} ${subcommand}`;
}

function rawValues(interaction: ChatInputCommandInteraction | AutocompleteInteraction): RawValues {
  const [first] = interaction.options.data;
  const options = first?.options ?? interaction.options.data;
  const values: Record<string, RawValue> = {};
  for (const { name, value, attachment } of options) {
    if (attachment) values[name] = { name: attachment.name, size: attachment.size, url: attachment.url };
    else if (value !== undefined) values[name] = value;
  }
  return values;
}
