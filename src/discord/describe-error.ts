import type { BotContext } from "../bot-context.ts";
import { asAppError, type AppError } from "../errors.ts";
import type { RoomEmbed } from "../feed/rooms.ts";
import { colors } from "../text/colors.ts";
import { escapeText, fitLinesOrCount } from "../text/message-text.ts";
import { textView, type View } from "./view.ts";

/** An error as an answer: an AppError's message, or the id that finds the interaction's lines in the log. */
export function describeError(
  { log, answering }: Pick<BotContext, "log"> & { answering: { id: string } },
  error: unknown,
  what: string,
): View {
  const known = asAppError(error);
  if (known) {
    log.info({ code: known.code, what, cause: known.cause }, known.message);
    return { embeds: [describeRefusal(known)] };
  }
  log.error({ err: error, what }, "a command failed");
  const description = `Something went wrong (${answering.id}). The operator can find the cause in the log with this id.`;
  return textView("bad", description);
}

/** The error's message, and the first mistakes if there are several. */
export function describeRefusal({ code, message, mistakes }: AppError): RoomEmbed {
  const lines = mistakes.map(({ path, message }) => `- ${path}: ${escapeText(message)}`);
  // A second click is not a mistake, and nothing went wrong.
  const color = code === "already_answered" ? colors.muted : colors.bad;
  return { description: fitLinesOrCount([message, ...lines], 3000), color };
}
