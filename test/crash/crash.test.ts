import { expect, test } from "vitest";
import { killAndLook } from "./kill-and-look.ts";

/** `npm run soak` kills 30 times. */
test("killing the bot, while network and Discord live on, loses nothing answered and tells nothing twice", async () => {
  expect(await killAndLook("bot", 2)).toEqual([]);
});
