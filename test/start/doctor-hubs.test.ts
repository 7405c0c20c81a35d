import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { checkHubs } from "../../src/start/doctor/check-hubs.ts";
import type { Finding } from "../../src/start/doctor/finding.ts";
import { createProbe } from "../../src/start/doctor/probe.ts";
import { startLiveNetwork, type LiveNetwork } from "../live/live-network.ts";

let live: LiveNetwork;
beforeEach(async () => {
  live = await startLiveNetwork();
});
afterEach(() => live.close());

/** What is said of the first hub of HUB_URL; each address leads to the one of this test. */
async function look(hubs = live.hub.url, settings: Record<string, string> = {}): Promise<Finding> {
  const { client, registry } = live;
  const urls = { CLIENT_API_URL: client.url, REGISTRY_URL: registry.url, HUB_URL: hubs };
  const probe = createProbe();
  const ask: typeof probe.ask = (url, headers) =>
    probe.ask(url.startsWith(registry.url) ? url : url.replace(/^https?:\/\/[^/]*/, live.hub.url), headers);
  const [finding] = await checkHubs(parseConfig({ ...urls, ...settings }), { ...probe, ask });
  if (!finding) throw new Error("no hub was looked at");
  return finding;
}

function refuse(status: number, body: unknown, ...paths: string[]): void {
  for (const path of paths) live.hub.faults.refused.set(path, { status, body });
}

describe("a hub that refuses", () => {
  it.each([
    [
      402,
      { code: "PaymentRequired", message: "No credits left" },
      /^requires payment for \/v1\/info \(402\), because the plan is used up: No credits left\.$/,
    ],
    [401, { code: "Unauthorized" }, /^does not accept this key \(401\): Unauthorized\.$/],
    [403, "Forbidden", /^does not accept this key \(403\): "Forbidden"\.$/],
    [404, "<!doctype html>", /^answers 404 to \/v1\/info with a web page\.$/],
    [408, "Request Timeout", /^answers 408 to \/v1\/info with "Request Timeout"\.$/],
  ])("everything with %i is wrong", async (status, body, says) => {
    refuse(status, body, "/v1/info", "/v1/events");
    expect(await look()).toMatchObject({
      state: "wrong",
      message: expect.stringMatching(says),
      fix: expect.stringContaining("HUB_URL"),
    });
  });

  it.each([
    [
      402,
      { message: "Not in your plan" },
      "requires payment for /v1/events (402), because the plan is used up: Not in your plan.",
    ],
    [403, "Forbidden", 'does not accept this key for /v1/events (403): "Forbidden".'],
    [404, "Not Found", 'answers 404 to /v1/events with "Not Found".'],
    [500, { error: "Failed to get events" }, "answers 500 to /v1/events with Failed to get events."],
  ])("its events alone with %i is wrong all the same", async (status, body, message) => {
    refuse(status, body, "/v1/events");
    expect(await look()).toMatchObject({ state: "wrong", message });
  });

  it("the events of one of its shards alone is wrong, though the others give theirs", async () => {
    live.chain.shards.delete(2);
    refuse(200, { numShards: 2 }, "/v1/info");
    expect(await look()).toMatchObject({
      state: "wrong",
      message: expect.stringMatching(/^answers \d+ to \/v1\/events with .*Shard not found/),
    });
  });

  it("calls for being too many is not called wrong", async () => {
    refuse(429, "Too Many Requests", "/v1/events");
    expect(await look()).toMatchObject({ state: "unknown", message: expect.stringContaining("429") });
  });
});

it("A hub that gives no event at all is not said to work", async () => {
  for (const blocks of live.chain.shards.values()) blocks.splice(0);
  expect(await look()).toMatchObject({
    state: "unknown",
    message: expect.stringContaining("returned no events"),
  });
});

it("How the shards of a hub are known is said", async () => {
  expect((await look()).message).toContain("2 shards (named by /v1/info)");
  expect((await look(live.hub.url, { HUB_SHARD: "2" })).message).toContain("1 shard (set by HUB_SHARD)");
  live.hub.faults.withoutShards = true;
  expect(await look()).toMatchObject({
    state: "ok",
    message: expect.stringContaining("2 shards (found by trying, because /v1/info names no shards)"),
  });
  refuse(403, { message: "Not in your plan" }, "/v1/info");
  expect(await look()).toMatchObject({
    state: "ok",
    message: expect.stringContaining("2 shards (found by trying, because /v1/info answers 403)"),
  });
});

describe("a hub of somebody else's", () => {
  it("over plain http is wrong, unless it is said to be one's own", async () => {
    expect(await look("http://10.1.2.3:3381")).toMatchObject({
      state: "wrong",
      message: expect.stringContaining("plain http"),
      fix: expect.stringContaining("write own after"),
    });
    const own = await look("http://10.1.2.3:3381 own");
    expect(own.state).toBe("ok");
    expect(own.message).not.toContain("no cast as proof");
  });

  it("alone is said to prove nothing of a person; two of different hosts are not", async () => {
    const told = "accepts no cast as proof";
    expect(await look("https://hub.one.example x-api-key=K")).toMatchObject({
      state: "ok",
      message: expect.stringContaining(told),
    });
    expect((await look("https://a.hubs.example,https://b.hubs.example")).message).toContain(told);
    expect((await look("https://hub.one.example,https://hub.two.example")).message).not.toContain(told);
    expect((await look()).message).not.toContain(told);
  });
});
