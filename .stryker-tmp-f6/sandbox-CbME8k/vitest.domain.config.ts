// @ts-nocheck
import { defineConfig } from "vitest/config";

/** The pure tests of the network's domain, for `npm run mutate`: no database, so that each mutant is quick. */
export default defineConfig({
  test: { include: ["test/api/domain/**/*.test.ts"] },
});
