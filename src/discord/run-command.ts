import { ApplicationCommandOptionType } from "discord.js";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { encodeCustomId, type CustomId } from "../text/custom-id.ts";
import type {
  ArgumentsOf,
  Command,
  ConfirmHandler,
  Handler,
  ListingHandler,
  Options,
  Preview,
  RawValues,
} from "./command.ts";
import { findHandler, toCurrent } from "./find-handler.ts";
import { ChoiceNeeded, offerChoice, readChoice } from "./choices.ts";
import type { CommandContext } from "./command-context.ts";
import {
  addPrompt,
  answerPrompt,
  promptLife,
  readPrompt,
  readState,
  writePromptState,
  type Prompt,
} from "./prompts.ts";
import { offerQuestion, readConfirmed } from "./questions.ts";
import { textView, type View } from "./view.ts";

/** Runs a typed command; `path` is "feed add". Ambiguous input is resolved with a menu. */
export async function runHandler(
  context: CommandContext,
  typedPath: string,
  handler: Handler,
  typed: RawValues,
): Promise<View> {
  const { path, raw } = toCurrent(typedPath, typed);
  try {
    return await runClear(context, path, handler, raw);
  } catch (error) {
    if (error instanceof ChoiceNeeded) return offerChoice(context, path, raw, error);
    throw error;
  }
}

async function runClear(
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
      return confirmFirst(context, path, handler, await handler.preview(context, args));
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

/** Parses options from a button's id into the types that Discord sends. */
export function typeOptions(handler: Handler, options: Readonly<Record<string, string>>): RawValues {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const type = handler.options[name]?.type;
      if (type === ApplicationCommandOptionType.Integer) return [name, Number(value)];
      return [name, type === ApplicationCommandOptionType.Boolean ? value === "true" : value];
    }),
  );
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

/** Adds Confirm and Cancel to a preview that needs confirmation. */
export async function confirmFirst(
  context: CommandContext,
  path: string,
  handler: Pick<ConfirmHandler, "confirmLabel">,
  { view, state, confirmLabel = handler.confirmLabel, question }: Preview<unknown>,
): Promise<View> {
  if (question) return offerQuestion(context, path, view, question);
  if (state === undefined) return view;
  const life = promptLife.confirm;
  const promptId = await addPrompt(context, context.actor, { path, state: { confirmed: state }, life });
  return {
    ...view,
    buttons: [
      ...(view.buttons ?? []),
      [
        {
          customId: encodeCustomId({ kind: "confirm", promptId }),
          label: confirmLabel,
          style: "danger",
        },
        { customId: encodeCustomId({ kind: "cancel", promptId }), label: "Cancel", style: "secondary" },
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

/** Handles a button under one of our own answers. */
export async function runButton(
  context: CommandContext,
  commands: readonly Command[],
  id: CustomId,
): Promise<View> {
  if (!("promptId" in id) || id.kind === "form" || id.kind === "fill" || id.kind === "answer")
    throw outdatedButton();
  if (id.kind === "choose")
    return runChoice(context, commands, id.promptId, id.choice === undefined ? [] : [id.choice]);
  const prompt = await readPrompt(context, context.actor, id.promptId);
  const handler = findHandler(commands, prompt.path);
  if (id.kind === "page") {
    if (handler?.kind !== "listing") throw outdatedButton();
    return showPage(context, handler, prompt, id.page);
  }
  if (handler?.kind !== "confirm" && handler?.kind !== "form") throw outdatedButton();
  if (id.kind === "cancel") {
    await answerPrompt(context, prompt.id);
    return textView("plain", "Cancelled. Nothing was done.");
  }
  const confirmed = readConfirmed(prompt, id.kind === "confirm" ? id.choice : undefined);
  if (confirmed === undefined) throw outdatedButton();
  await answerPrompt(context, prompt.id);
  return handler.act(context, confirmed);
}

/** Runs a command with the choice in the menu under our question. */
export async function runChoice(
  context: CommandContext,
  commands: readonly Command[],
  promptId: string,
  values: readonly string[],
): Promise<View> {
  const { path, raw } = await readChoice(context, promptId, values);
  const handler = findHandler(commands, path);
  if (!handler || handler.kind === "form") throw outdatedButton();
  await answerPrompt(context, promptId);
  return runHandler(context, path, handler, raw);
}

function outdatedButton(): TranslatedError {
  return new TranslatedError("expired", ({ outdated }) => outdated.button);
}

async function showPage(
  context: CommandContext,
  handler: ListingHandler,
  prompt: Prompt,
  page: number,
): Promise<View> {
  const state = readState(ListState, prompt.state);
  const args = await readArguments(context, handler.options, toCurrent(prompt.path, state.raw).raw);
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
  save: (state: ListState) => Promise<string>,
): Promise<View> {
  const cursor = page === 0 ? undefined : state.cursors[page - 1];
  if (page !== 0 && cursor === undefined)
    throw new AppError("expired", "That page no longer exists. Please run the command again.");
  const { view, next } = await handler.page(context, args, cursor);
  if (next === undefined && page === 0) return view;
  if (next !== undefined) state.cursors[page] = next;
  const promptId = await save(state);
  const button = (label: string, to: number) => ({
    customId: encodeCustomId({ kind: "page", promptId, page: to }),
    label,
    style: "secondary" as const,
  });
  const row = [
    ...(page > 0 ? [button("Back", page - 1)] : []),
    ...(next === undefined ? [] : [button("Next", page + 1)]),
  ];
  return { ...view, buttons: [...(view.buttons ?? []), row] };
}
