import { commands } from "../../commands/index.ts";
import type { CommandContext } from "../discord/command-context.ts";
import type { Handler } from "../discord/command.ts";
import { findButtons, findHandler } from "../discord/find-handler.ts";
import { reopenForm, runForm } from "../discord/forms.ts";
import type { OpenedForm } from "../discord/opened-form.ts";
import { readArguments, runButton, runChoice, runHandler, typeOptions } from "../discord/run-command.ts";
import { AppError } from "../errors.ts";
import { decodeCustomId } from "../text/custom-id.ts";
import { toPageView, type PageView } from "./page-view.ts";
import { readCursor } from "./paging.ts";
import type { Requested } from "./request-schemas.ts";

/** Commands that the console runs as if they were typed, if they allow it. */
function findOffered(path: string): Handler | undefined {
  const handler = findHandler(commands, path);
  return handler?.console ? handler : undefined;
}

/** Runs a command as if it was typed, with options as texts. */
export async function run(
  context: CommandContext,
  path: string,
  options: Readonly<Record<string, string>>,
): Promise<PageView> {
  const handler = findOffered(path);
  if (!handler) throw new AppError("not_found", "The console does not have that command. Use it in Discord.");
  return toPageView(await runHandler(context, path, handler, typeOptions(handler, withoutEmpty(options))));
}

/**
 * A button's answer: a view, or a form to fill in. `aside` asks the person who clicked, and does not show the item's
 * new state.
 */
type Pressed = { view: PageView; ephemeral?: true } | { form: OpenedForm };

/** The selection in a menu, or the input of a form. */
interface Filled {
  value?: string | undefined;
  typed?: Readonly<Record<string, string>> | undefined;
}

/** Handles a click on one of the console's buttons, a menu selection or a form, with the same id and answer as in Discord. */
export async function press(
  context: CommandContext,
  customId: string,
  { value, typed }: Filled = {},
): Promise<Pressed> {
  const id = decodeCustomId(customId);
  if (id.kind === "form" || id.kind === "fill") {
    if (!typed) return { form: await reopenForm(context, id) };
    return { view: toPageView(await runForm(context, commands, id, typed)) };
  }
  if (id.kind === "run") return { view: await run(context, id.path, id.options) };
  if (id.kind === "choose")
    return { view: toPageView(await runChoice(context, commands, id.promptId, [value ?? id.choice ?? ""])) };
  if (id.kind !== "command") return { view: toPageView(await runButton(context, commands, id)) };
  const onButton = findButtons(commands, id.command);
  if (!onButton?.console) throw new AppError("expired", "This button works only in Discord.");
  const answer = await onButton.click(context, id.words);
  if ("ephemeral" in answer) return { view: toPageView(answer.ephemeral), ephemeral: true };
  return { view: toPageView(answer) };
}

/** One page of a command's answer, for pages that only show something. */
const readings: ReadonlyMap<string, string> = new Map([
  ["person", "who"],
  ["health", "status"],
  ["audit", "audit"],
  ["statistics", "stats"],
]);

export async function read(
  context: CommandContext,
  what: string,
  { cursor, ...options }: Requested,
): Promise<{ view: PageView; next?: string }> {
  const handler = findHandler(commands, readings.get(what) ?? "");
  if (!handler) throw new AppError("not_found", "There is no such page.");
  const args = await readArguments(context, handler.options, typeOptions(handler, withoutEmpty(options)));
  if (handler.kind === "answer") return { view: toPageView(await handler.run(context, args)) };
  if (handler.kind === "listing") {
    const { view, ...page } = await handler.page(context, args, readCursor(cursor));
    return { ...page, view: toPageView(view) };
  }
  throw new Error(`${what} cannot be read`);
}

/** Suggestions for an option of such a command while somebody types. */
export async function suggest(
  context: CommandContext,
  { path, option, typed }: { path: string; option: string; typed: string },
): Promise<[name: string, value: string][]> {
  const handler = findOffered(path);
  const choices = (await handler?.options[option]?.suggest?.(typed, context, {})) ?? [];
  return choices.map(({ name, value }) => [name, String(value)]);
}

/** An empty form field is an omitted option. */
export function withoutEmpty(options: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value.trim() !== ""));
}
