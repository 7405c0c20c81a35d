import { ComponentType, TextInputStyle } from "discord.js";
import { z } from "zod";
import { withTimeout } from "../async.ts";
import { asAppError } from "../errors.ts";
import { TranslatedError } from "../languages/translated-error.ts";
import { discordLimits } from "../limits/discord-limits.ts";
import { encodeCustomId, type CustomId } from "../text/custom-id.ts";
import { StoredOptions } from "./choices.ts";
import type { Command, Form, FormHandler, RawValues } from "./command.ts";
import { findHandler } from "./find-handler.ts";
import type { CommandContext } from "./command-context.ts";
import { describeRefusal } from "./describe-error.ts";
import { storeForm, type OpenedForm } from "./opened-form.ts";
import { readPrompt, readState, writePromptState } from "./prompts.ts";
import { confirmFirst, readArguments, runHandler } from "./run-command.ts";
import { fitText, type View } from "./view.ts";

const Field = z.object({
  label: z.string(),
  value: z.string(),
  maxLength: z.int(),
  optional: z.boolean().optional(),
  short: z.boolean().optional(),
});
/** The data of an open form: enough to open it again with its input. */
const FormState = z.object({
  form: z.object({ title: z.string(), fields: z.record(z.string(), Field), state: z.unknown() }),
});

/** Discord waits three seconds for a form, then shows the person that the bot failed. */
const formTimeoutMs = 2300;

/** Opens a command's form, or returns the view to answer with. Throws `network_unreachable` if that takes too long. */
export async function openForm(
  context: CommandContext,
  path: string,
  handler: FormHandler,
  raw: RawValues,
): Promise<OpenedForm | { view: View }> {
  const opened = await inTime(context, open(context, handler, raw));
  if ("view" in opened) return opened;
  return storeForm(context, path, opened);
}

async function open(
  context: CommandContext,
  handler: FormHandler,
  raw: RawValues,
): Promise<Form<unknown> | { view: View }> {
  return handler.open(context, await readArguments(context, handler.options, raw));
}

function inTime<T>(context: CommandContext, work: Promise<T>): Promise<T> {
  return withTimeout(work, context.formTimeoutMs ?? formTimeoutMs, () => {
    throw new TranslatedError("network_unreachable", ({ errors }) => errors.slow);
  });
}

/** Opens a form for some of a command's options; its state has the others. Submitting it runs the command. */
export function openFormOfOptions(
  context: CommandContext,
  path: string,
  asked: Form<RawValues>,
): Promise<OpenedForm> {
  return inTime(context, storeForm(context, path, asked));
}

type FormId = Extract<CustomId, { kind: "form" | "fill" }>;

/** Opens a form again with its previous input. */
export async function reopenForm(context: CommandContext, id: FormId): Promise<OpenedForm> {
  const { form } = await readForm(context, id.promptId);
  return { customId: encodeCustomId(id), title: form.title, fields: form.fields };
}

/** Shows what a filled form would do. Invalid input is stored, so that it can be edited again. */
export async function runForm(
  context: CommandContext,
  commands: readonly Command[],
  id: CustomId,
  typed: Readonly<Record<string, string>>,
): Promise<View> {
  const old = new TranslatedError("expired", ({ outdated }) => outdated.form);
  if (id.kind !== "form" && id.kind !== "fill") throw old;
  const { promptId } = id;
  const { path, form } = await readForm(context, promptId);
  const handler = findHandler(commands, path);
  if (!handler) throw old;
  if (handler.kind !== "form") {
    const given = Object.entries(typed).filter(([name, text]) => name in form.fields && text.trim() !== "");
    return runHandler(context, path, handler, {
      ...readState(StoredOptions, form.state),
      ...Object.fromEntries(given),
    });
  }
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
      embeds: [describeRefusal(wrong, context.texts)],
      buttons: [[{ customId: encodeCustomId(id), label: "Edit again", style: "primary" }]],
    };
  }
}

async function readForm(context: CommandContext, promptId: string) {
  const { path, state } = await readPrompt(context, context.actor, promptId);
  return { path, form: readState(FormState, state).form };
}

/** The form in the format of Discord's API. */
export function toModal({ customId, title, fields }: OpenedForm) {
  return {
    custom_id: customId,
    title: fitText(title, discordLimits.formTitle),
    components: Object.entries(fields).map(
      ([name, { label, value, maxLength, optional = false, short = false }]) => ({
        type: ComponentType.Label as const,
        label: fitText(label, discordLimits.formLabel),
        component: {
          type: ComponentType.TextInput as const,
          custom_id: name,
          style: short ? TextInputStyle.Short : TextInputStyle.Paragraph,
          value,
          max_length: maxLength,
          required: !optional,
        },
      }),
    ),
  };
}
