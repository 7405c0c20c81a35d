import { inlineCode } from "./message-text.ts";

/** In place of a Discord user, for what the operator does at the command line. */
export const operator = "operator";

/** The words for actors without a name, in English. */
export const doerWords = {
  operator: "the operator",
  token: (token: string, user: string) => `the API token ${token} of ${user}`,
};

/** A Discord user, or the operator. */
export function showUser(userId: string | null, words = doerWords): string {
  return userId === operator ? words.operator : `<@${userId}>`;
}

/** An actor: "<@5>", or the API token that acted in their name. */
export function showDoer(userId: string | null, token: string | null, words = doerWords): string {
  const user = showUser(userId, words);
  return token === null ? user : words.token(inlineCode(token), user);
}
