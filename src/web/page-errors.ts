import { randomBytes } from "node:crypto";
import { ZodError } from "zod";
import { AppError, type ErrorCode } from "../errors.ts";

/** The response of a page's server to an error. */
export interface PageError {
  status: number;
  code: string;
  message: string;
  /** Id of an unexpected error, which is in the message and belongs in the log line. */
  id?: string;
}

interface Words {
  /** HTTP statuses of our own errors; all others are 400. */
  statuses: Partial<Record<ErrorCode, number>>;
  /** Errors with a status that Fastify raises before our code runs: bodies that are too large, or not JSON. */
  refused: (status: number) => PageError;
}

/** Describes an error to a page. Unexpected errors are not described, because details belong in the log. */
export function explainToPage(error: unknown, { statuses, refused }: Words): PageError {
  if (error instanceof AppError)
    return { status: statuses[error.code] ?? 400, code: error.code, message: error.message };
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    const message = `${issue?.path.join(".") || "The input"}: ${issue?.message ?? "is wrong"}`;
    return { status: 400, code: "invalid_input", message };
  }
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : 500;
  if (typeof status === "number" && status < 500) return refused(status);
  const id = randomBytes(4).toString("hex");
  return { status: 500, code: "failed", message: `Something went wrong (${id}). See the log.`, id };
}
