import { defineConfig } from "vitest/config";

/** The pure tests of the network's domain, for `npm run mutate`: without a database, so that each mutant is fast. */
export default defineConfig({
  test: { include: ["test/api/domain/**/*.test.ts"] },
});
