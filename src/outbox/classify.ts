import { asAppError } from "../errors.ts";

/**
 * The meaning of an error of `Rooms` for a request.
 * - sent: nothing is left to do, because the message has been deleted.
 * - later: the problem may pass without action, after the error's `retryAfter` at the earliest.
 * - paused: the room or person accepts no messages until somebody changes that.
 * - blocked: the server's AutoMod blocks this message until somebody changes that.
 * - refused: Discord rejects this message.
 */
export type Failure = "sent" | "later" | "paused" | "blocked" | "refused";

const failures: Readonly<Record<string, Failure>> = {
  message_gone: "sent",
  room_unavailable: "paused",
  message_blocked: "blocked",
  message_refused: "refused",
};

export function classify(error: unknown): Failure {
  return failures[asAppError(error)?.code ?? ""] ?? "later";
}

/** The error for people; the log has more about unexpected ones. */
export function describeFailure(error: unknown): string {
  return asAppError(error)?.message ?? "Discord returned an unexpected response.";
}
