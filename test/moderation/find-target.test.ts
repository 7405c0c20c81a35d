import { afterAll, expect, test } from "vitest";
import { findUser, readUser } from "../../src/moderation/find-target.ts";
import { createWorld } from "../support/world.ts";

const bot = await createWorld();
afterAll(() => bot.database.close());
await bot.database.query
  .insertInto("castellan.names")
  .values({ name: "12", fid: 5, owner: "0x", since: 10 })
  .execute();

test.each([
  ["12", { fid: 12 }],
  [" fid 12 ", { fid: 12 }],
  ["FID: 12", { fid: 12 }],
  ["https://castle.test/~/profiles/12", { fid: 12 }],
  ["https://castle.test/~/profiles/12/?x=1", { fid: 12 }],
  ["@12", { name: "12" }],
  ["012", { name: "012" }],
  ["fid12", { name: "fid12" }],
  ["12-34", { name: "12-34" }],
  ["https://castle.test/12", { name: "12" }],
  ["https://castle.test/12/", { name: "12" }],
  ["https://castle.test/12?x=1#y", { name: "12" }],
  ["https://castle.test/Alice.eth", { name: "alice.eth" }],
  ["http://castle.test/12", { name: "12" }],
  ["https://www.castle.test/@12", { name: "12" }],
  ["HTTPS://CASTLE.TEST/alice", { name: "alice" }],
  ["castle.test/alice", { name: "alice" }],
  ["www.castle.test/~/profiles/12", { fid: 12 }],
  ["<https://castle.test/12>", { name: "12" }],
])("%j is %j", (typed, expected) => {
  expect(readUser(bot, typed)).toEqual(expected);
});

test.each([
  "12,345",
  "13.000",
  "1 234",
  "1\u00a0234",
  "1\u202f234",
  "1'234",
  "1’234",
  "1_000",
  "１２",
  "١٢",
  "12#3",
  "12/",
])("%j is refused: it can be read in more than one way", (typed) =>
  expect(() => readUser(bot, typed)).toThrow("can be read in more than one way. Write a fid in digits"),
);

test.each([
  "",
  "-5",
  "1+1",
  "28/29 x",
  "9007199254740993",
  "a b",
  "fid 012",
  "https://castle.test/~/profiles/0",
  "https://castle.test.evil.example/alice",
  "https://warpcast.com/alice",
  "https://castle.test/alice/0x1234567890",
])("%j is nobody", (typed) =>
  expect(() => readUser(bot, typed)).toThrow("Unknown user. Write a fid in digits only"),
);

test("a link that ends in a name of digits leads to whoever holds the name", async () => {
  expect(await findUser(bot, "https://castle.test/12")).toEqual({ fid: 5, name: "12" });
});

test("where the app is farcaster.xyz, links to its earlier address are links to it", () => {
  const live = { ...bot, settings: { ...bot.settings, linkBase: "https://farcaster.xyz" } };
  expect(readUser(live, "https://warpcast.com/12")).toEqual({ name: "12" });
  expect(readUser(live, "warpcast.com/~/profiles/12")).toEqual({ fid: 12 });
  expect(readUser(live, "https://www.farcaster.xyz/alice?s=1")).toEqual({ name: "alice" });
});
