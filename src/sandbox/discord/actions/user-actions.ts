import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { removeMessage } from "../messages/save-message.ts";
import { postMessage } from "../messages/write-message.ts";
import type { Choice } from "../shapes/command.ts";
import type { Message } from "../world/world.ts";
import { type Actor, findActor, findPerson, findVisible } from "./find.ts";
import {
  askSuggestions,
  type MenuChoice,
  runMenuCommand,
  runSlashCommand,
  type TypedCommand,
} from "./run-command.ts";
import {
  chooseOptions,
  clickButton,
  type ComponentUse,
  type GivenFields,
  submitModal,
} from "./use-component.ts";

/** The actions of a person in a Discord client. Mistakes throw AppErrors, where a real client would refuse them. */
export interface UserActions {
  slash: (typed: TypedCommand) => Interaction;
  autocomplete: (typed: TypedCommand & { focused: string }) => Promise<Choice[]>;
  contextMenu: (choice: MenuChoice) => Interaction;
  click: (use: ComponentUse) => Interaction;
  select: (use: ComponentUse & { values: readonly string[] }) => Interaction;
  submitModal: (submission: Actor & { opened: Interaction; fields: GivenFields }) => Promise<Interaction>;
  say: (saying: Actor & { content: string }) => Message;
  /** Sets the language of a person's app, such as "de". */
  chooseLanguage: (person: string, locale: string) => void;
  /** Hides an ephemeral message from its only reader. */
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
    say({ content, ...actor }) {
      const { user, room } = findActor(context.world, actor);
      if (content.trim() === "") throw new AppError("invalid_input", "Please write something.");
      if (content.length > 2000) {
        throw new AppError("invalid_input", "A message can have at most 2,000 characters.");
      }
      return postMessage(context, { roomId: room.id, authorId: user.id, body: { content } });
    },
    chooseLanguage(person, locale) {
      context.record({ kind: "user", user: { ...findPerson(context.world, person), locale } });
    },
    dismiss({ message, ...actor }) {
      const { user, room } = findActor(context.world, actor);
      const found = findVisible(context.world, room, user, message);
      if (found.visibleTo !== user.id) {
        throw new AppError("invalid_input", "You can dismiss only messages that nobody else sees.");
      }
      removeMessage(context, found);
    },
  };
}
