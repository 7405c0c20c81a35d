import { inlineCode } from "./message-text.ts";

/** In place of a Discord user, for what the operator does at the command line. */
export const operator = "operator";

/** A Discord user, or the operator. */
export function showUser(userId: string | null): string {
  return userId === operator ? "the operator" : `<@${userId}>`;
}

/** An actor: "<@5>", or the API token that acted in their name. */
export function showDoer(userId: string | null, token: string | null): string {
  return token === null ? showUser(userId) : `the API token ${inlineCode(token)} of ${showUser(userId)}`;
}
