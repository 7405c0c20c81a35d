// @ts-nocheck
import { describe, expect, it } from "vitest";
import {
  checkName,
  checkParties,
  decideTransfer,
  isTaking,
  type RegistryRules,
  type RegistryState,
  type TransferRequest,
} from "../../../src/api/domain/name-transfer.ts";
import type { Transfer } from "../../../src/contract/registry.ts";
import type { RegistryCode } from "../../../src/errors.ts";

const now = 1_700_000_000;
const owner = `0x${"1".repeat(40)}`;
const rules: RegistryRules = { claimTolerance: 600, transferThrottle: 0 };

const ask = (request: Partial<TransferRequest> = {}): TransferRequest => ({
  name: "alice",
  from: 1,
  to: 2,
  fid: 1,
  owner,
  timestamp: now,
  ...request,
});

/** A transfer of alice that the registry recorded. */
const recorded = (from: number, to: number, timestamp = now - 100): Transfer => ({
  id: 5,
  timestamp,
  username: "alice",
  owner,
  from,
  to,
  user_signature: "0x12",
  server_signature: "0x34",
});
const heldBy1: RegistryState = { latest: recorded(0, 1) };

const refusal = (code: RegistryCode, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("the parties of a name transfer", () => {
  const stranger = refusal("UNAUTHORIZED", "Only the fid that gives the name and the one that gets it");
  const unsigned = refusal("UNAUTHORIZED", "send from_signature");

  it.each([
    ["registers for himself", { from: 0, to: 2, fid: 2 }],
    ["gives his name away", { from: 1, to: 2, fid: 1 }],
    ["releases his name", { from: 1, to: 0, fid: 1 }],
  ])("may ask without anybody's consent: one who %s", (_who, parties) => {
    expect(isTaking(parties)).toBe(false);
    expect(() => checkParties(ask(parties), false)).not.toThrow();
    expect(() => checkParties(ask(parties), true)).not.toThrow();
  });

  it("need the holder's consent when the receiver asks", () => {
    const taking = { from: 1, to: 2, fid: 2 };
    expect(isTaking(taking)).toBe(true);
    expect(() => checkParties(ask(taking), true)).not.toThrow();
    expect(() => checkParties(ask(taking), false)).toThrow(unsigned);
  });

  it.each([
    { from: 0, to: 2, fid: 3 },
    { from: 1, to: 2, fid: 3 },
    { from: 1, to: 0, fid: 3 },
  ])("do not include the asker of %o, whatever he brings", (parties) => {
    expect(() => checkParties(ask(parties), true)).toThrow(stranger);
    expect(() => checkParties(ask(parties), false)).toThrow(stranger);
  });
});

describe("a name", () => {
  it.each(["a", "7", "a-", "a--b", "007", "sixteen-letters0"])("may be %j", (name) => {
    expect(() => checkName(name)).not.toThrow();
  });

  it.each(["", "-", "-a", "Alice", "a_b", "a.eth", "é", "a b", " a", "a\n", "seventeen-letters"])(
    "may not be %j",
    (name) => {
      expect(() => checkName(name)).toThrow(refusal("INVALID_USERNAME", "1 to 16 of a-z, 0-9 and -"));
    },
  );
});

describe("a name transfer", () => {
  it.each<[string, Partial<TransferRequest>, RegistryState]>([
    ["registers a name that nobody ever had", { from: 0, to: 2 }, {}],
    ["registers a name that was released", { from: 0, to: 2 }, { latest: recorded(1, 0) }],
    ["gives a name to another fid", {}, heldBy1],
    ["releases a name", { to: 0 }, heldBy1],
    [
      "releases a name whatever is recorded of fid 0, which is nobody",
      { to: 0 },
      { ...heldBy1, nameOfTarget: "bob" },
    ],
    ["comes a second after the name's last", {}, { latest: recorded(0, 1, now - 1) }],
    ["is signed as late as may be", { timestamp: now - 600 }, { latest: recorded(0, 1, now - 601) }],
    ["is signed as early as may be", { timestamp: now + 600 }, heldBy1],
  ])("%s", (_case, request, state) => {
    expect(decideTransfer(ask(request), state, now, rules)).toBeUndefined();
  });

  it.each<[string, Partial<TransferRequest>, RegistryState, RegistryCode, message: string]>([
    [
      "to one who has a name",
      {},
      { ...heldBy1, nameOfTarget: "bob" },
      "TOO_MANY_NAMES",
      "fid 2 has the name bob",
    ],
    [
      "signed too long ago",
      { timestamp: now - 601 },
      {},
      "INVALID_TIMESTAMP",
      "too far from the registry's clock",
    ],
    ["signed too far ahead", { timestamp: now + 601 }, heldBy1, "INVALID_TIMESTAMP", "too far from"],
    ["as old as the name's last", {}, { latest: recorded(0, 1, now) }, "INVALID_TIMESTAMP", "not later than"],
    [
      "older than the name's last",
      {},
      { latest: recorded(0, 1, now + 1) },
      "INVALID_TIMESTAMP",
      "not later than",
    ],
    ["of a name nobody ever had", {}, {}, "USERNAME_NOT_FOUND", "The name alice is not registered"],
    ["of a released name", {}, { latest: recorded(1, 0) }, "USERNAME_NOT_FOUND", "alice is not registered"],
    ["of another's name", {}, { latest: recorded(0, 3) }, "USERNAME_TAKEN", "alice is registered to fid 3"],
    ["that registers a held name", { from: 0 }, heldBy1, "USERNAME_TAKEN", "alice is registered to fid 1"],
    ["to its holder", { to: 1 }, heldBy1, "USERNAME_TAKEN", "alice is registered to fid 1"],
  ])("%s is refused", (_case, request, state, code, message) => {
    expect(() => decideTransfer(ask(request), state, now, rules)).toThrow(refusal(code, message));
  });
});

describe("a claim that was recorded", () => {
  const claimed = recorded(1, 2, now);

  it("answers the identical request with its transfer, however late and whatever came after", () => {
    const state = { claimed, latest: recorded(2, 3, now + 5), nameOfTarget: "bob", lastAsked: now };
    expect(decideTransfer(ask(), state, now + 10_000, { ...rules, transferThrottle: 60 })).toBe(claimed);
  });

  it.each([{ to: 3 }, { to: 0 }, { from: 0 }, { from: 3, to: 4 }])("proves nothing for %o", (parties) => {
    expect(() => decideTransfer(ask(parties), { claimed, latest: claimed }, now, rules)).toThrow(
      refusal("INVALID_TIMESTAMP", "This claim was used before"),
    );
  });
});

describe("the throttle", () => {
  const throttled = { ...rules, transferThrottle: 60 };
  const decide = (lastAsked: number | undefined, under: RegistryRules) =>
    decideTransfer(ask(), { ...heldBy1, lastAsked }, now, under);

  it.each([now, now - 59, now + 300])("refuses one who asked at %i, less than it before now", (lastAsked) => {
    expect(() => decide(lastAsked, throttled)).toThrow(refusal("THROTTLED", "Try again later"));
  });

  it("lets one ask who never did, or long enough ago", () => {
    expect(decide(undefined, throttled)).toBeUndefined();
    expect(decide(now - 60, throttled)).toBeUndefined();
  });

  it("does not exist when it is 0, even for one whose last claim lies ahead of the clock", () => {
    expect(decide(now + 300, rules)).toBeUndefined();
  });
});

describe("a request with several faults", () => {
  /** In the order in which decisions.md checks them; each leaves the ones after it as they are. */
  const faults: [message: string, Partial<TransferRequest>, RegistryState][] = [
    ["used before", {}, { claimed: recorded(3, 4) }],
    ["has the name bob already", {}, { nameOfTarget: "bob" }],
    ["too far from the registry's clock", { timestamp: now - 601 }, {}],
    ["not later than the name's last transfer", {}, { latest: recorded(0, 3, now + 5) }],
    ["is registered to fid 3", {}, { latest: recorded(0, 3) }],
    ["changed a name a short while ago", {}, { lastAsked: now }],
  ];

  it.each(faults.map(([message], index) => [message, index] as const))(
    "is refused for the first of them: %s",
    (message, index) => {
      // Where two faults are in one place, the earlier one stands.
      const wrong = faults.slice(index).toReversed();
      const request = Object.assign(ask(), ...wrong.map(([, change]) => change));
      const state = Object.assign({ ...heldBy1 }, ...wrong.map(([, , change]) => change));
      expect(() => decideTransfer(request, state, now, { ...rules, transferThrottle: 60 })).toThrow(message);
    },
  );
});
