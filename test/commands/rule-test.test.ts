import { describe, expect, it } from "vitest";
import { castRow, rule } from "../support/rules.ts";
import { readTables } from "../support/database.ts";
import { useRulesInDiscord } from "../support/scenes.ts";

const chat = await useRulesInDiscord();
const { users, bot } = chat;

const contains = (word: string) => ({ text: { contains: word } });

describe("/rule test", () => {
  it("shows what an attached file would change, with samples, and changes nothing", async () => {
    await chat.save(rule(), rule({ id: "greeting", when: contains("gm") }));
    await chat.said("gm", "free airdrop", "claim **now**", "hello");
    const before = await readTables(bot.database.query);
    bot.woken.length = 0;
    const file = chat.file(
      rule({ when: contains("claim"), mode: "shadow" }),
      rule({ id: "greeting", when: contains("gm") }),
    );
    const { text } = await chat.run(users.owner, "rule test", { file });
    expect(text).toContain("Rehearsed on 4 events of the last 7 days in /memes");
    expect(text).toContain("**scam** 🔵 shadow\n🆕 newly hit: **1** · ➖ no longer hit: **1**");
    expect(text).toMatch(/> 🆕 E-3 <t:\d+:R> fid 7 `claim \*\*now\*\*`/);
    expect(text).toMatch(/> ➖ E-2 <t:\d+:R> fid 7 `free airdrop`/);
    expect(text).toContain("**greeting** 🔴 enforce\n🟰 hit as before: **1**");
    expect(text).toContain("Nothing was done.");
    expect(await readTables(bot.database.query)).toEqual(before);
    expect(bot.woken).toEqual([]);
  });

  it("names the authors of its samples, where they have a name", async () => {
    await chat.save(rule());
    await chat.said("claim now");
    const name = { name: "pia_1", fid: 7, owner: "0x", since: 1 };
    await bot.database.query.insertInto("castellan.names").values(name).execute();
    const file = chat.file(rule({ when: contains("claim") }));
    const { text } = await chat.run(users.owner, "rule test", { file });
    await bot.database.query.deleteFrom("castellan.names").execute();
    expect(text).toMatch(/> 🆕 E-1 <t:\d+:R> \*\*@pia\\_1\*\* \(fid 7\) `claim now`/);
  });

  it("says how far back the replies reach, where older casts are still to be asked about", async () => {
    await chat.save(rule());
    await chat.said("airdrop");
    const { query } = bot.database;
    await query
      .insertInto("castellan.watched_channels")
      .values({ channel_id: "memes", url: "u", since_ms: 0, past_page: null })
      .execute();
    const castAt = Math.floor(bot.clock.now() / 1000) - 86_400;
    const cast = {
      channel_id: "memes",
      fid: 7,
      text: "",
      thread_depth: 0,
      embeds: "[]",
      from_past: true,
      parent_hash: null,
      removed_at: null,
      erased_at_ms: null,
    };
    for (const [digit, replies_known] of [
      ["a", true],
      ["b", false],
    ] as const) {
      const hash = `0x${digit.repeat(40)}`;
      await query
        .insertInto("castellan.casts")
        .values({ ...cast, hash, root_hash: hash, cast_at: castAt, replies_known })
        .execute();
    }
    const { text } = await chat.run(users.owner, "rule test", {});
    expect(text).toContain(`reach back to casts since <t:${castAt + 1}:f> (1 of 2 older casts)`);
    await query.updateTable("castellan.casts").set({ replies_known: true }).execute();
    expect((await chat.run(users.owner, "rule test", {})).text).not.toContain("reach back");
  });

  it("says from when it saw casts, from before the link too, and names a tried rule without a hit", async () => {
    await chat.save(rule());
    await chat.said("gm");
    const { query } = bot.database;
    const linkedAt = Math.floor(bot.clock.now() / 1000) - 60;
    const watched = { channel_id: "memes", url: "u", since_ms: linkedAt * 1000, past_page: "" };
    await query.insertInto("castellan.watched_channels").values(watched).execute();
    const hash = `0x8977${"c".repeat(36)}`;
    const early = castRow(hash, { text: "free mint", cast_at: linkedAt - 5, from_past: true });
    await query.insertInto("castellan.casts").values(early).execute();
    const file = chat.file(
      rule(),
      rule({ id: "mint", when: contains("free mint") }),
      rule({ id: "zebra", when: contains("zebra") }),
    );
    const { text } = await chat.run(users.owner, "rule test", { file });
    expect(text).toContain("Rehearsed on 2 events");
    expect(text).toContain(
      `/memes: **2** casts, since <t:${linkedAt - 5}:f>; 1 of them are from before the link (<t:${linkedAt}:f>), as the network still has them. ⚠️ Casts from before the link (<t:${linkedAt}:f>) are still being fetched`,
    );
    expect(text).toMatch(
      /\*\*The new rules would have matched nothing: zebra\*\*\n\*\*mint\*\* 🔴 enforce\n🆕 newly hit: \*\*1\*\*/,
    );
    expect(text).toMatch(/> 🆕 `0x8977ccccc…` <t:\d+:R> fid 7 `free mint`/);
    expect(text).toContain("Other rules without a match: scam");
    await query.updateTable("castellan.watched_channels").set({ past_page: null }).execute();
    const later = await chat.run(users.owner, "rule test", { file });
    expect(later.text).not.toContain("being fetched");
  });

  it("tries the rules in force where no file is given, as far back as asked", async () => {
    await chat.save(rule());
    await chat.said("airdrop");
    bot.clock.advance(3 * 86_400);
    await chat.said("airdrop again");
    const { text } = await chat.run(users.owner, "rule test", { days: 2 });
    expect(text).toContain("The rules in force, rehearsed on the past");
    expect(text).toContain("Rehearsed on 1 events");
    expect(text).toContain("🟰 hit as before: **1**");
  });

  it("names mistakes of the file, and refuses strangers and channels of others", async () => {
    const wrong = { ...chat.file(), content: Buffer.from("version: 1\nrulse: []") };
    expect((await chat.run(users.owner, "rule test", { file: wrong })).text).toContain(
      'did you mean "rules"?',
    );
    expect((await chat.run(users.stranger, "rule test")).text).toContain(
      "You may not view or change the rules of /memes",
    );
    expect((await chat.run(users.owner, "rule test")).text).toContain(
      "There are no rules in force to rehearse",
    );
    const elsewhere = await chat.run(users.owner, "rule test", { file: chat.file(rule()), channel: "art" });
    expect(elsewhere.text).toContain("/art is not one of them");
  });
});

describe("/rule import", () => {
  it("shows the rehearsal beside the difference before it asks", async () => {
    await chat.said("airdrop", "gm");
    const { text, buttons } = await chat.run(users.owner, "rule import", { file: chat.file(rule()) });
    expect(text).toContain("New (1)");
    expect(text).toContain("**scam** 🔴 enforce\n🆕 newly hit: **1**");
    expect(Object.keys(buttons)).toEqual(["New rule in shadow", "Put in force", "Cancel"]);
  });
});
