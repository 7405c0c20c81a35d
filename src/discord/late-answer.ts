import { DiscordAPIError, RESTJSONErrorCodes } from "discord.js";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import { toStorableJson } from "../text/storable.ts";
import type { CommandContext } from "./command-context.ts";
import { addPrompt, promptLife, readPrompt, readState } from "./prompts.ts";
import { textView, type View } from "./view.ts";

/** Milliseconds for which Discord takes answers to an interaction. */
export const answerLife = 15 * 60_000;
/** What is told of that before it is over, as a part of that life. */
const warnAfter = 14 / 15;

/** What an answer says while its time runs out. */
const lateNotice: View = textView(
  "plain",
  "Still at work. Discord takes answers here for 15 minutes only: what comes of it is posted in this room, for you alone to open.",
);

export interface AnswerTime {
  /** Discord takes no answer any more. */
  isOver: () => boolean;
  stop: () => void;
}

/** Watches the time that is left for an answer, and shows with `notice` that it runs out. */
export function watchAnswerTime(life: number, notice: (view: View) => Promise<void>): AnswerTime {
  let isOver = false;
  const warning = setTimeout(() => void notice(lateNotice), life * warnAfter).unref();
  const end = setTimeout(() => (isOver = true), life).unref();
  return {
    isOver: () => isOver,
    stop() {
      clearTimeout(warning);
      clearTimeout(end);
    },
  };
}

/** Whether Discord refused an answer because its time was over. */
export function isTooLate(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false;
  return (
    error.code === RESTJSONErrorCodes.InvalidWebhookToken || error.code === RESTJSONErrorCodes.UnknownWebhook
  );
}

/** Longer files are cut, and pictures left out: the answer waits in the database. Characters. */
const maxText = 500_000;

const AnswerState = z.object({ answer: z.unknown() });

/** Posts in the room that an answer is there, with a button by which whoever asked sees it, and nobody else. */
export async function postLateAnswer(context: CommandContext, what: string, view: View): Promise<void> {
  const { actor, rooms } = context;
  const { pictures: _, ...rest } = view;
  const files = view.files?.map(({ name, text }) => ({ name, text: text.slice(0, maxText) }));
  const answer: unknown = JSON.parse(toStorableJson({ ...rest, ...(files && { files }) }));
  const promptId = await addPrompt(context, actor, { path: what, state: { answer }, life: promptLife.list });
  const asked = what.includes(":") ? "what you asked for with a button" : `/${what}`;
  await rooms.post(actor.roomId, {
    nonce: promptId,
    ...textView(
      "plain",
      `<@${actor.userId}>: ${asked} took longer than Discord lets me answer it. It has ended; what came of it is for you alone, for a day.`,
    ),
    buttons: [
      [
        {
          customId: encodeCustomId({ kind: "answer", promptId }),
          label: "Show the answer",
          style: "primary",
        },
      ],
    ],
  });
}

/** The answer behind such a button, for whoever asked. Throws `expired` and `not_allowed`. */
export async function readLateAnswer(context: CommandContext, promptId: string): Promise<View> {
  const { state } = await readPrompt(context, context.actor, promptId);
  const { answer } = readState(AnswerState, state);
  if (typeof answer !== "object" || answer === null)
    throw new AppError("expired", "That answer is gone. Please run the command again.");
  return answer;
}
