import { afterAll, expect, it } from "vitest";
import { readCalls, readChecks } from "../../src/metrics/collectors.ts";
import type { RouteUse } from "../../src/observe/live/call-budget.ts";
import type { LiveContext } from "../../src/observe/live/live-context.ts";
import { openTestDatabase } from "../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

it("names checks by what /readycheck calls the parts", () => {
  const parts = ["The database", "Storage:", "The workers of the network", "Discord's bot", "The bot's key"];
  expect(readChecks(parts.map((part) => ({ part, isWell: part !== "Storage:" })))).toEqual([
    ["castellan_check_ok", 1, { check: "database" }],
    ["castellan_check_ok", 0, { check: "storage" }],
    ["castellan_check_ok", 1, { check: "workers_of_the_network" }],
    ["castellan_check_ok", 1, { check: "discord_bot" }],
    ["castellan_check_ok", 1, { check: "bot_key" }],
  ]);
});

it("tells what is left of each route's calls, and which services are left alone, without their keys", async () => {
  const now = 1_700_000_000_000;
  const row = { since_ms: now, announced_at_ms: now, reason: "no answer" };
  await database.query
    .insertInto("castellan.upstream_backoffs")
    .values([
      { ...row, upstream: "client" },
      { ...row, upstream: "https://hub.example:3381/SECRET" },
      { ...row, upstream: "registry", announced_at_ms: now - 600_000 },
    ])
    .execute();
  const use = (route: string, calls: number, restsUntil: number | null): RouteUse => ({
    route,
    calls,
    limit: 400,
    byPurpose: {},
    restsUntil,
  });
  const budget = { readUse: async () => [use("/v1/channel", 300, null), use("/fc/users", 500, now + 1)] };
  const live = { budget } as LiveContext["live"]; // whose uses alone are read
  const samples = await readCalls({ database, clock: { now: () => now, monotonic: () => 0 }, live });
  expect(samples).toEqual([
    ["castellan_call_budget_remaining_ratio", 0.25, { route: "/v1/channel" }],
    ["castellan_route_refused", 0, { route: "/v1/channel" }],
    ["castellan_call_budget_remaining_ratio", 0, { route: "/fc/users" }],
    ["castellan_route_refused", 1, { route: "/fc/users" }],
    ["castellan_upstream_down", 1, { upstream: "client" }],
    ["castellan_upstream_down", 1, { upstream: "hub.example:3381" }],
  ]);
});
