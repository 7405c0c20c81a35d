import type { BotContext } from "../bot-context.ts";
import { asAppError, type AppError } from "../errors.ts";
import type { RoomEmbed } from "../feed/rooms.ts";
import { colors } from "../text/colors.ts";
import { escapeText, fitLinesOrCount } from "../text/message-text.ts";
import { textView, type View } from "./view.ts";

/** An error as an answer: an AppError's own words, or the id that finds the lines of the interaction in the log. */
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
  const description = `Something went wrong (${answering.id}). The operator finds it in the log by this id.`;
  return textView("bad", description);
}

/** What was refused, and the first mistakes where there are several. */
export function describeRefusal({ code, message, mistakes }: AppError): RoomEmbed {
  const lines = mistakes.map(({ path, message }) => `- ${path}: ${escapeText(message)}`);
  // Who presses twice has made no mistake, and nothing went wrong.
  const color = code === "already_answered" ? colors.muted : colors.bad;
  return { description: fitLinesOrCount([message, ...lines], 3000), color };
}
