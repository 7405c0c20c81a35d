// @ts-nocheck
import { asAppError, AppError } from "../../errors.ts";

/**
 * The AppError that a failed request amounts to: what an operation threw, what Fastify refused before it (sizes,
 * broken JSON, URLs), or a database that is away. Undefined for a bug.
 */
export function readError(thrown: unknown): AppError | undefined {
  const known = asAppError(thrown);
  if (known?.code === "database_unavailable" || isConnectionLost(thrown)) {
    return new AppError("not_ready", "The network's database does not answer; try again in a moment.", {
      retryAfter: 1,
      cause: thrown,
    });
  }
  return known ?? readRefusal(thrown);
}

/** The database is all that this half connects to: SQLSTATE classes 08 and 57P, or the system's own codes. */
function isConnectionLost(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return (
    /^(08|57P)\w{2,3}$|^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI)/.test(code) || lostConnection.test(thrown.message)
  );
}

/** What pg says without a code. */
const lostConnection = /^(Connection terminated|timeout exceeded when trying to connect)/;

function readRefusal(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("statusCode" in thrown)) return undefined;
  const { code, statusCode } = thrown;
  if (typeof code !== "string" || !code.startsWith("FST_")) return undefined;
  if (statusCode === 413) return new AppError("too_large", "The body is too large.", { cause: thrown });
  if (typeof statusCode !== "number" || statusCode >= 500) return undefined;
  const message = refusals[code] ?? "The request is not well-formed.";
  return new AppError("invalid_request", message, { cause: thrown });
}

const refusals: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "The body is not valid JSON.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The body must be JSON, with Content-Type: application/json.",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body is not as long as Content-Length says.",
  FST_ERR_BAD_URL: "The URL is not well-formed.",
};
