import {
  DiscordAPIError,
  MessageFlags,
  RESTJSONErrorCodes,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type ContextMenuCommandInteraction,
  type ModalMessageModalSubmitInteraction,
  type ModalSubmitInteraction,
  type StringSelectMenuInteraction,
} from "discord.js";
import { asAppError } from "../errors.ts";
import type { Texts } from "../languages/en.ts";
import { report, type Reports } from "../telemetry.ts";
import { decodeCustomId } from "../text/custom-id.ts";
import type { BotProcesses } from "./bot-processes.ts";
import { toCommandContext, type CommandContext, type DiscordContext } from "./command-context.ts";
import type { Ephemeral } from "./command.ts";
import { describeError } from "./describe-error.ts";
import { toModal } from "./forms.ts";
import { isTooLate, type AnswerTime, postLateAnswer, watchAnswerTime } from "./late-answer.ts";
import type { OpenedForm } from "./opened-form.ts";
import { textView, toReply, type View } from "./view.ts";

export interface AnsweringContext extends DiscordContext {
  /** In the language of the person who is answered. */
  texts: Texts;
  /** The interaction's id. Its log lines have this id, which users see if something goes wrong. */
  answering: {
    id: string;
    /** An existing command ("feed add"), or "button", "form" and the like. */
    command: string;
    /** By `monotonic()`. */
    began: number;
  };
  /** Milliseconds for which Discord accepts answers, if different from Discord's documented value. */
  answerLife?: number;
  /** The processes that answer for this installation, where there may be several. */
  processes?: BotProcesses | undefined;
  /** Whether this process can handle interactions. If not, another process of the installation may answer first. */
  isReady?: (() => Promise<boolean>) | undefined;
}

type AnswerableInteraction =
  | ContextMenuCommandInteraction
  | ChatInputCommandInteraction
  | ButtonInteraction
  | StringSelectMenuInteraction
  | ModalSubmitInteraction;

/**
 * Acknowledges an interaction, handles it, and shows the result, either in its message or privately. A message for
 * everybody in the room ("room") is not replaced by one person's mistake. A button that acts like a typed command
 * ("new") is answered like one. A result that comes after Discord's time limit is announced in the room. Never throws.
 */
export async function answerWithView(
  context: AnsweringContext,
  interaction: AnswerableInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Ephemeral>,
  place: "own" | "room" | "new" = "own",
): Promise<void> {
  try {
    // Discord waits three seconds for this, so slower work comes afterwards.
    if (interaction.isMessageComponent() && place !== "new") await interaction.deferUpdate();
    else if (takesPlaceOfMessage(interaction)) await interaction.deferUpdate();
    else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  } catch (error) {
    // The interaction is gone, or Discord cannot be reached. Nobody can be answered, and nothing is done.
    if (isOthers(context, error)) return context.log.debug({ what }, answeredElsewhere);
    context.log.error({ err: error, what }, "an interaction could not be answered");
    return reportAnswer(context, "unacknowledged");
  }
  reportAcknowledged(context);
  const time = watchAnswerTime(context, async (view) => {
    if (place !== "room") await showProgress(context, interaction, what, view);
  });
  const { ephemeral, ...shown } = await viewOrError(context, interaction, what, run, time);
  time.stop();
  const late = () => postLateAnswer(toCommandContext(context, interaction), what, shown.view);
  const privately = (view: View) =>
    interaction.followUp({ ...toReply(view, context.commandIds), flags: MessageFlags.Ephemeral });
  const inPlace = (view: View) =>
    interaction.editReply(toReply(view, context.commandIds)).catch((error: unknown) => {
      // The user has dismissed the message since, or somebody has deleted it.
      if (isMessageGone(error)) return privately(view);
      throw error;
    });
  const put = ephemeral || (shown.failed && place === "room") ? privately : inPlace;
  await show(context, what, shown, time.isOver() ? late : put, place === "room" ? privately : put, late);
  reportAnswer(context, shown.result);
}

function secondsOf({ answering, clock }: AnsweringContext): { command: string; seconds: number } {
  return { command: answering.command, seconds: (clock.monotonic() - answering.began) / 1000 };
}

function reportAcknowledged(context: AnsweringContext): void {
  report("castellan:interaction.acknowledged", secondsOf(context));
}

function reportAnswer(context: AnsweringContext, result: Result): void {
  report("castellan:interaction.answered", { ...secondsOf(context), result });
}

type Result = Reports["castellan:interaction.answered"]["result"];

const resultOf = (error: unknown): Result => (asAppError(error) ? "refused" : "failed");

/** For a form that a prompt's button opened: shows the prompt again with the input. */
function takesPlaceOfMessage(
  interaction: AnswerableInteraction,
): interaction is ModalMessageModalSubmitInteraction {
  if (!interaction.isModalSubmit() || !interaction.isFromMessage()) return false;
  return decodeCustomId(interaction.customId).kind === "fill";
}

async function showProgress(
  context: DiscordContext,
  interaction: AnswerableInteraction,
  what: string,
  view: View,
): Promise<void> {
  await interaction.editReply(toReply(view, context.commandIds)).catch((error: unknown) => {
    context.log.warn({ err: error, what }, "progress could not be shown");
  });
}

async function viewOrError(
  context: AnsweringContext,
  interaction: AnswerableInteraction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Ephemeral>,
  time: AnswerTime,
): Promise<Shown & { ephemeral: boolean; result: Result }> {
  try {
    const progress = async (view: View) => {
      if (!time.isOver()) await showProgress(context, interaction, what, view);
    };
    const view = await run(toCommandContext(context, interaction, progress));
    if ("ephemeral" in view) return { view: view.ephemeral, ephemeral: true, failed: false, result: "ok" };
    return { view, ephemeral: false, failed: false, result: "ok" };
  } catch (error) {
    // A second click must not replace the first one's answer.
    const ephemeral = asAppError(error, "already_answered") !== undefined;
    return { view: describeError(context, error, what), ephemeral, failed: true, result: resultOf(error) };
  }
}

/**
 * Answers with a form. Discord accepts a form only as the first answer, so nothing is acknowledged before. Errors and
 * other answers are shown privately. Never throws.
 */
export async function answerWithForm(
  context: AnsweringContext,
  interaction: ChatInputCommandInteraction | ContextMenuCommandInteraction | ButtonInteraction,
  what: string,
  open: (scope: CommandContext) => Promise<OpenedForm | { view: View }>,
): Promise<void> {
  const reply = (view: View) =>
    interaction.reply({ ...toReply(view, context.commandIds), flags: MessageFlags.Ephemeral });
  let opened: OpenedForm | { view: View };
  let result: Result = "ok";
  try {
    opened = await open(toCommandContext(context, interaction));
  } catch (error) {
    result = resultOf(error);
    opened = { view: describeError(context, error, what) };
  }
  const modal = "view" in opened ? undefined : toModal(opened);
  const view = "view" in opened ? opened.view : {};
  const first = async () => {
    try {
      await (modal ? interaction.showModal(modal) : reply(view));
      reportAcknowledged(context);
      reportAnswer(context, result);
    } catch (error) {
      if (!isOthers(context, error)) throw error;
      context.log.debug({ what }, answeredElsewhere);
    }
  };
  await show(context, what, { view, failed: true }, first, reply);
}

export const answeredElsewhere = "another process was first to answer";

/**
 * Whether a first answer was refused because another process had given one. Discord reports this, except for
 * interactions that were answered long ago. watch-answers.ts detects other installations.
 */
export function isOthers({ processes }: AnsweringContext, error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false;
  if (error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) return true;
  return error.code === RESTJSONErrorCodes.UnknownInteraction && processes?.hasCompany() === true;
}

/** The user is gone, or already has an answer, so no other message would reach them either. */
const gone: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
]);

function isMessageGone(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.UnknownMessage;
}

interface Shown {
  view: View;
  /** Whether the view shows an error. */
  failed: boolean;
}

/**
 * Shows an answer with `put`. If Discord refuses it, logs that and shows a short, true message with `putShort`, so
 * that the user does not keep seeing "thinking…". An answer that comes too late goes through `late`. Never throws.
 */
async function show(
  { log, answering, texts }: AnsweringContext,
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
    log.error({ err: error, what }, "an answer could not be shown");
    if (error instanceof DiscordAPIError && gone.has(error.code)) return;
    await putShort(describeUnshown(texts, shown.failed, answering.id)).catch((failure: unknown) => {
      log.error({ err: failure, what }, "the replacement could not be shown either");
    });
  }
}

function describeUnshown({ errors }: Texts, failed: boolean, id: string): View {
  return textView("bad", failed ? errors.unshownFailure(id) : errors.unshown(id));
}
