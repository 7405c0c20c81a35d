import { ComponentType, InteractionResponseType, InteractionType, MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";
import { ChoiceList } from "./command.ts";
import { EntitySelect, StringSelect, TextDisplay, TextInput } from "./component.ts";
import { selectIssues } from "./component-tree.ts";
import { MessageBody, messageIssues } from "./message.ts";

const Label = z.object({
  type: z.literal(ComponentType.Label),
  id: z.int().optional(),
  label: z.string().min(1).max(45),
  description: z.string().max(100).nullish(),
  component: z.discriminatedUnion("type", [TextInput, StringSelect, EntitySelect]),
});

const InputRow = z.object({
  type: z.literal(ComponentType.ActionRow),
  id: z.int().optional(),
  components: z.array(TextInput).length(1),
});

export const Modal = z.object({
  custom_id: z.string().min(1).max(100),
  title: z.string().min(1).max(45),
  components: z
    .array(z.discriminatedUnion("type", [Label, InputRow, TextDisplay]))
    .min(1)
    .max(5),
});
export type Modal = z.infer<typeof Modal>;

export type ModalField = z.infer<typeof Label>["component"];

/** A modal's inputs in order, with the label of each. */
export function modalFields(modal: Modal): { label: string; field: ModalField }[] {
  return modal.components.flatMap((component) => {
    switch (component.type) {
      case ComponentType.Label:
        return [{ label: component.label, field: component.component }];
      case ComponentType.ActionRow:
        return component.components.map((field) => ({ label: field.label ?? field.custom_id, field }));
      case ComponentType.TextDisplay:
        return [];
    }
  });
}

function* modalIssues(modal: Modal): Iterable<FormIssue> {
  const seen = new Set<string>();
  for (const [index, { field }] of modalFields(modal).entries()) {
    const path = ["data", "components", index];
    if (seen.has(field.custom_id)) {
      const message = "Component custom id cannot be duplicated";
      yield { path: [...path, "custom_id"], code: "COMPONENT_CUSTOM_ID_DUPLICATED", message };
    }
    seen.add(field.custom_id);
    if (field.type === ComponentType.StringSelect) yield* selectIssues(field, path);
  }
  for (const [index, component] of modal.components.entries()) {
    if (component.type === ComponentType.ActionRow && !component.components[0]?.label) {
      const path = ["data", "components", index, "components", 0, "label"];
      yield { path, code: "BASE_TYPE_REQUIRED", message: "This field is required" };
    }
  }
}

/** A deferred answer can be ephemeral; it has no other properties yet. */
const DeferredFlags = z.int().refine((flags) => (flags & ~MessageFlags.Ephemeral) === 0, {
  error: "Only EPHEMERAL can be set",
  params: { code: "MESSAGE_FLAGS_INVALID" },
});

/** The first answer to an interaction. */
export const Callback = z.discriminatedUnion("type", [
  z.object({
    type: z.literal(InteractionResponseType.ChannelMessageWithSource),
    data: MessageBody.nullish(),
  }),
  z.object({
    type: z.literal(InteractionResponseType.DeferredChannelMessageWithSource),
    data: z.object({ flags: DeferredFlags.nullish() }).nullish(),
  }),
  z.object({ type: z.literal(InteractionResponseType.DeferredMessageUpdate) }),
  z.object({ type: z.literal(InteractionResponseType.UpdateMessage), data: MessageBody.nullish() }),
  z.object({
    type: z.literal(InteractionResponseType.ApplicationCommandAutocompleteResult),
    data: ChoiceList,
  }),
  z.object({ type: z.literal(InteractionResponseType.Modal), data: Modal }),
]);
export type Callback = z.infer<typeof Callback>;

const messages = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
];
const updates = [InteractionResponseType.DeferredMessageUpdate, InteractionResponseType.UpdateMessage];

/** The callback types that can answer an interaction. */
const callbacksTo: Readonly<Record<InteractionType, readonly InteractionResponseType[]>> = {
  [InteractionType.Ping]: [],
  [InteractionType.ApplicationCommand]: [...messages, InteractionResponseType.Modal],
  [InteractionType.MessageComponent]: [...messages, ...updates, InteractionResponseType.Modal],
  [InteractionType.ApplicationCommandAutocomplete]: [
    InteractionResponseType.ApplicationCommandAutocompleteResult,
  ],
  [InteractionType.ModalSubmit]: [...messages, ...updates],
};

/** The mistake in a callback to an interaction of this type. `source` is the message that it came from. */
export function* callbackIssues(
  callback: Callback,
  type: InteractionType,
  source: object | null,
): Iterable<FormIssue> {
  const allowed = callbacksTo[type];
  if (!allowed.includes(callback.type) || (updates.includes(callback.type) && !source)) {
    const message = `Value must be one of {${allowed.join(", ")}}.`;
    yield { path: ["type"], code: "BASE_TYPE_CHOICES", message };
  } else if (callback.type === InteractionResponseType.ChannelMessageWithSource) {
    yield* messageIssues(callback.data ?? {}, callback.data?.flags ?? 0, ["data"]);
  } else if (callback.type === InteractionResponseType.Modal) {
    yield* modalIssues(callback.data);
  }
}
