import { describe, expect, it } from "vitest";
import { giveCapabilities } from "../../src/moderation/capabilities.ts";
import { addCasts } from "../support/casts.ts";
import { deskOf, textOf, useConsole, type DeskAnswer } from "../support/console.ts";
import { linkGuild, people } from "../support/world.ts";

const setup = useConsole();
const { read, run, press } = deskOf(setup);
const find = (query: Record<string, string> = {}, by = setup.visitor) =>
  read(`/found?${new URLSearchParams(query).toString()}`, by);
const count = (query: Record<string, string>, by = setup.visitor) =>
  read(`/found/count?${new URLSearchParams(query).toString()}`, by);
const hashes = ({ found }: { found: DeskAnswer["casts"] }) => found.map(({ hash }) => hash);

/** A page of what was found, with its own shape. */
async function search(query: Record<string, string> = {}) {
  const answer = await find(query);
  expect([answer.status, answer.error]).toEqual([200, undefined]);
  return { ...answer, found: answer.casts };
}

async function change(hash: string, values: { hidden?: boolean; text?: string; parent_hash?: string }) {
  const { query } = setup.scene.bot.database;
  await query.updateTable("castellan.casts").set(values).where("hash", "=", hash).execute();
}

async function hiddenCasts(): Promise<string[]> {
  const acts = await setup.scene.hidden();
  return acts.filter(([, action]) => action === "hide").map(([hash]) => hash);
}

describe("the page of casts", () => {
  it("has what /find has: words as they are, author, link, time, state and channel", async () => {
    const texts = [`100% "off" a_b`, "100 percent off", String.raw`back\slash`, "O'Brien", "gm"];
    const casts: string[] = [];
    for (const text of texts)
      casts.push(...(await addCasts(setup.scene.bot, 1, { fid: people.troll, text })));
    const only = async (text: string) => hashes(await search({ text })).map((hash) => casts.indexOf(hash));
    expect(await only("0%")).toEqual([0]);
    expect(await only("a_b")).toEqual([0]);
    expect(await only(`"OFF"`)).toEqual([0]);
    expect(await only(String.raw`k\s`)).toEqual([2]);
    expect(await only("O'B")).toEqual([3]);
    expect(await only("' or true --")).toEqual([]);
    await change(casts[4] ?? "", { hidden: true });
    expect(hashes(await search({ hidden: "true" }))).toEqual([casts[4]]);
    expect(hashes(await search({ hidden: "false", text: "gm", user: "" }))).toEqual([]);
    expect(hashes(await search({ user: String(people.member) }))).toEqual([]);
    const { said } = await search({ text: "nothing like it" });
    expect(said).toBe("Casts that Castellan has seen with `nothing like it`");
    expect(await count({ text: "nothing like it" })).toMatchObject({ count: "0" });
  });

  it("counts what it found, and has pages that need no memory", async () => {
    await addCasts(setup.scene.bot, 30, { fid: people.troll, text: "lantern" });
    const first = await search({ text: "lantern" });
    expect(first).toMatchObject({ matching: { text: "lantern" } });
    expect(await count({ text: "lantern" })).toMatchObject({ count: "30", from: 1 });
    expect(first.found).toHaveLength(25);
    const next = { text: "lantern", before: first.next ?? "" };
    const second = await search(next);
    expect(await count(next)).toMatchObject({ count: "30", from: 26 });
    expect(new Set([...hashes(first), ...hashes(second)]).size).toBe(30);
    expect(second.next).toBeUndefined();
    expect((await search()).matching).toBeUndefined();
  });

  it("refuses pages, times and channels that do not exist", async () => {
    for (const query of [
      { before: "1" },
      { before: `1 0x${"g".repeat(40)}` },
      { before: "9999999999999 0x" },
      { since: "soon" },
      { text: "x".repeat(201) },
      { text: "\0" },
    ]) {
      expect([query, (await find(query)).status]).toEqual([query, 400]);
    }
    expect((await find({ channel: "nowhere" })).status).toBe(404);
  });

  it("shows the cast that another replies to, but none of a channel that one may not view", async () => {
    const { bot } = setup.scene;
    const [parent = "", reply = ""] = await addCasts(bot, 2, { fid: people.troll, text: "lantern" });
    await change(reply, { parent_hash: parent, text: "an answer" });
    const [answered] = (await search({ text: "an answer" })).found;
    expect(answered?.parent).toMatchObject({ text: "lantern 0", fid: people.troll });
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [bot.botFid] });
    await linkGuild(bot, "art", "901");
    const [secret = ""] = await addCasts(bot, 1, { fid: people.troll, channelId: "art", text: "secret" });
    await change(reply, { parent_hash: secret });
    expect(Object.keys((await search({ text: "an answer" })).found[0]?.parent ?? {})).toEqual(["link"]);
    expect(hashes(await search({ text: "secret" }))).toEqual([]);
    expect((await find({ channel: "art" })).status).toBe(404);
  });

  it("is for those alone who may look, in the channels in which they may", async () => {
    const { bot, users } = setup.scene;
    await bot.net.seed.channel("art", { owner: people.owner, moderators: [people.moderator, bot.botFid] });
    await linkGuild(bot, "art", setup.guildId);
    await addCasts(bot, 1, { fid: people.troll, channelId: "art", text: "secret" });
    await addCasts(bot, 1, { fid: people.troll, text: "known" });
    const stranger = await setup.desk.signIn(users.stranger);
    expect((await find({}, stranger)).status).toBe(403);
    expect((await count({}, stranger)).status).toBe(403);
    const grant = { guildId: setup.guildId, channelId: "memes", roleId: setup.guildId };
    await bot.database.transaction((tx) => giveCapabilities(tx, { ...grant, capabilities: ["view"] }));
    const seen = await find({}, stranger);
    expect(seen.casts.map(({ channel }) => channel)).toEqual(["memes"]);
    expect((await find({ channel: "art" }, stranger)).status).toBe(403);
    const casts = seen.casts.map(({ hash }) => hash).join(" ");
    expect((await run("hide", { casts, channel: "memes" }, stranger)).status).toBe(403);
    expect((await run("ban", { users: "7", channel: "memes" }, stranger)).status).toBe(403);
    expect((await setup.desk.get(`/console/api/servers/${setup.guildId}/found`)).statusCode).toBe(401);
  });
});

describe("what is selected", () => {
  it("is hidden as one bulk, once, however often it is confirmed, and undone by its button", async () => {
    const casts = await addCasts(setup.scene.bot, 3, { fid: people.troll, text: "lantern" });
    const chosen = { casts: casts.slice(0, 2).join(" "), channel: "memes" };
    const [one, another] = [await run("hide", chosen), await run("hide", chosen)];
    expect(textOf(one.view)).toContain("Hide 2 casts in /memes?");
    const twice = await Promise.all([
      press(one.view, "Hide all of them"),
      press(one.view, "Hide all of them"),
    ]);
    expect(new Set(twice.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const late = await press(another.view, "Hide all of them");
    expect(late.error?.message).toBe("All 2 of them are hidden or removed by now.");
    expect((await read("/bulks")).bulks.map(({ number }) => number)).toEqual(["B-1"]);
    expect((await hiddenCasts()).toSorted()).toEqual(casts.slice(0, 2).toSorted());
    expect((await search()).found.map(({ hidden }) => hidden)).toEqual([false, true, true]);
    const done = twice.find(({ status }) => status === 200);
    const undo = await press(done?.view ?? {}, "Undo");
    expect(undo.error).toBeUndefined();
    await press(undo.view, "Undo all of it");
    expect((await search()).found.map(({ hidden }) => hidden)).toEqual([false, false, false]);
  });

  it("may be a whole page", async () => {
    await addCasts(setup.scene.bot, 25, { fid: people.troll, text: "lantern" });
    const casts = hashes(await search({ text: "lantern" })).join(" ");
    const asked = await run("hide", { casts, channel: "memes" });
    expect(textOf(asked.view)).toContain("Hide 25 casts in /memes?");
  });

  it("leads to a ban of the authors in one bulk; they are then shown as banned", async () => {
    const { bot } = setup.scene;
    await addCasts(bot, 1, { fid: people.troll, text: "lantern" });
    await addCasts(bot, 1, { fid: people.member, text: "lantern" });
    const users = (await search({ text: "lantern" })).found.map(({ fid }) => fid).join(" ");
    const chosen = { users: `${users} ${people.owner}`, channel: "memes", duration: "7d" };
    const [asked, elsewhere] = [await run("ban", chosen), await run("ban", chosen)];
    expect(textOf(asked.view)).toContain("Ban 2 users from /memes?");
    expect((await press(asked.view, "Ban all of them")).status).toBe(200);
    const late = await press(elsewhere.view, "Ban all of them");
    expect(late.error?.message).toBe("All 2 of them are banned by now.");
    const [bulk] = (await read("/bulks")).bulks;
    expect(bulk).toMatchObject({ number: "B-1", targets: 2, settled: 2 });
    expect(textOf(bulk?.view ?? {})).toContain("chosen users");
    expect((await search()).found.map(({ isAuthorBanned }) => isAuthorBanned)).toEqual([true, true]);
    const again = await run("ban", { users, channel: "memes", duration: "7d" });
    expect(textOf(again.view)).toContain("Nobody to ban");
  });
});
