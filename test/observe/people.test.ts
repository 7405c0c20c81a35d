import { beforeEach, describe, expect, it } from "vitest";
import { readLookups } from "../../src/feed/render/lookups.ts";
import { person } from "../../src/feed/render/phrases.ts";
import { findName, findUser } from "../../src/moderation/find-target.ts";
import { newEvent } from "../../src/observe/events.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const bot = await useEmptyWorld();

beforeEach(async () => {
  await bot.database.query
    .insertInto("castellan.names")
    .values([
      { name: "alice", fid: 7, owner: "0x", since: 10 },
      { name: "alice.eth", fid: 7, owner: "0x", since: 30 },
      { name: "alicia", fid: 7, owner: "0x", since: 20 },
      { name: "bob", fid: 8, owner: "0x", since: 40 },
    ])
    .execute();
});

describe("somebody with several names", () => {
  it("goes by the one with the newest proof", async () => {
    expect(await readNames(bot.database.query, [7, 8, 9])).toEqual(
      new Map([
        [7, "alice.eth"],
        [8, "bob"],
      ]),
    );
  });

  it("goes by the one that they say is theirs, while they hold it", async () => {
    const show = (name: string) =>
      bot.database.query
        .insertInto("castellan.shown_names")
        .values({ fid: 7, name, since: 5 })
        .onConflict((conflict) => conflict.column("fid").doUpdateSet({ name }))
        .execute();
    await show("alicia");
    expect((await readNames(bot.database.query, [7])).get(7)).toBe("alicia");
    expect(await findUser(bot, "@alice")).toEqual({ fid: 7, name: "alicia" });
    await show("bob");
    expect((await readNames(bot.database.query, [7])).get(7)).toBe("alice.eth");
  });

  it("goes by the same one, whichever is typed", async () => {
    for (const typed of ["@alice", "alicia", "7"]) {
      expect(await findUser(bot, typed)).toEqual({ fid: 7, name: "alice.eth" });
    }
    expect(await findName(bot, 7)).toBe("alice.eth");
  });

  it("is called the same in a room as in a command's answer", async () => {
    const event = {
      id: 1,
      ...newEvent(bot.clock.now(), {
        sourceKey: "a ban",
        kind: "user.banned" as const,
        channelId: "memes",
        subjectFid: 7,
        data: { at: 1 },
      }),
    };
    const lookups = await bot.database.transaction((tx) =>
      readLookups(tx, "900", [event], bot.clock.now(), "https://castle.test"),
    );
    expect(person(lookups, 7)).toBe(describeUser(await findUser(bot, "@alice")));
  });
});

it("whose name is not known is a number", () => {
  expect(describeUser({ fid: 9, name: undefined })).toBe("fid 9");
  expect(describeUser({ fid: 7, name: "al_ice" })).toBe("**@al\\_ice** (fid 7)");
});
