import { z } from "zod";
import { AppError, asAppError } from "../errors.ts";
import type { CommandContext, Form, FormField, FormHandler, Handler } from "./command.ts";
import { describeRefusal } from "./describe-error.ts";
import type { RawValues } from "./option.ts";
import { addPrompt, promptLife, readPrompt, writePromptState } from "./prompts.ts";
import { askFirst, readArguments } from "./run-handler.ts";
import type { View } from "./view.ts";

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
  const id = await addPrompt(context, context.actor, {
    path,
    state: { form: opened },
    life: promptLife.list,
  });
  return { customId: `form:${id}`, title: opened.title, fields: opened.fields };
}

async function open(
  context: CommandContext,
  handler: FormHandler,
  raw: RawValues,
): Promise<Form<unknown> | { view: View }> {
  return handler.open(context, await readArguments(context, handler.options, raw));
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = "The network is slow just now, too slow for a form. Please try again in a moment.";
      reject(new AppError("network_unreachable", message));
    }, patience);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Opens a form again, with what was typed the last time. */
export async function reopenForm(context: CommandContext, customId: string): Promise<OpenedForm> {
  const { state } = await readForm(context, customId);
  return { customId, title: state.form.title, fields: state.form.fields };
}

/** Shows what a filled form would do. What was typed wrongly is kept, to be edited again. */
export async function runForm(
  context: CommandContext,
  findHandler: (path: string) => Handler | undefined,
  customId: string,
  typed: Readonly<Record<string, string>>,
): Promise<View> {
  const { id, path, state } = await readForm(context, customId);
  const handler = findHandler(path);
  if (handler?.kind !== "form") {
    throw new AppError("expired", "This form is from an older version. Please run the command again.");
  }
  try {
    return await askFirst(context, path, handler, await handler.preview(context, state.form.state, typed));
  } catch (error) {
    const wrong = asAppError(error, "invalid_file", "invalid_input");
    if (!wrong) throw error;
    const fields = Object.entries(state.form.fields).map(([name, field]) => [
      name,
      { ...field, value: typed[name] ?? field.value },
    ]);
    await writePromptState(context, id, { form: { ...state.form, fields: Object.fromEntries(fields) } });
    return {
      embeds: [describeRefusal(wrong)],
      buttons: [[{ customId, label: "Edit again", style: "primary" }]],
    };
  }
}

async function readForm(context: CommandContext, customId: string) {
  const [, id = ""] = customId.split(":");
  const { path, state } = await readPrompt(context, context.actor, id);
  return { id, path, state: FormState.parse(state) };
}
