import { expect, it } from "vitest";
import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";

it("finds a command by its path and by an earlier one", () => {
  expect(findHandler(commands, "ban")?.description).toContain("Ban a user");
  expect(findHandler(commands, "ban add")).toBe(findHandler(commands, "ban"));
  expect(findHandler(commands, "feed add")?.kind).toBe("answer");
});

it.each(["", "ban ", "ban forever", "feed", "feed add now", "feed toString", "nothing"])(
  'finds nothing at "%s"',
  (path) => {
    expect(findHandler(commands, path)).toBeUndefined();
  },
);
