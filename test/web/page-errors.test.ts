import { expect, it } from "vitest";
import { AppError } from "../../src/errors.ts";
import { explainToPage } from "../../src/web/page-errors.ts";

const words = {
  statuses: { not_allowed: 403 },
  refused: () => ({ status: 413, code: "too_large", message: "Too long." }),
};

it("tells a page an id of what nobody foresaw, for the log, and nothing of the inside", () => {
  const { message, id, ...rest } = explainToPage(new Error("secret"), words);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(message).toBe(`Something went wrong (${id}). See the log.`);
  expect(rest).toEqual({ status: 500, code: "failed" });
});

it("tells it what is known in its own words", () => {
  expect(explainToPage(new AppError("not_allowed", "Ask the owner."), words)).toEqual({
    status: 403,
    code: "not_allowed",
    message: "Ask the owner.",
  });
});
