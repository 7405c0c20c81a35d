import { defineConfig } from "vitest/config";

/** Tests that write to a database, and so take longer. */
const stored = [
  "test/rules/{facts,history,limits,pending,review,versions}/**",
  "test/rules/actions/actions.test.ts",
  "test/rules/rehearse/rehearse.test.ts",
];

/** Tests with random inputs: they take seconds, for each mutant, and find another one each time. */
const random = "test/rules/**/random-*.test.ts";

const places = process.env["TESTS"]?.split(",");

/**
 * For `npm run mutate:rules`: the tests that TESTS names (folders and files, with commas between them), or else all of the
 * rules' tests that need no database.
 */
export default defineConfig({
  test: {
    include: places?.map((place) => (place.endsWith(".ts") ? place : `${place}/**/*.test.ts`)) ?? [
      "test/rules/**/*.test.ts",
    ],
    exclude: [...(places ? [] : stored), random],
    globalSetup: places ? ["test/support/global-setup.ts"] : [],
    maxWorkers: 1,
    // Loading what is tested takes longer than testing it. Each mutant has its own run, and so its own modules.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
