import { defaultSettings, type ApiContext, type NetworkSettings } from "../../src/api/context.ts";
import { createRegistrySigner } from "../../src/api/signatures.ts";
import { silentLog } from "../../src/log.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";

export interface TestContext extends ApiContext {
  database: TestDatabase;
  clock: TestClock;
}

export const registryKey = `0x${"7".repeat(64)}` as const;

/** An embedded network of the test file's own. Close its database after all. */
export async function createTestContext(settings: Partial<NetworkSettings> = {}): Promise<TestContext> {
  const merged = { ...defaultSettings, ...settings };
  return {
    database: await openTestDatabase(),
    clock: createTestClock(),
    log: silentLog,
    settings: merged,
    registry: createRegistrySigner(registryKey, merged.nameDomain),
  };
}
