import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    pool: "forks",
    // Files share a worker's modules: loading them anew for each cost half of the run. No module holds state.
    isolate: false,
    maxWorkers: 4,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // What a busy machine, or a room's rate limit, delays by a second is not wrong.
    expect: { poll: { timeout: 10_000 } },
  },
});
