import { commands } from "../../commands/index.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { Preview, RawValues } from "../../src/discord/command.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import type { View } from "../../src/discord/view.ts";

export const textOf = ({ embeds = [] }: View): string =>
  embeds.map(({ title, description }) => `${title}\n${description}`).join("\n");

export interface Previewed {
  text: string;
  view: View;
  /** What the button says that goes on. */
  label: string;
  /** What comes of a click on Confirm. */
  act: () => Promise<string>;
}

/** What the first button under a preview does, and says where a question has several. */
export function firstAnswer({ state, question }: Preview<unknown>): { state: unknown; label?: string } {
  const answer = question?.answers.find((one) => "state" in one);
  return answer ?? { state };
}

/** What a command shows before anything is done. */
export async function preview(context: CommandContext, path: string, raw: RawValues): Promise<Previewed> {
  const handler = findHandler(commands, path);
  if (handler?.kind !== "confirm") throw new Error(`/${path} asks nothing`);
  const shown = await handler.preview(context, await readArguments(context, handler.options, raw));
  const { view, confirmLabel = handler.confirmLabel } = shown;
  const first = firstAnswer(shown);
  const { state } = first;
  return {
    text: textOf(view),
    view,
    label: first.label ?? confirmLabel,
    // As it comes from the database.
    act: async () => textOf(await handler.act(context, JSON.parse(JSON.stringify(state)))),
  };
}
