import { expect, test } from "vitest";
import { explainUnavailable } from "../../src/database/unavailable.ts";
import { AppError } from "../../src/errors.ts";

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });

test.each([
  [failure("connect ECONNREFUSED", "ECONNREFUSED"), "does not respond"],
  [failure("terminating connection", "57P01"), "does not respond"],
  [failure("Connection terminated unexpectedly"), "does not respond"],
  [failure("Query read timeout"), "does not respond"],
  [failure("Client was closed and is not queryable"), "does not respond"],
  [failure("certificate has expired", "CERT_HAS_EXPIRED"), "does not respond"],
  [failure("canceling statement due to statement timeout", "57014"), "took too long"],
  [failure("the database was busy", "55P03"), "took too long"],
  [failure("cannot execute INSERT in a read-only transaction", "25006"), "disk is nearly full"],
  [failure("could not extend file", "53100"), "disk is nearly full"],
  [failure("too many clients already", "53300"), "PostgreSQL has no free connections"],
  [failure("out of memory", "53200"), "overloaded"],
])("%s is explained to people, with what it was as the cause", (error, expected) => {
  expect(explainUnavailable(error)).toMatchObject({
    code: "database_unavailable",
    message: expect.stringContaining(expected),
    cause: error,
  });
});

test.each([
  failure("duplicate key", "23505"),
  new TypeError("a bug"),
  new AppError("not_found", "There is no such channel."),
])("%s stays what it is", (error) => {
  expect(explainUnavailable(error)).toBe(error);
});
