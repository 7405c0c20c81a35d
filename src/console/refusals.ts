import { mentionCommands } from "../discord/mention-commands.ts";
import type { ErrorCode } from "../errors.ts";
import { explainToPage, type PageError } from "../web/page-errors.ts";

/** The response to the console's page for an error. */
export function explainRefusal(error: unknown): PageError {
  return explain(error, refused);
}

/** The response for an error, with the names of commands as text. */
export function explain(error: unknown, refused: (status: number) => PageError): PageError {
  const explained = explainToPage(error, { statuses, refused });
  return { ...explained, message: mentionCommands(explained.message, undefined) };
}

const statuses: Partial<Record<ErrorCode, number>> = {
  invalid_auth_token: 401,
  not_allowed: 403,
  not_proven: 403,
  cannot_ban_owner: 403,
  not_found: 404,
  not_linked: 404,
  expired: 410,
  already_answered: 409,
  request_in_progress: 409,
  idempotency_key_reused: 422,
  rate_limited: 429,
  database_unavailable: 503,
  not_ready: 503,
  discord_unreachable: 502,
  network_unreachable: 502,
  network_failed: 502,
};

const refused = (status: number): PageError => ({
  status,
  code: "invalid_input",
  message: status === 413 ? "That is too long for the console." : "The page must send only valid JSON.",
});
