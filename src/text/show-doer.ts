import { inlineCode } from "./message-text.ts";

/** An actor: "<@5>", or the API token that acted in their name. */
export function showDoer(userId: string | null, token: string | null): string {
  return token === null ? `<@${userId}>` : `the API token ${inlineCode(token)} of <@${userId}>`;
}
