import { text, type Option, type Suggest } from "../../src/discord/command.ts";
import { listSavedReasons } from "../../src/moderation/saved-reasons.ts";
import { suggestedChannels } from "./suggestions.ts";

/** Why; the server's saved reasons are offered. */
export function reasonOption(
  description: string,
  { maxLength = 500 }: { maxLength?: number } = {},
): Option<string | undefined> {
  return text({ description, maxLength, suggest: suggestReasons });
}

/** The saved reasons, for everyone who has a capability in this server. */
export const suggestReasons: Suggest = async (typed, context) => {
  if ((await suggestedChannels(context)).length === 0) return [];
  const saved = await listSavedReasons(context.database.query, context.actor.guildId);
  const word = typed.trim().toLowerCase();
  return saved
    .filter(({ reason }) => reason.toLowerCase().includes(word))
    .map(({ reason }) => ({ name: reason, value: reason }));
};
