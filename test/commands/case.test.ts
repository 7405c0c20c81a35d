import { describe, expect, test } from "vitest";
import { newEvent } from "../../src/observe/events.ts";
import { indexRequested } from "../../src/observe/hub/index-casts.ts";
import { type Seen } from "../support/bot-in-discord.ts";
import { channelUrl } from "../support/seed.ts";
import { castRow } from "../support/rules.ts";
import { people } from "../support/world.ts";
import { useBotInDiscord } from "../support/scenes.ts";

const scene = await useBotInDiscord();

const troll = String(people.troll);
const run = (command: string, options: Record<string, string | boolean> = {}) =>
  scene.run("moderator", command, options);

async function ban(options: Record<string, string | boolean> = {}): Promise<Seen> {
  return scene.click(
    "moderator",
    await run("ban", { user: troll, duration: "permanent", reason: "spam", ...options }),
    "Ban",
  );
}

/** A cast of the troll's, on the network and in the index. */
async function addCast(text: string): Promise<string> {
  const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text });
  await scene.bot.database.query.insertInto("castellan.casts").values(castRow(hash, { text })).execute();
  return hash;
}

async function hide(cast: string): Promise<Seen> {
  return scene.click("moderator", await run("hide", { cast }), "Hide");
}

describe("what was done to somebody's casts", () => {
  test("is booked on them: previews, cards and lists name the author and what was said", async () => {
    const [first, second] = [await addCast("buy lamps"), await addCast("buy more lamps")];
    const done = await hide(first);
    expect(done.text).toContain("C-1 · Hide · done");
    expect(done.text).toMatch(/Author: .*fid 7/);
    const preview = await run("hide", { cast: second });
    expect(preview.text).toContain("Earlier: 1 hide.\nLatest cases:\n**C-1** Hide fid 7: `buy lamps`");
    expect((await run("case show", { user: troll })).text).toContain("**C-1** Hide fid 7: `buy lamps`");
    expect((await run("ban", { user: troll, duration: "permanent", reason: "spam" })).text).toContain(
      "**C-1** Hide",
    );
    expect((await run("case show", { user: "3" })).text).toContain("No cases.");
  });

  test("is booked also where others did it, or the cast was not known at the time", async () => {
    const hash = await scene.bot.net.seed.cast({ fid: people.troll, channelId: "memes", text: "early" });
    const hidden = { sourceKey: "record 1", kind: "record.hidden", channelId: "memes" } as const;
    await scene.bot.happen(newEvent(scene.bot.clock.now(), { ...hidden, data: { castHash: hash } }));
    expect((await run("case show", { user: troll })).text).toContain("No cases.");
    const parentUrl = channelUrl("memes");
    const place = {
      parentUrl,
      parentHash: null,
      parentFid: null,
      mentions: [],
      mentionsPositions: [],
      embeds: [],
      quotes: [],
      castAt: 1,
    };
    const cast = { hash, fid: people.troll, text: "early", ...place };
    const watched = { byUrl: new Map([[parentUrl, "memes"]]), since: new Map([["memes", 0]]) };
    await scene.bot.database.transaction((tx) => indexRequested(tx, [cast], watched));
    expect((await run("case show", { user: troll })).text).toContain("**C-1** Hide fid 7: `early`");
  });
});

describe("/ban", () => {
  test("says of a number that nobody knows that nobody does", async () => {
    const { text } = await run("ban", { user: "999999999999", duration: "permanent", reason: "spam" });
    expect(text).toContain("No name and no cast of fid 999999999999 is known here");
    await addCast("gm");
    expect((await run("ban", { user: troll, duration: "permanent", reason: "spam" })).text).not.toContain(
      "is known here",
    );
  });
});

describe("what people write beside cases and about people", () => {
  test("a reason is changed and a comment added, each by name, with what stood before", async () => {
    await ban({ reason: "spam" });
    expect((await run("case edit", { number: "1", reason: "scam" })).text).toContain("Reason: scam");
    const seen = await run("case edit", { number: "1", comment: "*asked* for a second chance" });
    expect(seen.text).toContain("reason before\\: spam");
    expect(seen.text).toContain("\\*asked\\* for a second chance");
    expect(seen.text).toContain(`<@${scene.users.moderator}>`);
    expect((await scene.run("stranger", "case edit", { number: "1", comment: "x" })).text).toContain(
      "You may not",
    );
  });

  test("notes and strikes by hand are known to whoever acts next, and strikes are taken back once", async () => {
    await run("note", { user: troll, text: "sells *lamps*" });
    expect((await run("ban", { user: troll, duration: "permanent", reason: "spam" })).text).toContain(
      `Note of <@${scene.users.moderator}>: sells \\*lamps\\*`,
    );
    const notes = await run("note", { user: troll });
    expect(notes.text).toMatch(/\*\*N-1\*\* · <t:\d+:R> · by <@\d+>\nsells/);
    expect((await scene.run("stranger", "undo", { what: "N-1" })).text).toContain("You may not");
    expect((await run("undo", { what: "N-1", reason: "why" })).text).toContain("without a reason");
    expect((await run("undo", { what: "N-1" })).text).toContain("Removed N-1 about fid 7 in /memes.");
    expect((await run("undo", { what: "n-1" })).text).toContain("N-1 has already been removed.");
    expect((await run("undo", { what: "N-9" })).text).toContain("There is no note N-9 here.");
    expect((await run("note", { user: troll })).text).toContain("No notes.");
    const again = await run("note", { user: troll, text: "sells lights" });
    expect((await scene.ask("moderator", again, "Undo")).text).toContain("Removed N-2");
    expect((await run("strike", { user: troll, points: "3", reason: "rude" })).text).toContain(
      "who now has 3",
    );
    expect((await run("ban", { user: troll, duration: "permanent", reason: "spam" })).text).toContain(
      "3 strike points",
    );
    expect((await run("who", { user: troll })).text).toMatch(/\*\*S-1\*\* 3 points .* rude/);
    expect((await run("undo", { what: "E-1" })).text).toContain("E-1 is the number of an event");
    expect((await run("undo", { what: "s-1" })).text).toContain("who now has 0");
    expect((await run("undo", { what: "S-1" })).text).toContain("already been removed");
    expect((await run("ban", { user: troll, duration: "permanent", reason: "spam" })).text).not.toContain(
      "strike point",
    );
  });
});

describe("finding cases", () => {
  test("by person, moderator, action, state, time and words, with counts, and the filter in the answer", async () => {
    await ban({ reason: "crypto spam" });
    scene.bot.clock.advance(86_400);
    await hide(await addCast("buy lamps"));
    for (let fid = 20; fid < 29; fid += 1) {
      await scene.click(
        "owner",
        await scene.run("owner", "ban", { user: String(fid), duration: "permanent", reason: "spam" }),
        "Ban",
      );
    }
    const all = await run("case show");
    expect(all.text).toContain("11 cases · 2 pages");
    const found = async (options: Record<string, string>) => {
      const { text } = await run("case show", options);
      return [...text.matchAll(/\*\*(C-\d+)\*\*/g)].map(([, number]) => number);
    };
    expect(await found({ action: "hide" })).toEqual(["C-2"]);
    expect(await found({ moderator: scene.users.moderator })).toEqual(["C-2", "C-1"]);
    expect(await found({ until: "12h" })).toEqual(["C-1"]);
    expect(await found({ words: "LAMPS" })).toEqual(["C-2"]);
    expect(await found({ words: "spam crypto", user: troll })).toEqual(["C-1"]);
    expect(await found({ state: "failed" })).toEqual([]);
    const { text } = await run("case show", { action: "hide", user: troll });
    expect(text).toContain("Cases of /memes\nOnly about fid 7, hide.");
    expect(text).toContain("1 case · 1 page");
    expect((await run("case show", { since: "soon" })).text).toContain("`soon` is not a time in the past");
  });

  test("opens a case of a list by its number, and leads from there to who it is about and to its undoing", async () => {
    await ban();
    const list = await scene.run("moderator", "case show");
    expect(Object.keys(list.buttons)).toEqual(["C-1"]);
    const card = await scene.ask("moderator", list, "C-1");
    expect(card.text).toContain("C-1 · Ban · done");
    expect(Object.keys(card.buttons)).toEqual(["Undo", "Who is this?", "History"]);
    expect((await scene.ask("moderator", card, "Who is this?")).text).toContain("Who is this?\nfid 7");
    expect((await scene.ask("moderator", card, "History")).text).toContain("Only about fid 7");
    const undo = await scene.ask("moderator", card, "Undo");
    await scene.click("moderator", undo, "Undo");
    const after = await scene.run("moderator", "case show", { number: "C-1" });
    expect(Object.keys(after.buttons)).toEqual(["Who is this?", "History"]);
  });

  test("as a file, with formulas that are none", async () => {
    await ban({ reason: '=HYPERLINK("http://evil.example")' });
    const { message } = await run("case show", { file: "csv" });
    expect(message.attachments.map(({ filename }) => filename)).toEqual(["cases-memes.csv"]);
    expect((await run("case show", { file: "jsonl", user: troll })).text).toContain("1 case of /memes");
  });
});

describe("/audit", () => {
  test("lists who changed what, to whoever may change the link", async () => {
    const asked = await scene.run("owner", "setup permissions", { role: "Moderator", give: "ban" });
    await scene.click("owner", asked, "Give it");
    await scene.run("owner", "feed add", {}, "feed");
    const { text } = await scene.run("owner", "audit");
    expect(text).toContain(`<@${scene.users.owner}>: gave ban to <@&`);
    expect(text).toContain("added feed");
    expect((await scene.run("owner", "audit", { kind: "feeds" })).text).not.toContain("gave ban");
    expect((await scene.run("stranger", "audit")).text).toContain("You may not");
  });
});
