// @ts-nocheck
import { walkComponents } from "../shapes/component-tree.ts";
import type { AllowedMentions } from "../shapes/message.ts";
import type { Message } from "../world/world.ts";

type Mentions = Pick<Message, "mentionedUserIds" | "mentionedRoleIds" | "mentionsEveryone">;

/** Whom a message pings: what its text names, as far as `allowed` lets it. */
export function readMentions(
  message: Pick<Message, "content" | "components">,
  allowed: AllowedMentions | null | undefined,
): Mentions {
  const displays = [...walkComponents(message.components, [])].map(({ component }) =>
    component.type === 10 ? component.content : "",
  );
  const text = [message.content, ...displays].join("\n");
  const may = (kind: "users" | "roles", id: string) =>
    !allowed || (allowed.parse?.includes(kind) ?? false) || (allowed[kind]?.includes(id) ?? false);
  return {
    mentionedUserIds: named(text, /<@!?(\d+)>/g).filter((id) => may("users", id)),
    mentionedRoleIds: named(text, /<@&(\d+)>/g).filter((id) => may("roles", id)),
    mentionsEveryone:
      /@(everyone|here)\b/.test(text) && (!allowed || (allowed.parse?.includes("everyone") ?? false)),
  };
}

function named(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ""))];
}
