import type { BotContext } from "../bot-context.ts";
import { asAppError, type AppError } from "../errors.ts";
import type { RoomEmbed } from "../feed/rooms.ts";
import type { Texts } from "../languages/en.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { colors } from "../text/colors.ts";
import { escapeText, fitLinesOrCount } from "../text/message-text.ts";
import { textView, type View } from "./view.ts";

/** An error as an answer in the person's language: an AppError's message, or the id that finds the interaction's lines in the log. */
export function describeError(
  { log, answering, texts }: Pick<BotContext, "log"> & { answering: { id: string }; texts: Texts },
  error: unknown,
  what: string,
): View {
  const known = asAppError(error);
  if (known) {
    log.info({ code: known.code, what, cause: known.cause }, known.message);
    return { embeds: [describeRefusal(known, texts)] };
  }
  log.error({ err: error, what }, "a command failed");
  return textView("bad", texts.errors.failed(answering.id));
}

/** The error's message, and the first mistakes if there are several. */
export function describeRefusal(error: AppError, texts: Texts): RoomEmbed {
  const { code, mistakes } = error;
  const message = error instanceof TranslatedError ? error.say(texts) : error.message;
  const lines = mistakes.map(({ path, message }) => `- ${path}: ${escapeText(message)}`);
  // A second click is not a mistake, and nothing went wrong.
  const color = code === "already_answered" ? colors.muted : colors.bad;
  return { description: fitLinesOrCount([message, ...lines], 3000), color };
}
