import { randomBytes } from "node:crypto";
import { DiscordAPIError, RESTJSONErrorCodes } from "discord.js";
import type { BotContext } from "../bot-context.ts";
import { colors, type View } from "./view.ts";

/** Whoever asked is gone, has an answer already, or waited too long: nothing else would reach them either. */
const gone: ReadonlySet<number | string> = new Set([
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.InvalidWebhookToken,
]);

export interface Shown {
  view: View;
  /** The view tells of an error. */
  failed: boolean;
}

/**
 * Shows an answer with `put`. One that Discord refuses is logged, and something short and true is shown in its place with
 * `putShort`, so that nobody is left with "thinking…". Never throws.
 */
export async function showView(
  context: Pick<BotContext, "log">,
  what: string,
  shown: Shown,
  put: (view: View) => Promise<unknown>,
  putShort = put,
): Promise<void> {
  try {
    await put(shown.view);
  } catch (error) {
    const errorId = randomBytes(4).toString("hex");
    context.log.error({ err: error, what, errorId }, "an answer could not be shown");
    if (error instanceof DiscordAPIError && gone.has(error.code)) return;
    await putShort(describeUnshown(shown.failed, errorId)).catch((failure: unknown) => {
      context.log.error({ err: failure, what, errorId }, "nothing could be shown in its place either");
    });
  }
}

function describeUnshown(failed: boolean, errorId: string): View {
  const operator = `The operator finds it in the log by this id: ${errorId}.`;
  const description = failed
    ? `That did not work, and Discord refused the message that says why. ${operator}`
    : `Discord refused to show the answer. What was to be done is done: look before you repeat it. ${operator}`;
  return { embeds: [{ description, color: colors.bad }] };
}
