import { commands } from "../../../commands/index.ts";
import type { CommandContext } from "../../discord/command-context.ts";
import type { RawValues } from "../../discord/command.ts";
import { findHandler } from "../../discord/find-handler.ts";
import { readArguments } from "../../discord/run-command.ts";
import type { View } from "../../discord/view.ts";
import { AppError } from "../../errors.ts";

/** Runs a command as if it were typed and its preview confirmed. Throws `invalid_input` if the preview asks a question. */
export async function runAtOnce(context: CommandContext, path: string, raw: RawValues): Promise<View> {
  const handler = findHandler(commands, path);
  const args = await readArguments(context, handler?.options ?? {}, raw);
  if (handler?.kind === "answer") return handler.run(context, args);
  if (handler?.kind !== "confirm") throw new Error(`/${path} cannot be run at once`);
  const { view, state, question } = await handler.preview(context, args);
  if (!question) return state === undefined ? view : handler.act(context, state);
  const [only, another] = question.answers;
  // With several answers, nobody has chosen one.
  if (only && "state" in only && !another) return handler.act(context, only.state);
  throw new AppError("invalid_input", "A ban needs a duration, and a permanent ban also needs a reason.");
}
