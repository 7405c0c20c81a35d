import { describe, expect, it } from "vitest";
import { openTestDatabase, readTables } from "./database.ts";
import { createTestContext, createTestNetwork } from "./world.ts";

describe("a test file's own database", () => {
  it("holds nothing of the file before", async () => {
    const first = await openTestDatabase();
    const untouched = await readTables(first.query);
    await first.close();

    const used = await createTestNetwork(await createTestContext());
    await used.seed.account(1);
    await used.seed.channel("left-behind", { owner: 1 });
    await used.context.database.close();

    const next = await openTestDatabase();
    expect(await readTables(next.query)).toEqual(untouched);
    await next.close();
  });
});
