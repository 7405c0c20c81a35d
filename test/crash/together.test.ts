import { expect, test } from "vitest";
import { killAndLook } from "./kill-and-look.ts";

/** `npm run soak` kills 10 times. */
test("killing everything at once loses nothing answered and tells nothing twice", async () => {
  expect(await killAndLook("together", 1)).toEqual([]);
});
