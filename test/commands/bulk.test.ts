import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { CommandContext } from "../../src/discord/command-context.ts";
import type { RawValues } from "../../src/discord/command.ts";
import { carryOutBulk } from "../../commands/shared/bulk.ts";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { boundTo, originOf } from "../../src/listening.ts";
import { addCasts } from "../support/casts.ts";
import { preview } from "../support/confirmed.ts";
import { commandContext, people, verifyDiscord } from "../support/world.ts";
import { useWorld } from "../support/test-cases.ts";

let context: CommandContext;
let content = "";

const bot = await useWorld();
const server = createServer((_, response) => response.setHeader("connection", "close").end(content));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const url = originOf(boundTo(server));
afterAll(() => server.close());
beforeEach(async () => {
  await verifyDiscord(bot, people.moderator, "1002");
  context = commandContext(bot, {
    userId: "1002",
    guildId: "g1",
    roomId: "1",
    roleIds: [],
    managesServer: false,
  });
});

function attach(text: string): RawValues {
  content = text;
  return { file: { name: "list.txt", size: Buffer.byteLength(text), url } };
}

const type = (path: string, raw: RawValues) => preview(context, path, raw);

async function hidden(hashes: readonly string[]): Promise<number> {
  const casts = await Promise.all(hashes.map((hash) => bot.net.api.operator.readCast({ hash })));
  return casts.filter(({ hiddenByModeration }) => hiddenByModeration).length;
}

async function seen(
  hashes: readonly string[],
  change: { hidden?: boolean; removed_at?: number },
): Promise<void> {
  await bot.database.query.updateTable("castellan.casts").set(change).where("hash", "in", hashes).execute();
}

test.each<[string, RawValues, string]>([
  ["hide", { casts: `0x${"1".repeat(40)}`, user: "7" }, "Choose them by casts or by user"],
  [
    "hide",
    { show_again: true, casts: `0x${"1".repeat(40)}`, since: "1h" },
    "Choose them by casts or by since",
  ],
  ["ban", { users: "7 8", text: "airdrop" }, "Choose them by users or by text"],
  ["ban", { lift: true, users: "7", rule: "scam" }, "Choose them by users or by rule"],
  ["ban", { user: "7", users: "8" }, "Choose them by user or by users"],
  ["ban", { users: "7", everywhere: true }, "`everywhere` is for one `user`"],
  ["ban", { users: "7", rule: "scam" }, "Choose them by users or by rule"],
  ["ban", { text: "gm", rule: "scam" }, "`rule` is for `lift`"],
  ["ban", { lift: true, user: "7", duration: "1d" }, "`duration` does not go with `lift`"],
  ["hide", { user: "7", thread: true }, "`thread` is for hiding one `cast`"],
])("/%s of targets that are given in two ways ignores neither: %o", async (path, raw, says) => {
  await expect(type(path, raw)).rejects.toThrow(says);
});

describe("/hide of many casts", () => {
  test("hide what contains a text, and only what was shown; unhide brings back all of a user", async () => {
    const spam = await addCasts(bot, 7, { fid: people.troll, text: "Free AIRDROP" });
    const other = await addCasts(bot, 3, { fid: people.troll, text: "gm" });
    const { text, act } = await type("hide", { text: "airdrop", reason: "scam" });
    expect(text).toContain("Hide 7 casts in /memes?");
    expect(text).toContain("with `airdrop`");
    expect(text).toContain("… and 2 more");
    const [first = ""] = spam;
    await seen([first], { removed_at: 1 });
    await addCasts(bot, 1, { fid: people.troll, text: "airdrop of later" });
    const done = await act();
    expect(done).toContain("B-1 · Hide · memes · done\n**6 casts hidden**");
    expect(await hidden(spam)).toBe(6);
    await seen(spam.slice(1), { hidden: true });
    const back = await type("hide", { user: String(people.troll), show_again: true });
    expect(back.text).toContain("Show 6 casts in /memes?");
    expect(await back.act()).toContain("**6 casts shown again**");
    expect(await hidden([...spam, ...other])).toBe(0);
  });

  test("or one cast, and shows it again at once", async () => {
    const [one = ""] = await addCasts(bot, 1, { fid: people.troll });
    await (await type("hide", { cast: one })).act();
    expect(await hidden([one])).toBe(1);
    await type("hide", { cast: one, show_again: true });
    expect(await hidden([one])).toBe(0);
  });

  test("since a time", async () => {
    await addCasts(bot, 3, { fid: people.troll });
    const now = Math.floor(bot.clock.now() / 1000);
    await bot.database.query
      .updateTable("castellan.casts")
      .set({ cast_at: now - 7000 })
      .execute();
    const late = await addCasts(bot, 2, { fid: people.troll, text: "late" });
    await bot.database.query
      .updateTable("castellan.casts")
      .set({ cast_at: now - 60 })
      .where("hash", "in", late)
      .execute();
    expect((await type("hide", { since: "1h" })).text).toContain("Hide 2 casts");
    expect((await type("hide", { since: "2h" })).text).toContain("Hide 5 casts");
    await expect(type("hide", { since: "tomorrow" })).rejects.toThrow("`tomorrow` is not a time in the past");
  });

  test("what another bulk is doing is left out, and what it has done counts as done", async () => {
    const casts = await addCasts(bot, 2, { fid: people.troll });
    const [one = "", two = ""] = casts;
    const both = await type("hide", { casts: casts.join(" ") });
    const single = await type("hide", { casts: one });
    const asked = { guildId: "g1", channelId: "memes", kind: "hide" as const, selection: "casts" };
    const by = { userId: "1", fid: people.moderator };
    await bot.database.transaction((tx) =>
      beginBulk(bot, tx, { ...asked, by }, [{ kind: "hide", targetCast: one }]),
    );
    await expect(single.act()).rejects.toThrow("All of it is done or under way by now");
    expect(await both.act()).toContain("**1 cast hidden**");
    expect((await type("hide", { casts: two })).text).toContain("No cast to hide");
    expect((await type("hide", { casts: two, show_again: true })).text).toContain("Show 1 cast in /memes?");
  });

  test("one cast is not called all of them", async () => {
    await addCasts(bot, 1, { fid: people.troll });
    expect((await type("hide", { user: "7" })).label).toBe("Hide it");
    await addCasts(bot, 1, { fid: people.troll });
    expect((await type("hide", { user: "7" })).label).toBe("Hide all of them");
  });

  test("without anything to go by, nothing is hidden", async () => {
    await addCasts(bot, 1, { fid: people.troll });
    await expect(type("hide", {})).rejects.toThrow("Choose a cast, or many");
    const none = await type("hide", { text: "%" });
    expect(none.text).toContain("No cast to hide");
  });

  test("a file of casts is answered line by line", async () => {
    const [one = "", two = "", removed = ""] = await addCasts(bot, 3, { fid: people.troll });
    await seen([removed], { removed_at: 1 });
    await seen([two], { hidden: true });
    const text = [one, `https://castle.test/x/${one}`, "", two, removed, "0xzz", `0x${"e".repeat(40)}`].join(
      "\r\n",
    );
    const { text: shown, view, act } = await type("hide", attach(text));
    expect(shown).toContain("The file names 1 of 6 lines.");
    const [report] = view.files ?? [];
    expect(report?.text.split("\n").map((line) => line.split("\t").toSpliced(2, 1).join(" "))).toEqual([
      "line used answer",
      `1 yes fid ${people.troll}`,
      "2 no the same as in line 1",
      "4 no it is hidden already",
      "5 no its author removed it",
      "6 no not a hash or link of a cast",
      "7 no Castellan has never seen this cast",
      "",
    ]);
    expect(await act()).toContain("**1 cast hidden**");
  });
});

describe("/ban of many users", () => {
  const banned = async () => {
    const { result } = await bot.network.channelBans.list({ channelId: "memes", limit: 1000 });
    return result.bannedUsers.map(({ fid }) => fid).toSorted((a, b) => a - b);
  };

  test(
    "a file of 5,000 names with garbage in it is answered line by line, and whom it names is banned",
    { timeout: 120_000 },
    async () => {
      const names = Array.from({ length: 400 }, (_, index) => ({
        name: `bad-${index}`,
        fid: 5000 + index,
        owner: "0x",
        since: 1,
      }));
      await bot.database.query.insertInto("castellan.names").values(names).execute();
      const garbage = [
        "**@everyone**",
        "\u0000\u202e",
        "a b c",
        "-5",
        "0",
        "9".repeat(400),
        "=cmd|' /C calc'!A0",
      ];
      const lines = Array.from({ length: 5000 }, (_, index) =>
        index % 2 === 1
          ? (garbage[index % garbage.length] ?? "")
          : index < 800
            ? `@bad-${index / 2}`
            : `@nobody-${index}`,
      );
      const { text, view, act } = await type("ban", attach([...lines, "1", "2", "9001"].join("\n")));
      expect(text).toContain("Ban 400 users from /memes?");
      expect(text).toContain("the owner of the channel cannot be banned");
      expect(text).toContain("only the owner can ban a moderator");
      expect(text).toContain("that is Castellan itself");
      const report = view.files?.[0]?.text.split("\n") ?? [];
      expect(report).toHaveLength(5003 + 2);
      expect(report[1]).toBe("1\tyes\t@bad-0\t@bad-0 (fid 5000)");
      expect(report[2]).toMatch(/^2\tno\t.*\tnot a fid, name or profile link$/);
      expect(report[5000 - 1]).toMatch(
        /nobody-4998\t(nobody holds this name now|Castellan has never seen this name: give the fid)$/,
      );
      expect(await act()).toContain("**400 users banned**");
      expect(await banned()).toHaveLength(400);
    },
  );

  test("who is banned already is named with the end, and keeps it, whatever comes between", async () => {
    const ban = await type("ban", { user: "3", duration: "2d" });
    await ban.act();
    await bot.net.as(people.owner).channelBans.ban({ channelId: "memes", banFid: 500 });
    await bot.database.query
      .insertInto("castellan.listing_entries")
      .values({ channel_id: "memes", listing: "bans", fid: 500, at: 1, role: null, inviter_fid: null })
      .execute();
    const until = `<t:${Math.floor(bot.clock.now() / 1000) + 2 * 86_400}:f>`;
    const { text, act } = await type("ban", attach("3\n7\n8\n500"));
    expect(text).toContain("Ban 2 users from /memes?");
    expect(text).toContain("2 users are banned already, and stay so as now:");
    expect(text).toContain(`fid 3: until ${until} (C-1)`);
    expect(text).toContain("fid 500: permanently");
    const between = await type("ban", { user: "8", duration: "1h" });
    await between.act();
    expect(await act()).toContain("**1 user banned**");
    const soon = `<t:${Math.floor(bot.clock.now() / 1000) + 3600}:f>`;
    expect((await type("ban", attach("3\n8"))).text).toContain(`fid 8: until ${soon} (C-2)`);
    expect((await type("ban", attach("3\n8"))).text).toContain("Nobody to ban");
  });

  test("whom another bulk is banning is left out", async () => {
    const { act } = await type("ban", { ...attach("3\n7"), duration: "1d" });
    const asked = { guildId: "g1", channelId: "memes", kind: "ban" as const, selection: "users" };
    const by = { userId: "1", fid: people.moderator };
    await bot.database.transaction((tx) =>
      beginBulk(bot, tx, { ...asked, by }, [{ kind: "ban", targetFid: 3 }]),
    );
    expect(await act()).toContain("**1 user banned**");
    expect(await act().catch(String)).toContain("All of it is done or under way by now");
  });

  test("its answer offers to undo only what is in force", async () => {
    const asked = { channelId: "memes", kind: "ban" as const, selection: "users" };
    const by = { userId: "1", fid: people.moderator };
    const labels = async (targetFid: number) => {
      const { buttons } = await carryOutBulk(context, { ...asked, by }, [{ kind: "ban", targetFid }]);
      return buttons?.flat().flatMap((button) => ("label" in button ? button.label : []));
    };
    expect(await labels(3)).toEqual(["Undo"]);
    expect(await labels(3)).toBeUndefined();
    expect(await labels(7)).toEqual(["Undo"]);
  });

  test("one user is not called all of them", async () => {
    const duration = "1d";
    expect((await type("ban", { ...attach("3"), duration })).label).toBe("Ban");
    expect((await type("ban", { ...attach("3\n7"), duration })).label).toBe("Ban all of them");
  });

  test("authors of a text are banned for a time, and those of a time are unbanned", async () => {
    await addCasts(bot, 2, { fid: people.troll, text: "airdrop" });
    await addCasts(bot, 1, { fid: 3, text: "airdrop" });
    await addCasts(bot, 1, { fid: people.moderator, text: "no airdrop here" });
    const member = { channel_id: "memes", listing: "members" as const, fid: 3, at: 1, role: null };
    await bot.database.query
      .insertInto("castellan.listing_entries")
      .values({ ...member, inviter_fid: null })
      .execute();
    const { text, act } = await type("ban", { text: "airdrop", duration: "1h" });
    expect(text).toContain("Ban 2 users from /memes?");
    expect(text).toContain("They wrote 3 of the 4 matching casts");
    expect(text).toContain("**member**, fid 7");
    expect(text).toContain(
      "**1 of them is a member.** Lifting the ban does not bring back roles and invites",
    );
    expect(await act()).toMatch(/fid 7[^]*Until <t:[0-9]+:f>/);
    expect(await banned()).toEqual([3, people.troll]);
    const rows = await bot.database.query.selectFrom("castellan.cases").select("due_at_ms").execute();
    expect(rows.map(({ due_at_ms }) => due_at_ms)).toEqual([
      bot.clock.now() + 3600_000,
      bot.clock.now() + 3600_000,
    ]);
    const at = Math.floor(bot.clock.now() / 1000);
    const entry = { channel_id: "memes", listing: "bans" as const, at, role: null, inviter_fid: null };
    await bot.database.query
      .insertInto("castellan.listing_entries")
      .values([
        { ...entry, fid: 3 },
        { ...entry, fid: people.troll },
      ])
      .execute();
    const both = await type("ban", { users: "3 7", lift: true });
    expect([both.text, both.label]).toEqual([
      expect.stringContaining("Lift 2 bans in /memes?"),
      "Lift all of them",
    ]);
    const back = await type("ban", { since: "1h", lift: true });
    expect(back.text).toContain("Lift 2 bans in /memes?");
    expect(back.text).toContain("stay **restricted**");
    expect(await back.act()).toContain("**2 bans lifted**");
    expect(await banned()).toEqual([]);
  });
});
