import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type {
  AutocompleteInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  ContextMenuCommandInteraction,
  Interaction,
  ModalSubmitInteraction,
  StringSelectMenuInteraction,
} from "discord.js";
import { TranslatedError } from "../languages/translated-error.ts";
import { textsFor } from "../languages/languages.ts";
import { traced } from "../spans.ts";
import { decodeCustomId } from "../text/custom-id.ts";
import { findUnstorable } from "../text/storable.ts";
import {
  answeredElsewhere,
  answerWithForm,
  answerWithView,
  isOthers,
  type AnsweringContext,
} from "./answer-interaction.ts";
import { toCommandContext, type CommandContext } from "./command-context.ts";
import type { Command, RawValue, RawValues } from "./command.ts";
import { findButtons, findHandler, listHandlers, toCurrent } from "./find-handler.ts";
import { openForm, reopenForm, runForm } from "./forms.ts";
import { readLateAnswer } from "./late-answer.ts";
import {
  findMenuCommand,
  openMenuForm,
  readTarget,
  runMenuCommand,
  type MenuCommand,
} from "./menu-command.ts";
import { runButton, runChoice, runHandler, typeOptions } from "./run-command.ts";
import { fitChoices } from "./view.ts";

export interface DispatchSettings extends Omit<AnsweringContext, "answering" | "texts"> {
  commands: readonly Command[];
  /** The commands in the menus of messages and people. */
  menuCommands?: readonly MenuCommand[];
}

type DispatchContext = DispatchSettings & AnsweringContext;

/** Milliseconds after which Discord no longer accepts a first answer. */
const answerable = 3000;
/**
 * Milliseconds that a process leaves to the others: a standby to the one whose turn it is, and one that is not ready to all of
 * them. If nobody has answered by then, it does.
 */
const headStart = { standby: 500, notReady: 1_000 };

/**
 * Answers interactions in all cases: acknowledges, runs and replies. Never throws. Discord requests suggestions at
 * every keystroke. For each person they are looked up one at a time. Outdated input is not answered, because an empty
 * answer would mean that nothing was found.
 */
export function createDispatch(settings: DispatchSettings): (interaction: Interaction) => Promise<void> {
  const latest = latestOnly();
  const paths = new Set(listHandlers(settings.commands).map(([path]) => path));
  return async (interaction) => {
    const id = randomBytes(4).toString("hex");
    const answering = { id, command: nameCommand(interaction, paths), began: settings.clock.monotonic() };
    const texts = textsFor(interaction.locale);
    const attributes = { "castellan.interaction": id };
    return traced({ name: `interaction ${answering.command}`, attributes }, () => {
      const log = settings.log.child({ interaction: id });
      return answer({ ...settings, answering, texts, log }, interaction, latest);
    });
  };
}

async function answer(
  context: DispatchContext,
  interaction: Interaction,
  latest: ReturnType<typeof latestOnly>,
): Promise<void> {
  const others = await headStartOfOthers(context, interaction.guildId);
  if (others > 0) await sleep(others);
  if (textsOf(interaction).some((text) => findUnstorable(text) >= 0))
    return refuseUnstorable(context, interaction);
  if (interaction.isChatInputCommand()) return answerCommand(context, interaction);
  if (interaction.isButton()) return answerButton(context, interaction);
  if (interaction.isStringSelectMenu()) return answerChoice(context, interaction);
  if (interaction.isContextMenuCommand()) return answerMenuCommand(context, interaction);
  if (interaction.isModalSubmit()) {
    return answerWithView(context, interaction, interaction.customId, (scope) =>
      runForm(scope, context.commands, decodeCustomId(interaction.customId), typedInto(interaction)),
    );
  }
  if (!interaction.isAutocomplete()) return;
  await latest(interaction.user.id, async () => {
    if (context.clock.monotonic() - context.answering.began < answerable) await suggest(context, interaction);
  });
}

/** Milliseconds until this process may answer what comes from a server. */
async function headStartOfOthers(
  { processes, isReady }: DispatchContext,
  guildId: string | null,
): Promise<number> {
  if (!processes?.hasCompany()) return 0;
  if ((await isReady?.()) === false) return headStart.notReady;
  return processes.answers(guildId) ? 0 : headStart.standby;
}

/** The used command or component, if it exists. */
function nameCommand(interaction: Interaction, paths: ReadonlySet<string>): string {
  if (interaction.isContextMenuCommand()) return "menu";
  if (interaction.isAutocomplete()) return "suggestions";
  if (interaction.isModalSubmit()) return "form";
  if (interaction.isStringSelectMenu()) return "choice";
  const id = interaction.isButton() ? decodeCustomId(interaction.customId) : undefined;
  if (id && id.kind !== "run") return "button";
  const path = id ? id.path : interaction.isChatInputCommand() ? pathOf(interaction) : "";
  const { path: current } = toCurrent(path, {});
  return paths.has(current) ? current : "unknown";
}

/** All values in an interaction that a person or program can set. */
function textsOf(interaction: Interaction): string[] {
  if (interaction.isChatInputCommand() || interaction.isAutocomplete()) {
    return Object.values(rawValues(interaction)).flatMap((raw) =>
      typeof raw === "string" ? [raw] : typeof raw === "object" ? [raw.name, raw.url] : [],
    );
  }
  if (interaction.isModalSubmit()) return [interaction.customId, ...Object.values(typedInto(interaction))];
  if (interaction.isStringSelectMenu()) return [interaction.customId, ...interaction.values];
  return interaction.isMessageComponent() ? [interaction.customId] : [];
}

function typedInto({ fields }: ModalSubmitInteraction): Record<string, string> {
  return Object.fromEntries([...fields.fields.keys()].map((name) => [name, fields.getTextInputValue(name)]));
}

/** Discord's own apps do not send such text, and PostgreSQL refuses it. */
async function refuseUnstorable(context: DispatchContext, interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) return suggestNothing(context, interaction);
  const isAnswerable =
    interaction.isChatInputCommand() ||
    interaction.isButton() ||
    interaction.isStringSelectMenu() ||
    interaction.isModalSubmit();
  if (!isAnswerable) return;
  const what = interaction.isChatInputCommand() ? interaction.commandName : "a button or form";
  const refuse = (): never => {
    throw new TranslatedError("invalid_input", ({ errors }) => errors.unstorable);
  };
  await answerWithView(
    context,
    interaction,
    what,
    async () => refuse(),
    interaction.isMessageComponent() ? "room" : "own",
  );
}

function answerCommand(context: DispatchContext, interaction: ChatInputCommandInteraction): Promise<void> {
  return answerTyped(context, interaction, pathOf(interaction), rawValues(interaction));
}

/** A typed command, or a button that acts like one. */
function answerTyped(
  context: DispatchContext,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  path: string,
  raw: RawValues,
): Promise<void> {
  const handler = findHandler(context.commands, path);
  if (handler?.kind === "form") {
    return answerWithForm(context, interaction, path, (scope) => openForm(scope, path, handler, raw));
  }
  return answerWithView(
    context,
    interaction,
    path,
    async (scope) => {
      if (!handler) throw new TranslatedError("invalid_input", ({ outdated }) => outdated.command(path));
      return runHandler(scope, path, handler, raw);
    },
    "new",
  );
}

function answerMenuCommand(
  context: DispatchContext,
  interaction: ContextMenuCommandInteraction,
): Promise<void> {
  const { commandName: name } = interaction;
  const { commands, menuCommands = [] } = context;
  const target = readTarget(interaction);
  const command = findMenuCommand(menuCommands, name, target);
  if (command?.asks)
    return answerWithForm(context, interaction, name, (scope) =>
      openMenuForm(scope, commands, command, target),
    );
  return answerWithView(context, interaction, name, (scope) =>
    runMenuCommand(scope, commands, command, target),
  );
}

function answerButton(context: DispatchContext, interaction: ButtonInteraction): Promise<void> {
  const { commands } = context;
  const what = interaction.customId;
  const id = decodeCustomId(what);
  if (id.kind === "form" || id.kind === "fill")
    return answerWithForm(context, interaction, what, (scope) => reopenForm(scope, id));
  if (id.kind === "run") {
    const handler = findHandler(commands, id.path);
    return answerTyped(context, interaction, id.path, handler ? typeOptions(handler, id.options) : {});
  }
  if (id.kind === "command") {
    const onButton = findButtons(commands, id.command);
    if (onButton)
      return answerWithView(context, interaction, what, (scope) => onButton.click(scope, id.words), "room");
  } else if (id.kind === "answer") {
    const show = async (scope: CommandContext) => ({ ephemeral: await readLateAnswer(scope, id.promptId) });
    return answerWithView(context, interaction, what, show, "room");
  }
  return answerWithView(context, interaction, what, (scope) => runButton(scope, commands, id));
}

/** A choice in a menu under one of our questions. */
function answerChoice(context: DispatchContext, interaction: StringSelectMenuInteraction): Promise<void> {
  const what = interaction.customId;
  const id = decodeCustomId(what);
  return answerWithView(context, interaction, what, async (scope) => {
    if (id.kind !== "choose") {
      throw new TranslatedError("expired", ({ outdated }) => outdated.menu);
    }
    return runChoice(scope, context.commands, id.promptId, interaction.values);
  });
}

async function suggest(context: DispatchContext, interaction: AutocompleteInteraction): Promise<void> {
  const path = pathOf(interaction);
  try {
    const { name, value } = interaction.options.getFocused(true);
    const suggestFor = findHandler(context.commands, path)?.options[name]?.suggest;
    const scope = toCommandContext(context, interaction);
    const choices = (await suggestFor?.(value, scope, rawValues(interaction))) ?? [];
    await interaction.respond(fitChoices(choices));
  } catch (error) {
    if (isOthers(context, error)) return context.log.debug({ path }, answeredElsewhere);
    context.log.warn({ err: error, path }, "no suggestions");
    await suggestNothing(context, interaction);
  }
}

async function suggestNothing({ log }: DispatchContext, interaction: AutocompleteInteraction): Promise<void> {
  await interaction.respond([]).catch((failure: unknown) => {
    log.warn({ err: failure, path: pathOf(interaction) }, "the empty suggestions were refused");
  });
}

/**
 * Runs one task at a time for each key. Of the tasks that arrive meanwhile, only the latest waits and replaces earlier
 * ones.
 */
function latestOnly(): (key: string, work: () => Promise<void>) => Promise<void> {
  const waiting = new Map<string, (() => Promise<void>) | undefined>();
  return async (key, work) => {
    if (waiting.has(key)) {
      waiting.set(key, work);
      return;
    }
    try {
      for (let next: typeof work | undefined = work; next; next = waiting.get(key)) {
        waiting.set(key, undefined);
        await next();
      }
    } finally {
      waiting.delete(key);
    }
  };
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
