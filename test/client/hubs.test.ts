import { afterEach, beforeEach, expect, test } from "vitest";
import { collectLog } from "../support/log.ts";
import { LiveChain, startLiveNode, type LiveNode } from "../live/live-hub.ts";
import { createFarClient } from "./far-client.ts";

let one: LiveNode;
let two: LiveNode;
beforeEach(async () => {
  const chain = new LiveChain();
  chain.confirm(1, 1_800_000_000);
  [one, two] = await Promise.all([startLiveNode(chain), startLiveNode(chain)]);
});
afterEach(() => Promise.all([one.close(), two.close()]));

const asked = () => [one.requests.length > 0, two.requests.length > 0];
const forget = () => [one, two].forEach(({ requests }) => requests.splice(0));

function open(log = collectLog().log) {
  return createFarClient("http://127.0.0.1:1", { log, hubUrl: [{ address: one.url }, { address: two.url }] });
}

test("uses the first hub, or the next one if it is down, and then stays with that one", async () => {
  const { log, lines } = collectLog();
  const { hub } = open(log);
  await hub.events({ shard_index: 1 });
  expect(asked()).toEqual([true, false]);
  one.faults.down = true;
  const { events } = await hub.events({ shard_index: 1 });
  expect(events).toHaveLength(1);
  forget();
  await hub.events({ shard_index: 1 });
  expect(asked()).toEqual([false, true]);
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([{ hub: two.url }]);
  one.faults.down = false;
  two.faults.down = true;
  await hub.events({ shard_index: 1 });
  forget();
  await hub.events({ shard_index: 1 });
  expect(asked()).toEqual([true, false]);
});

test("skips a hub that refuses the API key, but does not retry a bad request on other hubs", async () => {
  const { hub } = open();
  one.faults.apiKey = "another";
  await hub.events({ shard_index: 1 });
  expect(asked()).toEqual([true, true]);
  one.faults.apiKey = undefined;
  forget();
  await expect(hub.events({ shard_index: 9 })).rejects.toMatchObject({ message: "Shard not found" });
  expect(asked()).toEqual([false, true]);
});

test("reports the first hub's error if none answers", async () => {
  const { hub } = open();
  one.faults.apiKey = "another";
  two.faults.down = true;
  await expect(hub.events({ shard_index: 1 })).rejects.toMatchObject({ status: 401 });
});

test("each hub is sent its own headers, and no other's", async () => {
  one.faults.apiKey = "of one";
  two.faults.apiKey = "of two";
  const withKeys = (first: string, second: string) =>
    createFarClient("http://127.0.0.1:1", {
      hubUrl: [
        { address: one.url, headers: { "x-api-key": first } },
        { address: two.url, headers: { "x-api-key": second } },
      ],
    }).hub.info({});
  await withKeys("of one", "of two");
  expect(asked()).toEqual([true, false]);
  await withKeys("wrong", "of two");
  expect(asked()).toEqual([true, true]);
  await expect(withKeys("of two", "of one")).rejects.toMatchObject({ status: 401 });
});

test.each([
  [402, { code: "PaymentRequired", message: "The plan's credits are used up." }],
  [403, "Forbidden"],
  [408, "Request Timeout"],
  [425, "Too Early"],
  [429, "Too Many Requests"],
  [404, "Not Found"],
  [502, "<html>Bad Gateway</html>"],
])("a hub that answers %i to what every hub gives is passed over", async (status, body) => {
  const { hub } = open();
  for (const path of ["/v1/events", "/v1/info"]) one.faults.refused.set(path, { status, body });
  expect((await hub.events({ shard_index: 1 })).events).toHaveLength(1);
  expect((await hub.info({})).numShards).toBe(2);
});

test("does not ask other hubs for a cast that the first one does not have", async () => {
  const { hub } = open();
  one.faults.refused.set("/v1/castById", { status: 404, body: "Not Found" });
  await expect(hub.castById({ fid: 1, hash: `0x${"ab".repeat(20)}` })).rejects.toMatchObject({ status: 404 });
  expect(asked()).toEqual([true, false]);
});
