import { asAppError, AppError } from "../../errors.ts";

/**
 * The AppError that a failed request amounts to: what an operation threw, what Fastify refused before it (sizes,
 * broken JSON, URLs), or a database that is away. Undefined for a bug.
 */
export function readError(thrown: unknown): AppError | undefined {
  const known = asAppError(thrown);
  if (known?.code === "database_unavailable") {
    return new AppError("not_ready", known.message, { retryAfter: 1, cause: known.cause ?? known });
  }
  return known ?? readRefusal(thrown);
}

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
