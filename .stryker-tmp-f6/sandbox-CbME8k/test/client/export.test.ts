// @ts-nocheck
import { expect, it } from "vitest";

it("the package gives its client to others as castellan/client", async () => {
  // By a name that is only known when it runs: what is built is asked, as others would.
  const name = "castellan/client";
  const client = (await import(name)) as Record<string, unknown>;
  expect(Object.keys(client).toSorted()).toEqual(["AppError", "createClient", "mintToken", "pages"]);
});
