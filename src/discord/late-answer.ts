import { DiscordAPIError, RESTJSONErrorCodes } from "discord.js";
import { z } from "zod";
import type { Texts } from "../languages/en.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { encodeCustomId } from "../text/custom-id.ts";
import { toStorableJson } from "../text/storable.ts";
import type { CommandContext } from "./command-context.ts";
import { addPrompt, promptLife, readPrompt, readState } from "./prompts.ts";
import { textView, type View } from "./view.ts";

/** Milliseconds for which Discord accepts answers to an interaction. */
export const answerLife = 15 * 60_000;
/** The fraction of that time after which the notice is shown. */
const warnAfter = 14 / 15;

export interface AnswerTime {
  /** Whether Discord no longer accepts an answer. */
  isOver: () => boolean;
  stop: () => void;
}

/** Watches the remaining time of an answer, and shows a notice before it runs out. */
export function watchAnswerTime(
  { texts, answerLife: life = answerLife }: { texts: Texts; answerLife?: number },
  show: (notice: View) => Promise<void>,
): AnswerTime {
  let isOver = false;
  const warning = setTimeout(
    () => void show(textView("plain", texts.stillWorking)),
    life * warnAfter,
  ).unref();
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

/** Characters. Longer files are cut and pictures omitted, because the answer is stored in the database. */
const maxText = 500_000;

const AnswerState = z.object({ answer: z.unknown() });

/** Posts in the room that an answer is ready, with a button that shows it only to the person who asked. */
export async function postLateAnswer(context: CommandContext, what: string, view: View): Promise<void> {
  const { actor, rooms } = context;
  const { pictures: _, ...rest } = view;
  const files = view.files?.map(({ name, text }) => ({ name, text: text.slice(0, maxText) }));
  const answer: unknown = JSON.parse(toStorableJson({ ...rest, ...(files && { files }) }));
  const promptId = await addPrompt(context, actor, { path: what, state: { answer }, life: promptLife.list });
  const asked = what.includes(":") ? "the action of your button" : `/${what}`;
  await rooms.post(actor.roomId, {
    nonce: promptId,
    ...textView(
      "plain",
      `<@${actor.userId}>: ${asked} took longer than Discord accepts answers. It is finished. Only you can open the result, for a day.`,
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

/** The answer behind such a button, for the person who asked. Throws `expired` and `not_allowed`. */
export async function readLateAnswer(context: CommandContext, promptId: string): Promise<View> {
  const { state } = await readPrompt(context, context.actor, promptId);
  const { answer } = readState(AnswerState, state);
  if (typeof answer !== "object" || answer === null)
    throw new TranslatedError("expired", ({ outdated }) => outdated.answer);
  return answer;
}
