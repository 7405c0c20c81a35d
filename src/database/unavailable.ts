import { AppError, asAppError } from "../errors.ts";
import { sqlState } from "./transactions.ts";

const away = "The database does not answer. Castellan carries on by itself once it does.";
const slow = "The database took too long and gave up. Try again in a moment.";
const full =
  "The database takes no changes at the moment: its disk is full or nearly so, or it is a read-only copy.";

/** The server has as many connections as it may, max_connections of its settings. */
const tooManyConnections = "53300";

/** Beginnings of the SQLSTATE of what passes when the database, its disk or its load does. */
const states: readonly (readonly [string, string])[] = [
  ["08", away],
  ["57P", away],
  ["57014", slow],
  ["55P03", slow],
  ["25006", full],
  ["53100", full],
  [
    tooManyConnections,
    "PostgreSQL refuses more connections: as many as it allows are in use. Try again in a moment.",
  ],
  ["53", "The database is overloaded. Try again in a moment."],
];

/** The system's own codes, and what pg says without one. */
const lostCode = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|AI)/;
const lostMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client .* not queryable)/;

/**
 * `database_unavailable`, for people, where the database is away, hangs or is full, with what it said as the cause; any
 * other failure as it is.
 */
export function explainUnavailable<E>(error: E): E | AppError {
  if (!(error instanceof Error) || asAppError(error)) return error;
  const state = sqlState(error) ?? "";
  const message =
    states.find(([beginning]) => state.startsWith(beginning))?.[1] ??
    (lostCode.test(state) || lostMessage.test(error.message) ? away : undefined);
  return message === undefined ? error : new AppError("database_unavailable", message, { cause: error });
}

/** Whether something failed for a server that has as many connections as it may: they come and go. */
export function isRefusedForNumber(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return sqlState(error) === tooManyConnections || isRefusedForNumber(error.cause);
}
