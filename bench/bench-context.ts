import { defaultSettings, type ApiContext } from "../src/api/context.ts";
import { createRegistrySigner } from "../src/api/signatures.ts";
import { systemClock } from "../src/clock.ts";
import type { Database } from "../src/database/database.ts";
import { silentLog } from "../src/log.ts";

export function createBenchContext(database: Database): ApiContext {
  return {
    database,
    clock: systemClock,
    log: silentLog,
    settings: defaultSettings,
    registry: createRegistrySigner(`0x${"7".repeat(64)}`, defaultSettings.nameDomain),
  };
}
