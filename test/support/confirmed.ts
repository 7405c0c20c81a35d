import { commands } from "../../commands/index.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { RawValues } from "../../src/discord/command.ts";
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

/** What a command shows before anything is done. */
export async function preview(context: CommandContext, path: string, raw: RawValues): Promise<Previewed> {
  const handler = findHandler(commands, path);
  if (handler?.kind !== "confirm") throw new Error(`/${path} asks nothing`);
  const {
    view,
    state,
    confirmLabel: label = handler.confirmLabel,
  } = await handler.preview(context, await readArguments(context, handler.options, raw));
  return {
    text: textOf(view),
    view,
    label,
    // As it comes from the database.
    act: async () => textOf(await handler.act(context, JSON.parse(JSON.stringify(state)))),
  };
}
