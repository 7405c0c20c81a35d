import { ComponentType, InteractionType } from "discord-api-types/v10";
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import type { AnyComponent } from "../shapes/component.ts";
import { walkComponents } from "../shapes/component-tree.ts";
import { type Modal, type ModalField, modalFields } from "../shapes/interaction.ts";
import type { Message } from "../world/world.ts";
import { dispatchInteraction, resolveThings } from "./dispatch-interaction.ts";
import { type Actor, findActor, findVisible } from "./find.ts";

export interface ComponentUse extends Actor {
  message: string;
  customId: string;
}

export function clickButton(context: Context, use: ComponentUse): Interaction {
  return useComponent(context, use, (component) => {
    if (component.type !== ComponentType.Button) throw new AppError("invalid_input", "That is not a button.");
    return {};
  });
}

/** Selects values in a menu: its options, or ids of people, roles and rooms. */
export function chooseOptions(
  context: Context,
  use: ComponentUse & { values: readonly string[] },
): Interaction {
  const { values } = use;
  const { guild } = findActor(context.world, use);
  return useComponent(context, use, (component) => {
    switch (component.type) {
      case ComponentType.StringSelect:
        if (!values.every((value) => component.options.some((one) => one.value === value))) {
          throw new AppError("invalid_input", "That is not one of the menu's options.");
        }
        return { values };
      case ComponentType.UserSelect:
      case ComponentType.RoleSelect:
      case ComponentType.MentionableSelect:
      case ComponentType.ChannelSelect: {
        const things = { userIds: values, roleIds: values, roomIds: values };
        return { values, ...resolveThings(context, guild, things) };
      }
      default:
        throw new AppError("invalid_input", "That is not a menu.");
    }
  });
}

function useComponent(
  context: Context,
  use: ComponentUse,
  dataOf: (component: AnyComponent) => Record<string, unknown>,
): Interaction {
  const actor = findActor(context.world, use);
  const source = findVisible(context.world, actor.room, actor.user, use.message);
  const component = findComponent(source, use.customId);
  return dispatchInteraction(context, {
    ...actor,
    type: InteractionType.MessageComponent,
    source,
    data: {
      custom_id: use.customId,
      component_type: component.type,
      id: component.id,
      ...dataOf(component),
    },
  });
}

function findComponent(message: Message, customId: string): AnyComponent {
  for (const { component } of walkComponents(message.components, [])) {
    if (!("custom_id" in component) || component.custom_id !== customId) continue;
    if (component.disabled) throw new AppError("invalid_input", "That is disabled.");
    return component;
  }
  throw new AppError("expired", "That message no longer has this button or menu.");
}

export type GivenFields = Readonly<Record<string, string | readonly string[]>>;

/** Submits the modal's form. `opened` is the interaction that the bot answered with it. */
export async function submitModal(
  context: Context,
  submission: Actor & { opened: Interaction; fields: GivenFields },
): Promise<Interaction> {
  const { opened, fields } = submission;
  const outcome = await opened.outcome;
  if (outcome.kind !== "modal") throw new AppError("invalid_input", "There is no form to submit.");
  const { modal } = outcome;
  return dispatchInteraction(context, {
    ...findActor(context.world, submission),
    type: InteractionType.ModalSubmit,
    source: opened.source,
    opener: opened,
    data: { custom_id: modal.custom_id, components: filledComponents(modal, fields) },
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
    switch (component.type) {
      case ComponentType.Label:
        return { type: component.type, id, component: fill(component.component) };
      case ComponentType.ActionRow:
        return { type: component.type, id, components: component.components.map(fill) };
      case ComponentType.TextDisplay:
        return { type: component.type, id };
    }
  });
}

function filledField(
  field: ModalField,
  given: string | readonly string[] | undefined,
  label: string,
): { value: string } | { values: readonly string[] } {
  const values = given === undefined ? [] : typeof given === "string" ? [given] : given;
  if (field.type !== ComponentType.TextInput) {
    if (values.length === 0 && (field.required ?? true)) throw missing(label);
    return { values };
  }
  const value = values[0] ?? field.value ?? "";
  if (value === "" && (field.required ?? true)) throw missing(label);
  if (value !== "" && value.length < (field.min_length ?? 0)) {
    throw new AppError("invalid_input", `${label} needs at least ${field.min_length} characters.`);
  }
  if (value.length > (field.max_length ?? 4000)) {
    throw new AppError("invalid_input", `${label} can have at most ${field.max_length ?? 4000} characters.`);
  }
  return { value };
}

function missing(label: string): AppError {
  return new AppError("invalid_input", `Please fill in ${label}.`);
}
