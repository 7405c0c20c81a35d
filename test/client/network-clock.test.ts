import { afterEach, describe, expect, it, test } from "vitest";
import { createNetworkClock, type NetworkClock } from "../../src/client/network-clock.ts";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { createTestClock } from "../support/world.ts";
import { startFarNetwork, type FarNetwork } from "../support/far-network.ts";
import { createFarClient } from "./far-client.ts";

const day = 86_400;
const start = 1_700_000_000;
const differences = [8, -8, 30, -30, 7200, -3600, day, -day];

let far: FarNetwork | undefined;
afterEach(() => far?.close());

/** A machine whose clock is `ahead` of a network that `asks` it often what time it is. */
function differ(ahead: number) {
  const machine = createTestClock(start + ahead);
  const clock = createNetworkClock(machine, silentLog);
  const right = () => start * 1000 + machine.monotonic();
  const ask = (told = right(), age: string | null = null) =>
    clock.addSample({ date: new Date(told).toUTCString(), age }, machine.monotonic());
  return { machine, clock, right, ask };
}

function isNear(clock: NetworkClock, right: number): boolean {
  return Math.abs(clock.now() - right) <= 1000;
}

describe.each(differences)("with the machine's clock %i s off", (ahead) => {
  it("shows the network's time from its first answer on, and says by how much they differ", () => {
    const { clock, right, ask } = differ(ahead);
    ask();
    expect(isNear(clock, right())).toBe(true);
    expect(Math.abs(clock.machineAhead() - ahead * 1000)).toBeLessThanOrEqual(1000);
  });

  it("does not move when the machine's clock is set, before the network is asked again and after", () => {
    const { machine, clock, right, ask } = differ(0);
    ask();
    machine.jump(ahead);
    expect(isNear(clock, right())).toBe(true);
    machine.advance(10);
    ask();
    expect(isNear(clock, right())).toBe(true);
    expect(Math.abs(clock.machineAhead() - ahead * 1000)).toBeLessThanOrEqual(1000);
  });
});

test("the machine's time counts until the network answers, and where they agree to the second", () => {
  const { machine, clock, ask } = differ(0);
  expect(clock.now()).toBe(machine.now());
  for (let second = 0; second < 20; second += 1) {
    machine.advance(0.7);
    ask();
  }
  expect(clock.now()).toBe(machine.now());
});

test("shows whole milliseconds, though time that cannot jump is finer", () => {
  const clock = createNetworkClock(systemClock, silentLog);
  for (let call = 0; call < 20; call += 1) {
    clock.addSample({ date: new Date(start * 1000).toUTCString(), age: null }, clock.monotonic());
    expect(Number.isInteger(clock.now())).toBe(true);
  }
});

test("one answer that lies moves nothing; a network that changed its mind is followed", () => {
  const { machine, clock, right, ask } = differ(0);
  for (let call = 0; call < 7; call += 1) ask();
  const corrections: number[] = [];
  clock.onCorrected((by) => corrections.push(by));
  ask(right() + day * 1000);
  expect(clock.now()).toBe(machine.now());
  for (let call = 0; call < 7; call += 1) ask(right() - 60_000);
  expect(isNear(clock, right() - 60_000)).toBe(true);
  expect(corrections.map((by) => Math.round(by / 10_000))).toEqual([-6]);
});

test("an answer from a cache names the time when it was made", () => {
  const { clock, right, ask } = differ(0);
  ask(right() - 300_000, "300");
  expect(isNear(clock, right())).toBe(true);
});

test.each(["", "soon", null])("the date %j says nothing", (date) => {
  const { machine, clock } = differ(30);
  clock.addSample({ date, age: null }, machine.monotonic());
  expect(clock.now()).toBe(machine.now());
});

test("after the machine slept, the first answer counts", () => {
  const { machine, clock, right, ask } = differ(0);
  for (let call = 0; call < 7; call += 1) ask();
  // The time that cannot jump stood still.
  machine.jump(8 * 3600);
  const woken = right() + 8 * 3_600_000;
  clock.reset();
  ask(woken);
  expect(isNear(clock, woken)).toBe(true);
});

test.each(differences)("a client %i s off learns the time by a refusal, and signs by it", async (ahead) => {
  far = await startFarNetwork();
  const machine = createTestClock(start + ahead);
  const clock = createNetworkClock(machine, silentLog);
  const network = createFarClient(far.url, { clock, hearTime: (...heard) => clock.addSample(...heard) });
  far.answer([404, {}, { date: new Date(start * 1000).toUTCString() }]);
  await network.channels.get({ channelId: "memes" }).catch(() => {});
  await network.channelBans.ban({ channelId: "memes", banFid: 7 }).catch(() => {});
  const [, payload = ""] = far.requests[1]?.headers.authorization?.split(".") ?? [];
  const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number };
  expect(Math.abs(exp - (start + 300))).toBeLessThanOrEqual(1);
});

test("a token made before the clock was set right is made anew", async () => {
  far = await startFarNetwork();
  const clock = createNetworkClock(createTestClock(start + day), silentLog);
  const network = createFarClient(far.url, { clock, hearTime: (...heard) => clock.addSample(...heard) });
  far.answer([401, {}, { date: new Date(start * 1000).toUTCString() }]);
  for (let call = 0; call < 2; call += 1) {
    await network.channelBans.ban({ channelId: "memes", banFid: 7 }).catch(() => {});
  }
  const exps = far.requests.map(({ headers }) => {
    const [, payload = ""] = headers.authorization?.split(".") ?? [];
    // Written by mintToken.
    return (JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number }).exp - start;
  });
  expect(exps).toEqual([day + 300, 300]);
});
