// @ts-nocheck
import { z } from "zod";
import type { FormIssue } from "../discord-error.ts";
import { EntitySelect, StringSelect, TextDisplay, TextInput } from "./component.ts";
import { selectIssues } from "./component-tree.ts";

const Label = z.object({
  type: z.literal(18),
  id: z.int().optional(),
  label: z.string().min(1).max(45),
  description: z.string().max(100).nullish(),
  component: z.discriminatedUnion("type", [TextInput, StringSelect, EntitySelect]),
});

const InputRow = z.object({
  type: z.literal(1),
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

/** The inputs of a modal, in order, with the name that a person reads beside each. */
export function modalFields(modal: Modal): { label: string; field: ModalField }[] {
  return modal.components.flatMap((component) => {
    if (component.type === 18) return [{ label: component.label, field: component.component }];
    if (component.type === 1) {
      return component.components.map((field) => ({ label: field.label ?? field.custom_id, field }));
    }
    return [];
  });
}

export function* modalIssues(modal: Modal): Iterable<FormIssue> {
  const seen = new Set<string>();
  for (const [index, { field }] of modalFields(modal).entries()) {
    const path = ["data", "components", index];
    if (seen.has(field.custom_id)) {
      const message = "Component custom id cannot be duplicated";
      yield { path: [...path, "custom_id"], code: "COMPONENT_CUSTOM_ID_DUPLICATED", message };
    }
    seen.add(field.custom_id);
    if (field.type === 3) yield* selectIssues(field, path);
  }
  for (const [index, component] of modal.components.entries()) {
    if (component.type === 1 && !component.components[0]?.label) {
      const path = ["data", "components", index, "components", 0, "label"];
      yield { path, code: "BASE_TYPE_REQUIRED", message: "This field is required" };
    }
  }
}
