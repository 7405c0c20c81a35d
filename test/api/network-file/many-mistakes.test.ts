import { expect, it } from "vitest";
import { collectMistakes } from "../../../src/api/network-file/mistakes.ts";
import { readRecords } from "../../../src/api/network-file/records.ts";
import { collectKeys } from "../../../src/api/network-file/references.ts";
import { asAppError } from "../../../src/errors.ts";
import { castHash } from "../../support/seed.ts";
import { custodyOf } from "../../support/signing.ts";
import { useTestNetwork } from "../../support/test-cases.ts";

const net = await useTestNetwork();

/** What the importer says of a file. */
async function refuse(file: Record<string, unknown>) {
  const error: unknown = await net.api.operator.importNetwork(file).catch((e: unknown) => e);
  const refusal = asAppError(error, "invalid_file");
  const paths = refusal?.mistakes.map(({ path }) => path) ?? [];
  const { message, mistakes } = refusal ?? {};
  return { message, mistakes, paths, last: mistakes?.at(-1) };
}

const channel = { id: "a", name: "a", url: "https://new.test/a" };

it.each<[string, Record<string, unknown>, string]>([
  ["records of a wrong form", { botAllowlist: Array(40_000).fill("x") }, "/botAllowlist/999"],
  [
    "elements of one record",
    { channels: [{ ...channel, memberFids: Array(40_000).fill("x") }] },
    "/channels/0/memberFids/999",
  ],
  [
    "mentions of what is nowhere",
    { channels: [{ ...channel, memberFids: Array(40_000).fill(7) }] },
    "/channels/0/memberFids/999",
  ],
])("of 40,000 %s a thousand are told, and how many more there are", async (_, file, thousandth) => {
  const { message, paths, last } = await refuse(file);
  expect(message).toBe("The network file has 40,000 mistakes; nothing was imported.");
  expect(paths).toHaveLength(1001);
  expect(paths[999]).toBe(thousandth);
  expect(last).toEqual({ path: "", message: "and 39,000 more", count: 39_000 });
});

it("reports the count with the first mistake of a kind, and later mistakes of other kinds", async () => {
  const { mistakes } = await refuse({
    botAllowlist: Array(5_000).fill("x"),
    channelFollows: [{ fid: 1, channelId: "nowhere" }],
  });
  expect(mistakes?.[0]).toMatchObject({ path: "/botAllowlist/0", count: 5_000 });
  expect(mistakes?.map(({ path }) => path)).toContain("/channelFollows/0/channelId");
});

it("does not report the consequences of a record's mistakes", async () => {
  const url = "https://new.test/b";
  const { mistakes } = await refuse({
    accounts: [{ fid: 70, custodyAddress: custodyOf(70).address, username: "a-name-that-is-far-too-long" }],
    channels: [
      { id: "b", name: "b", url, leadFid: 70, pinnedCastHash: castHash(71) },
      { ...channel, name: 7 },
    ],
    casts: [
      { hash: castHash(71), fid: 70, text: 7, channelId: "b" },
      { hash: castHash(72), fid: 70, text: "gm", parentHash: castHash(71) },
      { hash: castHash(73), fid: 74, text: "gm", channelId: "a" },
    ],
  });
  expect(mistakes?.map(({ path }) => path)).toEqual([
    "/accounts/0/username",
    "/channels/1/name",
    "/casts/0/text",
    "/casts/2/fid",
  ]);
});

it("reports the first thousand of 2,000 duplicate records", async () => {
  const accounts = Array.from({ length: 2001 }, () => ({ fid: 7, custodyAddress: custodyOf(7).address }));
  const { message, paths, last } = await refuse({ accounts });
  expect(message).toMatch(/^The network file has 2,000 mistakes/);
  expect(paths).toHaveLength(1001);
  expect(last?.message).toBe("and 1,000 more");
});

it("shortens the name of an unknown kind that is as long as a file", async () => {
  const { paths } = await refuse({ ["x".repeat(1_000_000)]: [] });
  expect(paths).toEqual([`/${"x".repeat(298)}…`]);
});

it("others have the event loop while one long record is read", async () => {
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  const memberFids = Array.from({ length: 300_000 }, (_, index) => index + 1);
  const file = await readRecords({ channels: [{ ...channel, memberFids }] }, collectMistakes());
  const whileRead = turns;
  await collectKeys(file);
  clearImmediate(next);
  expect(whileRead).toBeGreaterThan(1);
  expect(turns).toBeGreaterThan(whileRead);
});
