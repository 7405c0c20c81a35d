import { randomBytes } from "node:crypto";
import {
  DiscordAPIError,
  MessageFlags,
  RESTJSONErrorCodes,
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  type ModalSubmitInteraction,
} from "discord.js";
import { AppError, asAppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { colors } from "../text/colors.ts";
import { decodeCustomId } from "../text/custom-id.ts";
import { toCommandContext, type CommandContext, type DiscordContext } from "./command-context.ts";
import { findHandler, type Command, type Ephemeral, type RawValue, type RawValues } from "./command.ts";
import { describeError } from "./describe-error.ts";
import {
  answerLife,
  isTooLate,
  type AnswerTime,
  postLateAnswer,
  readLateAnswer,
  watchAnswerTime,
} from "./late-answer.ts";
import { openForm, reopenForm, runForm, toModal, type OpenedForm } from "./forms.ts";
import { runButton, runHandler, typeOptions } from "./run-command.ts";
import { fitChoices, toReply, type View } from "./view.ts";

export interface DispatchContext extends DiscordContext {
  commands: readonly Command[];
  /** Milliseconds for which Discord takes answers, where it is not as long as it says. */
  answerLife?: number;
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
    if (interaction.isChatInputCommand()) return answerCommand(context, interaction);
    if (interaction.isButton()) return answerButton(context, interaction);
    if (interaction.isModalSubmit()) {
      const typed = Object.fromEntries(
        [...interaction.fields.fields.keys()].map((name) => [
          name,
          interaction.fields.getTextInputValue(name),
        ]),
      );
      return answerWithView(context, interaction, interaction.customId, (scope) =>
        runForm(scope, context.commands, decodeCustomId(interaction.customId), typed),
      );
    }
    if (!interaction.isAutocomplete()) return;
    const came = context.clock.monotonic();
    await latest(interaction.user.id, async () => {
      if (context.clock.monotonic() - came < answerable) await suggest(context, interaction);
    });
  };
}

function answerCommand(context: DispatchContext, interaction: ChatInputCommandInteraction): Promise<void> {
  const path = pathOf(interaction);
  const handler = findHandler(context.commands, path);
  const raw = rawValues(interaction);
  if (handler?.kind === "form") {
    return answerWithForm(context, interaction, path, (scope) => openForm(scope, path, handler, raw));
  }
  return answerWithView(context, interaction, path, async (scope) => {
    if (!handler) throw new AppError("invalid_input", `There is no command /${path} any more.`);
    return runHandler(scope, path, handler, raw);
  });
}

function answerButton(context: DispatchContext, interaction: ButtonInteraction): Promise<void> {
  const { commands } = context;
  const what = interaction.customId;
  const id = decodeCustomId(what);
  if (id.kind === "form")
    return answerWithForm(context, interaction, what, (scope) => reopenForm(scope, id.promptId));
  if (id.kind === "run") {
    const handler = findHandler(commands, id.path);
    const raw = handler ? typeOptions(handler, id.options) : {};
    if (handler?.kind === "form") {
      return answerWithForm(context, interaction, what, (scope) => openForm(scope, id.path, handler, raw));
    }
    const run = async (scope: CommandContext) => {
      if (handler) return { ephemeral: await runHandler(scope, id.path, handler, raw) };
      throw new AppError("expired", `There is no command /${id.path} any more.`);
    };
    return answerWithView(context, interaction, what, run, "room");
  }
  if (id.kind === "command") {
    const onButton = commands.find(({ name }) => name === id.command)?.onButton;
    if (onButton)
      return answerWithView(context, interaction, what, (scope) => onButton(scope, id.words), "room");
  } else if (id.kind === "answer") {
    const show = async (scope: CommandContext) => ({ ephemeral: await readLateAnswer(scope, id.promptId) });
    return answerWithView(context, interaction, what, show, "room");
  }
  return answerWithView(context, interaction, what, (scope) => runButton(scope, commands, id));
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
    context.log.warn({ err: error, path }, "no suggestions");
    await interaction.respond([]).catch((failure: unknown) => {
      context.log.warn({ err: failure, path }, "the empty suggestions were refused");
    });
  }
}

/**
 * One piece of work at a time for each key. Of what comes meanwhile only the latest waits; what it takes the place of is
 * never begun.
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

type AnswerableInteraction = ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction;

/**
 * Acknowledges an interaction, runs what it asks for, and shows what comes of it: in place of its message, or privately.
 * What stands in a room for everybody ("room") is not replaced by one person's mistake. What takes longer than Discord takes
 * answers is announced in the room. Never throws.
 */
async function answerWithView(
  context: DispatchContext,
  interaction: AnswerableInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Ephemeral>,
  place: "own" | "room" = "own",
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
  const time = watchAnswerTime(context.answerLife ?? answerLife, async (view) => {
    if (place === "own") await showProgress(context, interaction, what, view);
  });
  const { ephemeral, ...shown } = await viewOrError(context, interaction, what, run, time);
  time.stop();
  const late = () => postLateAnswer(toCommandContext(context, interaction), what, shown.view);
  const privately = (view: View) => interaction.followUp({ ...toReply(view), flags: MessageFlags.Ephemeral });
  const inPlace = (view: View) => interaction.editReply(toReply(view));
  const put = ephemeral || (shown.failed && place === "room") ? privately : inPlace;
  await show(context.log, what, shown, time.isOver() ? late : put, place === "room" ? privately : put, late);
}

async function showProgress(
  { log }: DiscordContext,
  interaction: AnswerableInteraction,
  what: string,
  view: View,
): Promise<void> {
  await interaction.editReply(toReply(view)).catch((error: unknown) => {
    log.warn({ err: error, what }, "progress could not be shown");
  });
}

async function viewOrError(
  context: DiscordContext,
  interaction: AnswerableInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Ephemeral>,
  time: AnswerTime,
): Promise<Shown & { ephemeral: boolean }> {
  try {
    const progress = async (view: View) => {
      if (!time.isOver()) await showProgress(context, interaction, what, view);
    };
    const view = await run(toCommandContext(context, interaction, progress));
    if ("ephemeral" in view) return { view: view.ephemeral, ephemeral: true, failed: false };
    return { view, ephemeral: false, failed: false };
  } catch (error) {
    // A second click must not replace what the first one's answer says.
    const ephemeral = asAppError(error, "already_answered") !== undefined;
    return { view: describeError(context, error, what), ephemeral, failed: true };
  }
}

/**
 * Answers with a form. Discord takes one only as the first answer, so nothing is acknowledged before; what comes instead
 * of a form, or goes wrong, is said privately. Never throws.
 */
async function answerWithForm(
  context: DiscordContext,
  interaction: ChatInputCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<void> {
  const reply = (view: View) => interaction.reply({ ...toReply(view), flags: MessageFlags.Ephemeral });
  let opened: OpenedForm | { view: View };
  try {
    opened = await open(toCommandContext(context, interaction));
  } catch (error) {
    opened = { view: describeError(context, error, what) };
  }
  if ("view" in opened) return show(context.log, what, { view: opened.view, failed: true }, reply);
  const modal = toModal(opened);
  const form = () => interaction.showModal(modal);
  await show(context.log, what, { view: {}, failed: true }, form, reply);
}

/** Whoever asked is gone, or has an answer already: nothing else would reach them either. */
const gone: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
]);

interface Shown {
  view: View;
  /** The view tells of an error. */
  failed: boolean;
}

/**
 * Shows an answer with `put`. One that Discord refuses is logged, and something short and true is shown in its place with
 * `putShort`, so that nobody is left with "thinking…"; one that comes too late goes by `late`. Never throws.
 */
async function show(
  log: Log,
  what: string,
  shown: Shown,
  put: (view: View) => Promise<unknown>,
  putShort = put,
  late?: () => Promise<unknown>,
): Promise<void> {
  try {
    await put(shown.view).catch((error: unknown) => {
      if (late && isTooLate(error)) return late();
      throw error;
    });
  } catch (error) {
    const errorId = randomBytes(4).toString("hex");
    log.error({ err: error, what, errorId }, "an answer could not be shown");
    if (error instanceof DiscordAPIError && gone.has(error.code)) return;
    await putShort(describeUnshown(shown.failed, errorId)).catch((failure: unknown) => {
      log.error({ err: failure, what, errorId }, "nothing could be shown in its place either");
    });
  }
}

function describeUnshown(failed: boolean, errorId: string): View {
  const operator = `The operator finds it in the log by this id: ${errorId}.`;
  const description = failed
    ? `That did not work, and Discord refused the message that says why. ${operator}`
    : `Discord refused to show the answer. The command itself was carried out: check before you repeat it. ${operator}`;
  return { embeds: [{ description, color: colors.bad }] };
}
