import { z } from "zod";
import { withTimeout } from "../async.ts";
import { AppError, asAppError } from "../errors.ts";
import { colors } from "../text/colors.ts";
import {
  findHandler,
  type ArgumentsOf,
  type Command,
  type ConfirmHandler,
  type Form,
  type FormField,
  type FormHandler,
  type Handler,
  type ListingHandler,
  type Options,
  type Preview,
  type RawValues,
} from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { describeRefusal } from "./describe-error.ts";
import { addPrompt, answerPrompt, promptLife, readPrompt, writePromptState, type Prompt } from "./prompts.ts";
import { encodeCustomId, type CustomId, type View } from "./view.ts";

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
async function confirmFirst(
  context: CommandContext,
  path: string,
  handler: Pick<ConfirmHandler, "confirmLabel">,
  { view, state }: Preview<unknown>,
): Promise<View> {
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
          label: handler.confirmLabel,
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

const ConfirmState = z.object({ confirmed: z.unknown() });

/** Does what a button under one of our own answers asks for. */
export async function runButton(
  context: CommandContext,
  commands: readonly Command[],
  id: CustomId,
): Promise<View> {
  if (id.kind === "command" || id.kind === "form") throw outdatedButton();
  const prompt = await readPrompt(context, context.actor, id.promptId);
  const handler = findHandler(commands, prompt.path);
  if (id.kind === "page") {
    if (handler?.kind !== "listing") throw outdatedButton();
    return showPage(context, handler, prompt, id.page);
  }
  if (handler?.kind !== "confirm" && handler?.kind !== "form") throw outdatedButton();
  if (id.kind === "cancel") {
    await answerPrompt(context, prompt.id);
    return { embeds: [{ description: "Cancelled. Nothing was done.", color: colors.plain }] };
  }
  const { confirmed } = ConfirmState.parse(prompt.state);
  await answerPrompt(context, prompt.id);
  return handler.act(context, confirmed);
}

function outdatedButton(): AppError {
  return new AppError("expired", "This button is from an older version. Please run the command again.");
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
  save: (state: ListState) => Promise<string>,
): Promise<View> {
  const cursor = page === 0 ? undefined : state.cursors[page - 1];
  if (page !== 0 && cursor === undefined)
    throw new AppError("expired", "That page is gone. Please run the command again.");
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

/** A form as Discord is told of it. */
export interface OpenedForm {
  customId: string;
  title: string;
  fields: Record<string, FormField>;
}

const Field = z.object({ label: z.string(), value: z.string(), maxLength: z.int() });
/** What stands behind an open form: enough to open it again with what was typed. */
const FormState = z.object({
  form: z.object({ title: z.string(), fields: z.record(z.string(), Field), state: z.unknown() }),
});

/** Discord waits three seconds for a form, and then tells the person that the bot is broken. */
const patience = 2300;

/** Opens a command's form, or gives the view to answer with. Throws `network_unreachable` when that takes too long. */
export async function openForm(
  context: CommandContext,
  path: string,
  handler: FormHandler,
  raw: RawValues,
): Promise<OpenedForm | { view: View }> {
  const opened = await inTime(open(context, handler, raw));
  if ("view" in opened) return opened;
  const prompt = { path, state: { form: opened }, life: promptLife.list };
  const promptId = await addPrompt(context, context.actor, prompt);
  return { customId: encodeCustomId({ kind: "form", promptId }), title: opened.title, fields: opened.fields };
}

async function open(
  context: CommandContext,
  handler: FormHandler,
  raw: RawValues,
): Promise<Form<unknown> | { view: View }> {
  return handler.open(context, await readArguments(context, handler.options, raw));
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, patience, () => {
    const message = "The network is too slow for a form right now. Please try again in a moment.";
    throw new AppError("network_unreachable", message);
  });
}

/** Opens a form again, with what was typed the last time. */
export async function reopenForm(context: CommandContext, promptId: string): Promise<OpenedForm> {
  const { form } = await readForm(context, promptId);
  return { customId: encodeCustomId({ kind: "form", promptId }), title: form.title, fields: form.fields };
}

/** Shows what a filled form would do. What was typed wrongly is kept, to be edited again. */
export async function runForm(
  context: CommandContext,
  commands: readonly Command[],
  id: CustomId,
  typed: Readonly<Record<string, string>>,
): Promise<View> {
  const outdated = new AppError(
    "expired",
    "This form is from an older version. Please run the command again.",
  );
  if (id.kind !== "form") throw outdated;
  const { promptId } = id;
  const { path, form } = await readForm(context, promptId);
  const handler = findHandler(commands, path);
  if (handler?.kind !== "form") throw outdated;
  try {
    return await confirmFirst(context, path, handler, await handler.preview(context, form.state, typed));
  } catch (error) {
    const wrong = asAppError(error, "invalid_file", "invalid_input");
    if (!wrong) throw error;
    const fields = Object.entries(form.fields).map(([name, field]) => [
      name,
      { ...field, value: typed[name] ?? field.value },
    ]);
    await writePromptState(context, promptId, { form: { ...form, fields: Object.fromEntries(fields) } });
    return {
      embeds: [describeRefusal(wrong)],
      buttons: [[{ customId: encodeCustomId(id), label: "Edit again", style: "primary" }]],
    };
  }
}

async function readForm(context: CommandContext, promptId: string) {
  const { path, state } = await readPrompt(context, context.actor, promptId);
  return { path, form: FormState.parse(state).form };
}
