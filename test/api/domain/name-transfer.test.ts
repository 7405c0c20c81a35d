import { describe, expect, it } from "vitest";
import {
  checkTransfer,
  type TransferFacts,
  type TransferRequest,
  type TransferRules,
} from "../../../src/api/domain/name-transfer.ts";
import type { Transfer } from "../../../src/contract/registry.ts";
import type { RegistryCode } from "../../../src/errors.ts";

const now = 1_700_000_000;
const owner = `0x${"1".repeat(40)}`;
const rules: TransferRules = {
  claimTolerance: 600,
  transferThrottle: 0,
  reservedNames: new Set(["admin"]),
  directTransfers: true,
};

/** Of a claim that its owner signed, for a name that nobody ever had. */
const proven: TransferFacts = {
  custodyAddress: owner,
  isSigned: true,
  isSignedForLive: false,
  consent: "absent",
};
type Facts = Partial<TransferFacts>;

/** By the fid that gives the name, or registers it, unless said otherwise. */
const ask = ({ from = 1, to = 2, ...request }: Partial<TransferRequest> = {}): TransferRequest => ({
  name: "alice",
  from,
  to,
  fid: from === 0 ? to : from,
  owner,
  timestamp: now,
  ...request,
});

const check = (request: TransferRequest, facts: Facts = {}, under = rules) =>
  checkTransfer(request, { ...proven, ...facts }, now, under);

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
const heldBy1: Facts = { latest: recorded(0, 1) };

const refusal = (code: RegistryCode, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) });

describe("the parties of a name transfer", () => {
  const stranger = refusal("UNAUTHORIZED", "Only the fid that gives or receives the name");
  const unsigned = refusal("UNAUTHORIZED", "send from_signature");

  it.each([
    ["registers for himself", { from: 0, to: 2, fid: 2 }, {}],
    ["gives his name away", { from: 1, to: 2, fid: 1 }, heldBy1],
    ["releases his name", { from: 1, to: 0, fid: 1 }, heldBy1],
  ])("may ask without anybody's consent: one who %s", (_who, parties, facts) => {
    for (const consent of ["absent", "invalid", "signed"] as const) {
      expect(check(ask(parties), { ...facts, consent })).toBeUndefined();
    }
  });

  it("need the holder's consent when the receiver asks", () => {
    const taking = ask({ from: 1, to: 2, fid: 2 });
    expect(check(taking, { ...heldBy1, consent: "signed" })).toBeUndefined();
    for (const consent of ["absent", "invalid"] as const) {
      expect(() => check(taking, { ...heldBy1, consent })).toThrow(unsigned);
    }
  });

  it.each([
    { from: 0, to: 2, fid: 3 },
    { from: 1, to: 2, fid: 3 },
    { from: 1, to: 0, fid: 3 },
  ])("do not include the asker of %o, whatever he brings", (parties) => {
    for (const consent of ["absent", "signed"] as const) {
      expect(() => check(ask(parties), { ...heldBy1, consent })).toThrow(stranger);
    }
  });
});

describe("a registry without direct transfers", () => {
  const roundabout = { ...rules, directTransfers: false };

  it.each([
    [{ from: 0, to: 2, fid: 2 }, {}],
    [{ from: 1, to: 0, fid: 1 }, heldBy1],
  ])("takes %o", (parties, facts) => {
    expect(check(ask(parties), facts, roundabout)).toBeUndefined();
  });

  it.each([[{ from: 1, to: 2, fid: 1 }], [{ from: 1, to: 2, fid: 2 }]])(
    "refuses %o, consent or not",
    (parties) => {
      const refused = refusal("UNAUTHORIZED", "does not move names between fids");
      for (const consent of ["absent", "signed"] as const) {
        expect(() => check(ask(parties), { ...heldBy1, consent }, roundabout)).toThrow(refused);
      }
    },
  );
});

describe("a name", () => {
  const registration = { from: 0, to: 2 };

  it.each(["a", "7", "a-", "a--b", "007", "sixteen-letters0"])("may be %j", (name) => {
    expect(check(ask({ ...registration, name }))).toBeUndefined();
  });

  it.each(["", "-", "-a", "Alice", "a_b", "a.eth", "é", "a b", " a", "a\n", "seventeen-letters"])(
    "may not be %j",
    (name) => {
      expect(() => check(ask({ ...registration, name }))).toThrow(
        refusal("INVALID_USERNAME", "1 to 16 of a-z, 0-9 and -"),
      );
    },
  );
});

describe("a claim", () => {
  const registration = ask({ from: 0, to: 2 });

  it("is of the fid's custody address", () => {
    const refused = refusal("INVALID_FID_OWNER", "not the custody address of fid 2");
    for (const custodyAddress of [`0x${"2".repeat(40)}`, undefined]) {
      expect(() => check(registration, { custodyAddress })).toThrow(refused);
    }
  });

  it("is signed by that address, under the registry's own domain", () => {
    const unsigned = refusal("INVALID_SIGNATURE", "GET /signer returns the domain");
    expect(() => check(registration, { isSigned: false })).toThrow(unsigned);
    const forLive = refusal("INVALID_SIGNATURE", "set NAME_DOMAIN=live to accept such claims");
    expect(() => check(registration, { isSigned: false, isSignedForLive: true })).toThrow(forLive);
  });

  it("is of no name that is reserved", () => {
    const reserved = refusal("USERNAME_RESERVED", "The name admin is reserved");
    expect(() => check({ ...registration, name: "admin" })).toThrow(reserved);
  });
});

describe("a name transfer", () => {
  it.each<[string, Partial<TransferRequest>, Facts]>([
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
    expect(check(ask(request), state)).toBeUndefined();
  });

  it.each<[string, Partial<TransferRequest>, Facts, RegistryCode, message: string]>([
    ["to one who has a name", {}, { ...heldBy1, nameOfTarget: "bob" }, "TOO_MANY_NAMES", "has the name bob"],
    ["signed too long ago", { timestamp: now - 601 }, {}, "INVALID_TIMESTAMP", "too far from the registry's"],
    ["signed too far ahead", { timestamp: now + 601 }, heldBy1, "INVALID_TIMESTAMP", "too far from"],
    ["as old as the name's last", {}, { latest: recorded(0, 1, now) }, "INVALID_TIMESTAMP", "not later than"],
    ["older than the name's last", {}, { latest: recorded(0, 1, now + 1) }, "INVALID_TIMESTAMP", "not later"],
    ["of a name nobody ever had", {}, {}, "USERNAME_NOT_FOUND", "The name alice is not registered"],
    ["of a released name", {}, { latest: recorded(1, 0) }, "USERNAME_NOT_FOUND", "alice is not registered"],
    ["of another's name", {}, { latest: recorded(0, 3) }, "USERNAME_TAKEN", "alice is registered to fid 3"],
    ["that registers a held name", { from: 0 }, heldBy1, "USERNAME_TAKEN", "alice is registered to fid 1"],
    [
      "that registers a held name in the very second of its registration",
      { from: 0 },
      { latest: recorded(0, 1, now) },
      "USERNAME_TAKEN",
      "alice is registered to fid 1",
    ],
    ["to its holder", { to: 1 }, heldBy1, "USERNAME_TAKEN", "alice is registered to fid 1"],
  ])("%s is refused", (_case, request, state, code, message) => {
    expect(() => check(ask(request), state)).toThrow(refusal(code, message));
  });
});

describe("a claim that was recorded", () => {
  const claimed = recorded(1, 2, now);

  it("answers the identical request with its transfer, however late and whatever came after", () => {
    const state = { claimed, latest: recorded(2, 3, now + 5), nameOfTarget: "bob" };
    const throttled = { ...rules, transferThrottle: 60 };
    expect(checkTransfer(ask(), { ...proven, ...state }, now + 10_000, throttled)).toBe(claimed);
  });

  it.each([{ to: 3 }, { to: 0 }, { from: 0 }, { from: 3, to: 4 }])("proves nothing for %o", (parties) => {
    expect(() => check(ask(parties), { claimed, latest: claimed })).toThrow(
      refusal("INVALID_TIMESTAMP", "This claim has already been used"),
    );
  });
});

describe("a registration that the holder of the name asks for anew", () => {
  const held = recorded(0, 2, now - 100);
  const again = { from: 0, to: 2, fid: 2 };

  it.each([now - 99, now, now + 100_000])(
    "is answered with the transfer that made it theirs, at %i",
    (at) => {
      const state = { latest: held, nameOfTarget: undefined };
      const throttled = { ...rules, transferThrottle: 1000 };
      expect(check(ask({ ...again, timestamp: at }), state, throttled)).toBe(held);
    },
  );

  it("is answered so too where another gave them the name", () => {
    const given = recorded(1, 2, now - 100);
    expect(check(ask(again), { latest: given })).toBe(given);
  });

  it.each<[string, Partial<TransferRequest>, Facts, RegistryCode]>([
    ["by a claim as old as it", { timestamp: now - 100 }, { latest: held }, "USERNAME_TAKEN"],
    ["by a claim that was used before", {}, { latest: held, claimed: recorded(3, 4) }, "INVALID_TIMESTAMP"],
    ["for somebody else", { to: 3, fid: 3 }, { latest: held }, "USERNAME_TAKEN"],
  ])("is refused %s", (_case, change, state, code) => {
    expect(() => check(ask({ ...again, ...change }), state)).toThrow(expect.objectContaining({ code }));
  });
});

describe("the throttle", () => {
  const throttled = { ...rules, transferThrottle: 60 };
  const checkAfter = (latest: Transfer | undefined, under = rules, request: Partial<TransferRequest> = {}) =>
    check(ask(request), { latest }, under);

  it.each([
    ["gives it away", recorded(0, 1, now - 59), {}],
    ["releases it", recorded(0, 1, now - 1), { to: 0 }],
    ["registers it after its release", recorded(1, 0, now - 59), { from: 0, to: 2, fid: 2 }],
  ])("refuses one who %s within it after the name's last transfer", (_what, latest, request) => {
    expect(() => checkAfter(latest, throttled, request)).toThrow(
      refusal("THROTTLED", "alice was transferred"),
    );
  });

  it("counts by the claim's own time", () => {
    expect(checkAfter(recorded(0, 1, now - 50), throttled, { timestamp: now + 10 })).toBeUndefined();
    expect(() => checkAfter(recorded(0, 1, now - 61), throttled, { timestamp: now - 10 })).toThrow(
      refusal("THROTTLED", "alice"),
    );
  });

  it("lets a name go that never went, or long enough ago", () => {
    expect(checkAfter(undefined, throttled, { from: 0, to: 2, fid: 2 })).toBeUndefined();
    expect(checkAfter(recorded(0, 1, now - 60), throttled)).toBeUndefined();
  });

  it("does not exist when it is 0", () => {
    expect(checkAfter(recorded(0, 1, now - 1))).toBeUndefined();
  });
});

describe("a request with several faults", () => {
  /** In the order in which the interface checks them; each leaves the ones after it as they are. */
  const faults: [message: string, Partial<TransferRequest>, Facts][] = [
    ["gives or receives the name can request this", { fid: 9 }, {}],
    ["not the custody address", {}, { custodyAddress: undefined }],
    ["is reserved", { name: "admin" }, {}],
    ["GET /signer returns the domain", {}, { isSigned: false }],
    ["1 to 16 of a-z", { name: "-" }, {}],
    ["already been used", {}, { claimed: recorded(3, 4) }],
    ["already has the name bob", {}, { nameOfTarget: "bob" }],
    ["too far from the registry's clock", { timestamp: now - 601 }, {}],
    ["is registered to fid 3", {}, { latest: recorded(0, 3) }],
    ["not later than the name's last transfer", {}, { latest: recorded(0, 1, now + 5) }],
    ["was transferred recently", {}, { latest: recorded(0, 1, now - 1) }],
  ];

  it.each(faults.map(([message], index) => [message, index] as const))(
    "is refused for the first of them: %s",
    (message, index) => {
      // Where two faults are in one place, the earlier one stands.
      const wrong = faults.slice(index).toReversed();
      const request = Object.assign(ask(), ...wrong.map(([, change]) => change));
      const facts: Facts = Object.assign({ ...heldBy1 }, ...wrong.map(([, , change]) => change));
      expect(() => check(request, facts, { ...rules, transferThrottle: 60 })).toThrow(message);
    },
  );
});
