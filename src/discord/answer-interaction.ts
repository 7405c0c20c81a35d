import { randomBytes } from "node:crypto";
import {
  ComponentType,
  DiscordAPIError,
  MessageFlags,
  RESTJSONErrorCodes,
  TextInputStyle,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type ModalSubmitInteraction,
} from "discord.js";
import { asAppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { colors } from "../text/colors.ts";
import type { Ephemeral } from "./command.ts";
import { toCommandContext, type CommandContext, type DiscordContext } from "./command-context.ts";
import { describeError } from "./describe-error.ts";
import type { OpenedForm } from "./run-command.ts";
import { fitText, limits, toReply, type View } from "./view.ts";

type Interaction = ChatInputCommandInteraction | ButtonInteraction | ModalSubmitInteraction;

/**
 * Acknowledges an interaction, runs what it asks for, and shows what comes of it: in place of its message, or privately.
 * What stands in a room for everybody ("room") is not replaced by one person's mistake. Never throws.
 */
export async function answer(
  context: DiscordContext,
  interaction: Interaction,
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
  const { ephemeral, ...shown } = await viewOrError(context, interaction, what, run);
  const privately = (view: View) => interaction.followUp({ ...toReply(view), flags: MessageFlags.Ephemeral });
  const inPlace = (view: View) => interaction.editReply(toReply(view));
  const put = ephemeral || (shown.failed && place === "room") ? privately : inPlace;
  await show(context.log, what, shown, put, place === "room" ? privately : put);
}

async function viewOrError(
  context: DiscordContext,
  interaction: Interaction,
  what: string,
  run: (scope: CommandContext) => Promise<View | Ephemeral>,
): Promise<Shown & { ephemeral: boolean }> {
  try {
    const showProgress = async (view: View) => {
      await interaction.editReply(toReply(view)).catch((error: unknown) => {
        context.log.warn({ err: error, what }, "progress could not be shown");
      });
    };
    const view = await run(toCommandContext(context, interaction, showProgress));
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
export async function answerWithForm(
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

/** The form as Discord's API takes it: a field over several lines each. */
function toModal({ customId, title, fields }: OpenedForm) {
  return {
    custom_id: customId,
    title: fitText(title, limits.formTitle),
    components: Object.entries(fields).map(([name, { label, value, maxLength }]) => ({
      type: ComponentType.Label as const,
      label: fitText(label, limits.formLabel),
      component: {
        type: ComponentType.TextInput as const,
        custom_id: name,
        style: TextInputStyle.Paragraph as const,
        value,
        max_length: maxLength,
        required: true,
      },
    })),
  };
}

/** Whoever asked is gone, has an answer already, or waited too long: nothing else would reach them either. */
const gone: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.InvalidWebhookToken,
]);

interface Shown {
  view: View;
  /** The view tells of an error. */
  failed: boolean;
}

/**
 * Shows an answer with `put`. One that Discord refuses is logged, and something short and true is shown in its place with
 * `putShort`, so that nobody is left with "thinking…". Never throws.
 */
async function show(
  log: Log,
  what: string,
  shown: Shown,
  put: (view: View) => Promise<unknown>,
  putShort = put,
): Promise<void> {
  try {
    await put(shown.view);
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
