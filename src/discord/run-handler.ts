import { z } from "zod";
import { AppError } from "../errors.ts";
import type { CommandContext, ConfirmHandler, Handler, ListingHandler, Preview } from "./command.ts";
import type { ArgumentsOf, Options, RawValues } from "./option.ts";
import { addPrompt, answerPrompt, promptLife, readPrompt, writePromptState, type Prompt } from "./prompts.ts";
import { colors, type View } from "./view.ts";

/** Runs what somebody typed; `path` is "ban add". */
export async function runHandler(
  context: CommandContext,
  path: string,
  handler: Handler,
  raw: RawValues,
): Promise<View> {
  const args = await readArguments(context, handler.options, raw);
  switch (handler.kind) {
    case "answer":
      return handler.run(context, args);
    case "confirm":
      return askFirst(context, path, handler, await handler.preview(context, args));
    case "form":
      throw new Error(`/${path} begins with a form`);
    case "listing": {
      const state = { raw, cursors: [] };
      const life = promptLife.list;
      return turnPage(context, handler, args, state, 0, () =>
        addPrompt(context, context.actor, { path, state, life }),
      );
    }
  }
}

export async function readArguments(
  context: CommandContext,
  options: Options,
  raw: RawValues,
): Promise<ArgumentsOf<Options>> {
  const args: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) args[name] = await option.read(raw[name], context);
  return args;
}

/** Puts Confirm and Cancel under a preview that has something to confirm. */
export async function askFirst(
  context: CommandContext,
  path: string,
  handler: Pick<ConfirmHandler, "confirmLabel">,
  { view, state }: Preview<unknown>,
): Promise<View> {
  if (state === undefined) return view;
  const life = promptLife.confirm;
  const id = await addPrompt(context, context.actor, { path, state: { confirmed: state }, life });
  return {
    ...view,
    buttons: [
      ...(view.buttons ?? []),
      [
        { customId: `confirm:${id}`, label: handler.confirmLabel, style: "danger" },
        { customId: `cancel:${id}`, label: "Cancel", style: "secondary" },
      ],
    ],
  };
}

const ListState = z.object({
  raw: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** Where pages 1, 2, … begin. */
  cursors: z.array(z.string()),
});
type ListState = { raw: RawValues; cursors: string[] };

const ConfirmState = z.object({ confirmed: z.unknown() });

/** Does what a button asks for. `custom_id` is "confirm:<id>", "cancel:<id>" or "page:<id>:<number>". */
export async function runButton(
  context: CommandContext,
  findHandler: (path: string) => Handler | undefined,
  customId: string,
): Promise<View> {
  const [deed, id = "", page = "0"] = customId.split(":");
  const prompt = await readPrompt(context, context.actor, id);
  const handler = findHandler(prompt.path);
  if (deed === "page" && handler?.kind === "listing") return showPage(context, handler, prompt, Number(page));
  const confirms = handler?.kind === "confirm" || handler?.kind === "form";
  if (deed === "cancel" && confirms) {
    await answerPrompt(context, id);
    return { embeds: [{ description: "Cancelled. Nothing was done.", color: colors.plain }] };
  }
  if (deed === "confirm" && confirms) {
    const { confirmed } = ConfirmState.parse(prompt.state);
    await answerPrompt(context, id);
    return handler.act(context, confirmed);
  }
  throw new AppError("expired", "This button is from an older version. Please run the command again.");
}

async function showPage(
  context: CommandContext,
  handler: ListingHandler,
  prompt: Prompt,
  page: number,
): Promise<View> {
  const state = ListState.parse(prompt.state);
  const args = await readArguments(context, handler.options, state.raw);
  return turnPage(context, handler, args, state, page, async (next) => {
    await writePromptState(context, prompt.id, next);
    return prompt.id;
  });
}

async function turnPage(
  context: CommandContext,
  handler: ListingHandler,
  args: ArgumentsOf<Options>,
  state: ListState,
  page: number,
  keep: (state: ListState) => Promise<string>,
): Promise<View> {
  const cursor = page === 0 ? undefined : state.cursors[page - 1];
  if (page !== 0 && cursor === undefined)
    throw new AppError("expired", "That page is gone. Please list again.");
  const { view, next } = await handler.page(context, args, cursor);
  if (next === undefined && page === 0) return view;
  if (next !== undefined) state.cursors[page] = next;
  const id = await keep(state);
  const back = { customId: `page:${id}:${page - 1}`, label: "Back", style: "secondary" as const };
  const on = { customId: `page:${id}:${page + 1}`, label: "Next", style: "secondary" as const };
  const row = [...(page > 0 ? [back] : []), ...(next === undefined ? [] : [on])];
  return { ...view, buttons: [...(view.buttons ?? []), row] };
}
