// @ts-nocheck
import type { FormIssue } from "../discord-error.ts";
import { messageFlag } from "../numbers.ts";
import { MessageBody, messageIssues } from "../shapes/message.ts";
import { parseForm } from "../shapes/parse-form.ts";
import type { Message } from "../world/world.ts";

export function readNewMessage(body: unknown): MessageBody {
  return parseForm(MessageBody, body, (message) => messageIssues(message, message.flags ?? 0));
}

/** An edit is judged by what the message is: one with components v2 stays so, and ephemeral stays as it was. */
export function readEdit(body: unknown, message: Message): MessageBody {
  return parseForm(
    MessageBody,
    body,
    (edit) => messageIssues(edit, message.flags | (edit.flags ?? 0)),
    (edit) => visibilityIssues(edit, message),
  );
}

function* visibilityIssues(edit: MessageBody, message: Message): Iterable<FormIssue> {
  if (((edit.flags ?? 0) & messageFlag.ephemeral) > (message.flags & messageFlag.ephemeral)) {
    const text = "Whether a message is ephemeral cannot be changed by an edit";
    yield { path: ["flags"], code: "MESSAGE_FLAGS_INVALID", message: text };
  }
}
