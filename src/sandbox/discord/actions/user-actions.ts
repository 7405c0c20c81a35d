import { AppError } from "../../../errors.ts";
import type { Context } from "../context.ts";
import type { Interaction } from "../interactions/interactions.ts";
import { removeMessage } from "../messages/save-message.ts";
import { postMessage } from "../messages/write-message.ts";
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

export type UserActions = ReturnType<typeof createUserActions>;

/** The actions of a person in a Discord client. Mistakes throw AppErrors, where a real client would refuse them. */
export function createUserActions(context: Context) {
  return {
    slash: (typed: TypedCommand) => runSlashCommand(context, typed),
    autocomplete: (typed: TypedCommand & { focused: string }) => askSuggestions(context, typed),
    contextMenu: (choice: MenuChoice) => runMenuCommand(context, choice),
    click: (use: ComponentUse) => clickButton(context, use),
    select: (use: ComponentUse & { values: readonly string[] }) => chooseOptions(context, use),
    submitModal: (submission: Actor & { opened: Interaction; fields: GivenFields }) =>
      submitModal(context, submission),
    say({ content, ...actor }: Actor & { content: string }) {
      const { user, room } = findActor(context.world, actor);
      if (content.trim() === "") throw new AppError("invalid_input", "Please write something.");
      if (content.length > 2000) {
        throw new AppError("invalid_input", "A message can have at most 2,000 characters.");
      }
      return postMessage(context, { roomId: room.id, authorId: user.id, body: { content } });
    },
    /** Sets the language of a person's app, such as "de". */
    chooseLanguage(person: string, locale: string) {
      context.record({ kind: "user", user: { ...findPerson(context.world, person), locale } });
    },
    /** Hides an ephemeral message from its only reader. */
    dismiss({ message, ...actor }: Actor & { message: string }) {
      const { user, room } = findActor(context.world, actor);
      const found = findVisible(context.world, room, user, message);
      if (found.visibleTo !== user.id) {
        throw new AppError("invalid_input", "You can dismiss only messages that nobody else sees.");
      }
      removeMessage(context, found);
    },
  };
}
