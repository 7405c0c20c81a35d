import { randomBytes } from "node:crypto";
import { ZodError } from "zod";
import { AppError, type ErrorCode } from "../errors.ts";

/** What a page's server answers where something went wrong. */
export interface PageError {
  status: number;
  code: string;
  message: string;
  /** Of what nobody foresaw: it stands in the message, and belongs into the line of the log. */
  id?: string;
}

interface Words {
  /** HTTP statuses of our own errors; 400 of all others. */
  statuses: Partial<Record<ErrorCode, number>>;
  /** Of what Fastify refuses, with such a status, before any of our code: bodies that are too large, or not JSON. */
  refused: (status: number) => PageError;
}

/** Tells a page of an error in its own words; of one that nobody foresaw it tells nothing, for that stands in the log. */
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
  return { status: 500, code: "failed", message: `Something went wrong (${id}). The log says what.`, id };
}
