import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBreakers, type Breakers, type Rest } from "../../src/client/breakers.ts";
import type { Timeouts } from "../../src/client/exchange.ts";
import { collectLog } from "../support/log.ts";
import { startFarNetwork, type FarNetwork, type WireAnswer } from "../support/far-network.ts";
import { createTestClock, type TestClock } from "../support/world.ts";
import { createFarClient } from "./far-client.ts";

const fine: WireAnswer = [200, { result: { bannedUsers: [] } }];
let far: FarNetwork;
let clock: TestClock;
let breakers: Breakers;
let rests: (Rest | undefined)[];
let lines: ReturnType<typeof collectLog>["lines"];

beforeEach(async () => {
  far = await startFarNetwork();
  clock = createTestClock();
  rests = [];
  const { log, lines: own } = collectLog();
  lines = own;
  breakers = createBreakers({ clock, log, random: () => 1, onRest: (_, rest) => void rests.push(rest) });
});
afterEach(() => far.close());

const once = { deadline: -1 };
/** Only where nothing is answered: on a busy machine also an answer takes long. */
const impatient = { ...once, attempt: 1_000 };
const read = (timeouts: Partial<Timeouts> = once) =>
  createFarClient(far.url, { clock, breakers, purpose: "reading", timeouts }).channelBans.list({});
const readOften = async (times: number, timeouts?: Partial<Timeouts>) => {
  for (let count = 0; count < times; count += 1) await read(timeouts).catch(() => {});
};

describe("a service that fails again and again", () => {
  test.each<[string, WireAnswer]>([
    ["answers 500", [500, "oops"]],
    ["answers 503", [503, {}]],
    ["ends the connection", "drop"],
    ["does not answer", "hang"],
  ])("is left alone: it %s", async (_, answer) => {
    far.answer(answer);
    await readOften(7, answer === "hang" ? impatient : once);
    expect(far.requests).toHaveLength(5);
    await expect(read()).rejects.toMatchObject({ code: "network_unreachable", retryAfter: 5 });
  });

  test.each<[string, WireAnswer]>([
    ["refuses", [403, { errors: [{ message: "No." }] }]],
    ["has enough", [429, {}, { "retry-after": "60" }]],
  ])("is not one that %s", async (_, answer) => {
    far.answer(answer);
    await readOften(7);
    expect(far.requests).toHaveLength(7);
  });

  test("is asked by one call alone after a while, and by all once that one is answered", async () => {
    far.answer("drop");
    await readOften(5);
    clock.advance(5);
    far.answer("hang", fine);
    const probes = await Promise.allSettled([read(impatient), read(), read()]);
    expect(far.requests).toHaveLength(6);
    expect(probes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect(read()).rejects.toMatchObject({ retryAfter: 10 });
    clock.advance(10);
    await expect(read()).resolves.toBeDefined();
    await Promise.all([read(), read()]);
    expect(far.requests).toHaveLength(9);
  });

  test("is tried for a person at once, though not for several at a time", async () => {
    far.answer("drop");
    await readOften(5);
    clock.advance(1);
    far.answer(fine);
    const people = await Promise.allSettled([readForPerson(), read(), readForPerson()]);
    expect(people.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    await expect(read()).resolves.toBeDefined();
  });

  test("is told of once when it begins and once when it is over, with the reason", async () => {
    far.answer([500, { errors: [{ message: "Down for maintenance" }] }]);
    await readOften(5);
    clock.advance(6);
    await readOften(1);
    clock.advance(60);
    far.answer(fine);
    await readOften(2);
    expect(rests).toMatchObject([
      { upstream: "client", reason: "Down for maintenance" },
      { upstream: "client", since: 1_700_000_000_000 },
      undefined,
    ]);
    expect(lines.map(({ msg }) => msg)).toEqual([
      "circuit breaker open: a service failed repeatedly",
      "circuit breaker closed",
    ]);
  });

  test("does not keep others from being asked", async () => {
    far.answer("drop");
    await readOften(5);
    const { transfers } = createFarClient(far.url, { clock, breakers, timeouts: once });
    await expect(transfers.list({})).rejects.toMatchObject({ code: "network_unreachable" });
    expect(far.requests.at(-1)?.path).toBe("/transfers");
  });
});

function readForPerson() {
  return createFarClient(far.url, { clock, breakers, timeouts: once }).channelBans.list({});
}
