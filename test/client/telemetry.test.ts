import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CallResult } from "../../src/telemetry.ts";
import { startFarNetwork, type FarNetwork, type WireAnswer } from "../support/far-network.ts";
import { createFarClient } from "./far-client.ts";

const channel = "castellan:network.called";
let far: FarNetwork;
const reported: unknown[] = [];
const note = (report: unknown) => void reported.push(report);

beforeEach(async () => {
  far = await startFarNetwork();
  reported.length = 0;
  subscribe(channel, note);
});
afterEach(async () => {
  unsubscribe(channel, note);
  await far.close();
});

const once = { deadline: -1 };

test.each<[CallResult, WireAnswer]>([
  ["ok", [200, { result: { bannedUsers: [] } }]],
  ["refused", [403, { errors: [{ message: "No." }] }]],
  ["rate_limited", [429, {}]],
  ["failed", [500, "oops"]],
  ["failed", [200, "no JSON"]],
  ["unreachable", "drop"],
])("an attempt that is %s is reported so, by its route", async (result, answer) => {
  far.answer(answer);
  await createFarClient(far.url, { timeouts: once })
    .channelBans.list({ channelId: "memes" })
    .catch(() => {});
  expect(reported).toMatchObject([{ upstream: "client", route: "/fc/channel-bans", result }]);
});

test("a hub is named by its host, since an address may hold a key", async () => {
  far.answer([200, {}]);
  await createFarClient(`${far.url}/SECRET`, { timeouts: once })
    .hub.info({})
    .catch(() => {});
  expect(reported).toMatchObject([{ upstream: new URL(far.url).host, route: "/v1/info" }]);
});
