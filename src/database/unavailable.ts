import { AppError, asAppError, explainCertificateError } from "../errors.ts";
import { sqlState } from "./transactions.ts";

const away = "The database does not respond. Castellan continues automatically when it does.";
const slow = "The database took too long and gave up. Try again in a moment.";
const full =
  "The database accepts no changes at the moment: its disk is nearly full, or it is a read-only replica.";

/** The server has reached its maximum number of connections (max_connections). */
const tooManyConnections = "53300";

/** The server ended a statement after its time limit. */
const canceled = "57014";

/** A lock was not free within `lock_timeout`. */
const lockNotAvailable = "55P03";

/** Prefixes of SQLSTATEs for failures of the database, its disk or its load, which may pass. */
const states: readonly (readonly [string, string])[] = [
  ["08", away],
  ["57P", away],
  [canceled, slow],
  [lockNotAvailable, slow],
  ["25006", full],
  ["53100", full],
  [
    tooManyConnections,
    "PostgreSQL has no free connections: all that it allows are in use. Try again in a moment.",
  ],
  ["53", "The database is overloaded. Try again in a moment."],
];

/** System error codes, and pg's messages for errors without a code. */
const lostCode = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI)/;
const lostMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client .* not queryable)/;

/**
 * `database_unavailable`, for people, if the database is down, hangs or is full, with its error as the cause; other
 * failures unchanged.
 */
export function explainUnavailable<E>(error: E): E | AppError {
  if (!(error instanceof Error) || asAppError(error)) return error;
  const state = sqlState(error) ?? "";
  const message =
    states.find(([beginning]) => state.startsWith(beginning))?.[1] ??
    (isLost(error, state) ? away : undefined);
  return message === undefined ? error : new AppError("database_unavailable", message, { cause: error });
}

function isLost(error: Error, state: string): boolean {
  return (
    lostCode.test(state) || lostMessage.test(error.message) || explainCertificateError(error) !== undefined
  );
}

/** Whether something failed because all of the server's connections are in use, which may pass. */
export function isRefusedForNumber(error: unknown): boolean {
  return isBecauseOf(error, tooManyConnections);
}

/** Whether a statement was ended because it took too long, such as one that reads a very large table. */
export function isTooSlow(error: unknown): boolean {
  return isBecauseOf(error, canceled);
}

/** Whether other transactions held a lock for longer than `lock_timeout`, or waited for ours. */
export function isLockedByOthers(error: unknown): boolean {
  return isBecauseOf(error, lockNotAvailable) || isBecauseOf(error, "40P01");
}

function isBecauseOf(error: unknown, state: string): boolean {
  return error instanceof Error && (sqlState(error) === state || isBecauseOf(error.cause, state));
}
