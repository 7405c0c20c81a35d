import { afterAll, beforeEach, expect, it } from "vitest";
import { readInstallation } from "../../src/metrics/read-installation.ts";
import type { Sample } from "../../src/metrics/samples.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());
beforeEach(() => database.truncate());

const now = 1_700_000_000_000;
const context = {
  database,
  clock: { now: () => now, monotonic: () => now },
  settings: { hubShard: undefined },
};

async function read(name: Sample[0]): Promise<Record<string, number>> {
  const samples = await readInstallation(context);
  const own = samples.filter(([of]) => of === name);
  return Object.fromEntries(own.map(([, value, labels = {}]) => [Object.values(labels).join(), value]));
}

it("tells of each shard of the hub how far it is behind, and of each kind of source how old its news is", async () => {
  const source = (name: string, ago: number) => ({
    source: name,
    channel_id: null,
    good_at_ms: now - ago * 1000,
  });
  await database.query
    .insertInto("castellan.sources")
    .values([
      { ...source("hub/1", 1), newest_at: now / 1000 - 300, behind: true },
      { ...source("hub/2", 40), newest_at: now / 1000 - 300, failing_since_ms: now },
      source("channel-events", 5),
      { ...source("records/unlinked", 9_999), channel_id: "unlinked" },
    ])
    .execute();
  expect(await read("castellan_hub_lag_seconds")).toEqual({ 1: 300, 2: 0 });
  expect(await read("castellan_source_age_seconds")).toEqual({ hub: 40, "channel-events": 5 });
  expect(await read("castellan_sources_failing")).toEqual({ hub: 1, "channel-events": 0 });
});
