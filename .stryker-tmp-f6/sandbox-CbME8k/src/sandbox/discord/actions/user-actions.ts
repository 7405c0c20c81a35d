// @ts-nocheck
import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { removeMessage } from "../messages/keep-message.ts";
import { postMessage } from "../messages/write-message.ts";
import type { Choice } from "../shapes/command.ts";
import type { Message } from "../world/world.ts";
import { findPerson, findPlace, findVisible } from "./find.ts";
import {
  type Actor,
  askSuggestions,
  type MenuChoice,
  runMenuCommand,
  runSlashCommand,
  type TypedCommand,
} from "./run-command.ts";
import { type GivenFields, submitModal } from "./submit-modal.ts";
import { chooseOptions, clickButton, type ComponentUse } from "./use-component.ts";

/** What a person at a Discord client can do. Mistakes of theirs are AppErrors, as their client would refuse them. */
export interface UserActions {
  slash: (typed: TypedCommand) => Interaction;
  autocomplete: (typed: TypedCommand & { focused: string }) => Promise<Choice[]>;
  contextMenu: (choice: MenuChoice) => Interaction;
  click: (use: ComponentUse) => Interaction;
  select: (use: ComponentUse & { values: readonly string[] }) => Interaction;
  submitModal: (submission: Actor & { opened: Interaction; fields: GivenFields }) => Promise<Interaction>;
  say: (saying: Actor & { content: string }) => Message;
  /** Takes an ephemeral message out of the sight of its only reader. */
  dismiss: (dismissal: Actor & { message: string }) => void;
}

export function createUserActions(context: Context): UserActions {
  return {
    slash: (typed) => runSlashCommand(context, typed),
    autocomplete: (typed) => askSuggestions(context, typed),
    contextMenu: (choice) => runMenuCommand(context, choice),
    click: (use) => clickButton(context, use),
    select: (use) => chooseOptions(context, use),
    submitModal: (submission) => submitModal(context, submission),
    say({ user, room, content }) {
      const author = findPerson(context.world, user);
      const place = findPlace(context.world, room);
      if (content.trim() === "") throw new AppError("invalid_input", "Please write something.");
      if (content.length > 2000)
        throw new AppError("invalid_input", "A message may be 2000 characters long.");
      return postMessage(context, { roomId: place.room.id, authorId: author.id, body: { content } });
    },
    dismiss({ user, room, message }) {
      const reader = findPerson(context.world, user);
      const found = findVisible(context.world, findPlace(context.world, room).room, reader, message);
      if (found.visibleTo !== reader.id)
        throw new AppError("invalid_input", "Only your own notices can be dismissed.");
      removeMessage(context, found);
    },
  };
}
