import { asAppError } from "../errors.ts";

/**
 * What an error of `Rooms` means for what was to be sent.
 * - sent: there is nothing left to do, because the message was deleted meanwhile.
 * - later: it may pass without anybody's doing, after `retryAfter` at the earliest where the error has one.
 * - paused: the room, or the person, takes no message at all until somebody changes that.
 * - blocked: the server's own filter stops this message until somebody changes that.
 * - refused: Discord does not take this message.
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

/** What went wrong, for people; the log has more of what nobody foresaw. */
export function describeFailure(error: unknown): string {
  return asAppError(error)?.message ?? "Discord did not answer as it should.";
}
