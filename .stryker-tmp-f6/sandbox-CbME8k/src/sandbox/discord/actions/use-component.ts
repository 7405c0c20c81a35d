// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { interactionType } from "../numbers.ts";
import type { AnyComponent } from "../shapes/component.ts";
import { walkComponents } from "../shapes/component-tree.ts";
import type { Message } from "../world/world.ts";
import { dispatchInteraction } from "./dispatch-interaction.ts";
import { findPerson, findPlace, findVisible } from "./find.ts";
import { ResolvedValues } from "./resolve-values.ts";
import type { Actor } from "./run-command.ts";

export interface ComponentUse extends Actor {
  message: string;
  customId: string;
}

export function clickButton(context: Context, use: ComponentUse): Interaction {
  return useComponent(context, use, (component) => {
    if (component.type !== 2) throw new AppError("invalid_input", "That is not a button.");
    return {};
  });
}

/** Chooses in a select menu: values of its options, or ids of people, roles and rooms. */
export function chooseOptions(
  context: Context,
  use: ComponentUse & { values: readonly string[] },
): Interaction {
  const { guild } = findPlace(context.world, use.room);
  return useComponent(context, use, (component) => {
    if (component.type !== 3 && !(component.type >= 5 && component.type <= 8)) {
      throw new AppError("invalid_input", "That is not a menu.");
    }
    if (
      component.type === 3 &&
      !use.values.every((value) => component.options.some((one) => one.value === value))
    ) {
      throw new AppError("invalid_input", "That is not one of the menu's options.");
    }
    const resolved = new ResolvedValues(context, guild);
    for (const value of component.type === 3 ? [] : use.values)
      resolved.addUser(value).addRole(value).addRoom(value);
    return { values: use.values, ...resolved.toPayload() };
  });
}

function useComponent(
  context: Context,
  use: ComponentUse,
  dataOf: (component: AnyComponent) => Record<string, unknown>,
): Interaction {
  const user = findPerson(context.world, use.user);
  const { room, guild } = findPlace(context.world, use.room);
  const source = findVisible(context.world, room, user, use.message);
  const component = findComponent(source, use.customId);
  const data = {
    custom_id: use.customId,
    component_type: component.type,
    id: component.id,
    ...dataOf(component),
  };
  return dispatchInteraction(context, {
    type: interactionType.component,
    user,
    room,
    guild,
    name: null,
    source,
    data,
  });
}

function findComponent(message: Message, customId: string): AnyComponent {
  for (const { component } of walkComponents(message.components, [])) {
    if (!("custom_id" in component) || component.custom_id !== customId) continue;
    if (component.disabled) throw new AppError("invalid_input", "That is disabled.");
    return component;
  }
  throw new AppError("invalid_input", "That message has no such button or menu any more.");
}
