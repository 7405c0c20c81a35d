import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { interactionType } from "../numbers.ts";
import { type Modal, type ModalField, modalFields } from "../shapes/modal.ts";
import { dispatchInteraction } from "./dispatch-interaction.ts";
import { findPerson, findPlace } from "./find.ts";
import type { Actor } from "./run-command.ts";

export type GivenFields = Readonly<Record<string, string | readonly string[]>>;

/** The filled form of a modal; `opened` is the interaction that the bot answered with it. */
export async function submitModal(
  context: Context,
  submission: Actor & { opened: Interaction; fields: GivenFields },
): Promise<Interaction> {
  const outcome = await submission.opened.outcome;
  if (outcome.kind !== "modal") throw new AppError("invalid_input", "There is no form to send.");
  const user = findPerson(context.world, submission.user);
  const { room, guild } = findPlace(context.world, submission.room);
  const { source } = submission.opened;
  const data = {
    custom_id: outcome.modal.custom_id,
    components: filledComponents(outcome.modal, submission.fields),
  };
  return dispatchInteraction(context, {
    type: interactionType.modal,
    user,
    room,
    guild,
    name: null,
    source,
    opener: submission.opened,
    data,
  });
}

function filledComponents(modal: Modal, given: GivenFields): unknown[] {
  const names = new Map(modalFields(modal).map(({ label, field }) => [field.custom_id, label]));
  let last = 0;
  return modal.components.map((component) => {
    const id = component.id ?? ++last;
    const fill = (field: ModalField) => ({
      type: field.type,
      id: field.id ?? ++last,
      custom_id: field.custom_id,
      ...filledField(field, given[field.custom_id], names.get(field.custom_id) ?? field.custom_id),
    });
    if (component.type === 18) return { type: 18, id, component: fill(component.component) };
    if (component.type === 1) return { type: 1, id, components: component.components.map(fill) };
    return { type: component.type, id };
  });
}

function filledField(
  field: ModalField,
  given: string | readonly string[] | undefined,
  label: string,
): { value: string } | { values: readonly string[] } {
  const values = given === undefined ? [] : typeof given === "string" ? [given] : given;
  if (field.type !== 4) {
    if (values.length === 0 && (field.required ?? true)) throw missing(label);
    return { values };
  }
  const value = values[0] ?? field.value ?? "";
  if (value === "" && (field.required ?? true)) throw missing(label);
  if (value !== "" && value.length < (field.min_length ?? 0)) {
    throw new AppError("invalid_input", `${label} takes at least ${field.min_length} characters.`);
  }
  if (value.length > (field.max_length ?? 4000)) {
    throw new AppError("invalid_input", `${label} takes at most ${field.max_length ?? 4000} characters.`);
  }
  return { value };
}

function missing(label: string): AppError {
  return new AppError("invalid_input", `Please fill in ${label}.`);
}
