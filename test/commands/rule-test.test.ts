import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { rule } from "../support/rules.ts";
import { startRulesInDiscord } from "../support/rules-in-discord.ts";
import { readTables } from "../support/database.ts";

const chat = await startRulesInDiscord();
const { users, bot } = chat;
afterAll(() => chat.stop());
beforeEach(() => chat.reset());

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
    expect(text).toMatch(/> 🆕 #3 <t:\d+:R> fid 7 `claim \*\*now\*\*`/);
    expect(text).toMatch(/> ➖ #2 <t:\d+:R> fid 7 `free airdrop`/);
    expect(text).toContain("**greeting** 🔴 enforce\n🟰 hit as before: **1**");
    expect(text).toContain("Nothing was done.");
    expect(await readTables(bot.database.query)).toEqual(before);
    expect(bot.woken).toEqual([]);
  });

  it("tries the rules in force where no file is given, as far back as asked", async () => {
    await chat.save(rule());
    await chat.said("airdrop");
    bot.clock.advance(3 * 86_400);
    await chat.said("airdrop again");
    const { text } = await chat.run(users.owner, "rule test", { days: 2 });
    expect(text).toContain("The rules in force, tried on the past");
    expect(text).toContain("Rehearsed on 1 events");
    expect(text).toContain("🟰 hit as before: **1**");
  });

  it("names mistakes of the file, and refuses strangers and channels of others", async () => {
    const wrong = { ...chat.file(), content: Buffer.from("version: 1\nrulse: []") };
    expect((await chat.run(users.owner, "rule test", { file: wrong })).text).toContain(
      'did you mean "rules"?',
    );
    expect((await chat.run(users.stranger, "rule test")).text).toContain(
      "You may not look at or change the rules of /memes",
    );
    expect((await chat.run(users.owner, "rule test")).text).toContain("There are no rules in force to try");
    const elsewhere = await chat.run(users.owner, "rule test", { file: chat.file(rule()), channel: "art" });
    expect(elsewhere.text).toContain("and not in /art");
  });
});

describe("/rule import", () => {
  it("shows the rehearsal beside the difference before it asks", async () => {
    await chat.said("airdrop", "gm");
    const { text, buttons } = await chat.run(users.owner, "rule import", { file: chat.file(rule()) });
    expect(text).toContain("New (1)");
    expect(text).toContain("**scam** 🔴 enforce\n🆕 newly hit: **1**");
    expect(Object.keys(buttons)).toEqual(["Put in force", "Cancel"]);
  });
});
