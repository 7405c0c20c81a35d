// @ts-nocheck
import { randomBytes } from "node:crypto";
import type { BotContext } from "../bot-context.ts";
import { asAppError } from "../errors.ts";
import { escapeText } from "../text/escape.ts";
import { colors, type View } from "./view.ts";

/** An error as an answer: an AppError's own words, or an id that finds the log line. */
export function describeError({ log }: BotContext, error: unknown, what: string): View {
  const known = asAppError(error);
  if (known) {
    log.info({ code: known.code, what, cause: known.cause }, known.message);
    const mistakes = known.mistakes
      .slice(0, 10)
      .map(({ path, message }) => `- ${path}: ${escapeText(message)}`);
    return notice([known.message, ...mistakes].join("\n"));
  }
  const id = randomBytes(4).toString("hex");
  log.error({ err: error, what, errorId: id }, "a command failed");
  return notice(`Something went wrong (${id}). The operator finds it in the log by this id.`);
}

function notice(description: string): View {
  return { embeds: [{ description: description.slice(0, 4000), color: colors.bad }] };
}
