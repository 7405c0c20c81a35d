import { encodeCustomId } from "../text/custom-id.ts";
import type { Form, FormField } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { addPrompt, promptLife } from "./prompts.ts";

/** A form in the format that is sent to Discord. */
export interface OpenedForm {
  customId: string;
  title: string;
  fields: Record<string, FormField>;
}

/** Stores a form, so that it can be opened by its id, also after a restart. */
export async function storeForm(
  context: CommandContext,
  path: string,
  form: Form<unknown>,
  kind: "form" | "fill" = "form",
): Promise<OpenedForm> {
  const promptId = await addPrompt(context, context.actor, { path, state: { form }, life: promptLife.list });
  return { customId: encodeCustomId({ kind, promptId }), title: form.title, fields: form.fields };
}
