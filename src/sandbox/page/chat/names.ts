import type { Names } from "../../../web/kit/markdown.tsx";
import type { ChatGuild, ChatView } from "../../chat-pane/chat-view.ts";

/** The message's room, which determines its mentions. */
export interface ChatNames extends Names {
  view: ChatView;
  guild: ChatGuild | undefined;
}

/** Names for the mentions in a message. `write` puts a clicked command into the composer. */
export function namesIn(
  view: ChatView,
  guild: ChatGuild | undefined,
  write?: (text: string) => void,
): ChatNames {
  const named = <T extends { id: string }>(list: readonly T[] | undefined, id: string) =>
    list?.find((one) => one.id === id);
  const nameOf: Names["nameOf"] = (kind, id) => {
    if (kind === "role") return named(guild?.roles, id)?.name;
    if (kind === "room") return named(guild?.rooms, id)?.name;
    return id === view.bot.id ? view.bot.name : named(view.people, id)?.displayName;
  };
  return { view, guild, nameOf, ...(write && { write }) };
}
