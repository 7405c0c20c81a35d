import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { deliverAll, evaluatePending } from "../support/jobs.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import { erasedWords } from "../../src/feed/render/phrases.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { describeErasure } from "../../src/retention/describe-erasure.ts";
import { eraseAuthor, repeatErasures } from "../../src/retention/erase-author.ts";
import { pruneHistory } from "../../src/retention/prune-history.ts";
import { startTestDiscord, testToken } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { guild, useRuleEngine } from "../support/rule-engine.ts";
import { author, castRow, rule } from "../support/rules.ts";
import { readTables } from "../support/database.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { database, clock } = engine.network.context;
const day = 86_400_000;
const other = 8;
const discord = await startTestDiscord();
const rooms = createRooms({ token: testToken, api: discord.api, onRefused: () => {} });
afterAll(() => discord.stop());
beforeEach(() => discord.context.world.messages.clear());

const bot = () => engine.context;
const happen = engine.append;

async function said(text: string, fid = author): Promise<string> {
  const event = engine.cast(text, { subjectFid: fid });
  const hash = event.kind === "cast.created" ? event.data.castHash : "";
  const embeds = JSON.stringify(["https://a.example"]);
  const isSecret = text.includes("SECRET");
  const more = isSecret ? { mentions: "[12]", mentions_positions: "[0]", quotes: '["0xSECRET"]' } : {};
  const row = castRow(hash, { fid, text, embeds, ...more, cast_at: Math.floor(clock.now() / 1000) });
  await database.query.insertInto("castellan.casts").values(row).execute();
  await happen(event);
  return hash;
}

const told = () => discord.context.world.messages.get(discord.rooms.feed) ?? [];
const shown = () => JSON.stringify(told().map(({ embeds }) => embeds));
const dump = async () => JSON.stringify(await readTables(database.query));
const edit = (with_ = rooms) => sendNow(bot(), with_);
const feed = () =>
  addFeed(bot(), {
    guildId: guild,
    roomId: discord.rooms.feed,
    channelIds: null,
    kinds: ["casts", "records", "rules", "reviews", "names"],
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
  });
const report = async () => describeErasure(database.query, author, await eraseAuthor(bot(), author), 30);
const named = (name: string, fid = author) =>
  database.query
    .insertInto("castellan.names")
    .values({ name, fid, owner: `0x${fid}`, since: 1 })
    .execute();

describe("erasing an author", () => {
  it("leaves nothing of theirs anywhere of ours, and nothing of others changes", async () => {
    await feed();
    await engine.save(
      rule({ then: [{ hide: {} }, { ban: {} }, { note: { text: "shills" } }] }),
      rule({ id: "held", mode: "review", then: [{ hide: {} }] }),
      rule({ id: "trial", mode: "shadow" }),
    );
    await named("SECRETname");
    await said("airdrop SECRET of the author");
    await said("airdrop of somebody else", other);
    await evaluatePending(bot());
    const before = await dump();
    const count = (text: string) => text.split("airdrop of somebody else").length;
    const done = await eraseAuthor(bot(), author);
    expect(done).toMatchObject({ casts: 1, events: 1, cases: 2, reviews: 1, notes: 1, names: 1 });
    const says = await describeErasure(database.query, author, done, 30);
    // Who wrote a note is not told apart, and moderators write most of them.
    expect(says).toContain("1 note of moderators or rules");
    const after = await dump();
    expect(after).not.toContain("SECRET");
    expect(count(after)).toBe(count(before));
    expect((await engine.cases()).map(({ kind, evidence }) => [kind, evidence])).toEqual([
      ["hide", erasedWords],
      ["ban", erasedWords],
      ["hide", "airdrop of somebody else"],
      ["ban", "airdrop of somebody else"],
    ]);
    expect(await eraseAuthor(bot(), author)).toMatchObject({ casts: 0, events: 0, cases: 0, decisions: 0 });
  });

  it("finds what was pruned before, and what was told of it", async () => {
    await feed();
    await engine.save(rule({ then: [{ ban: {} }] }), rule({ id: "held", mode: "review" }));
    await said("airdrop SECRET of the author");
    await evaluatePending(bot());
    await deliverAll(bot(), rooms);
    clock.advance(31 * day);
    await pruneHistory(bot());
    expect(await dump()).toContain("SECRET");
    expect(await eraseAuthor(bot(), author)).toMatchObject({ casts: 0, cases: 1, reviews: 1, decisions: 2 });
    expect(await dump()).not.toContain("SECRET");
  });

  it("leaves why a rule acted, but for the author's words", async () => {
    const when = { all: [{ text: { contains: "airdrop" } }, { not: { "text.length": { lt: 3 } } }] };
    await engine.save(rule({ when, then: [{ ban: {} }] }));
    await said("airdrop SECRET");
    await evaluatePending(bot());
    const tree = async () => JSON.stringify((await engine.decisions())[0]?.["tree"]);
    const before = await tree();
    expect(before).toContain("airdrop SECRET");
    await eraseAuthor(bot(), author);
    expect(await tree()).toBe(before.replaceAll("airdrop SECRET", erasedWords));
  });

  it("makes later events about the cast say that its text is not known", async () => {
    const castHash = await said("airdrop");
    await eraseAuthor(bot(), author);
    await engine.save(rule({ on: ["record.hidden"], then: [{ ban: {} }], on_unknown: "skip" }));
    await happen(engine.cast("", { kind: "record.hidden", data: { castHash }, sourceKey: "r:1" }));
    await evaluatePending(bot());
    expect(await engine.decisions()).toMatchObject([{ outcome: "unknown", guild_id: guild }]);
  });

  it("gets through many casts", async () => {
    const many = Array.from({ length: 450 }, () => engine.cast("x"));
    await happen(...many);
    await sql`
      insert into castellan.casts (hash, channel_id, fid, text, root_hash, thread_depth, cast_at)
      select cast_hash, 'memes', ${author}, 'x', cast_hash, 0, 1 from castellan.events
    `.execute(database.query);
    expect(await eraseAuthor(bot(), author)).toMatchObject({ casts: 450, events: 450 });
  });

  it("takes replies that wait for their parent, and what commands still ask", async () => {
    await sql`
      insert into castellan.waiting_replies (hash, parent_hash, merged_at, cast_json) values
        ('0x1', '0x2', 1, ${JSON.stringify({ fid: author, text: "SECRET" })}),
        ('0x3', '0x2', 1, ${JSON.stringify({ fid: other, text: "of another" })})
    `.execute(database.query);
    await database.query
      .insertInto("castellan.prompts")
      .values({
        id: "p",
        path: "hide",
        guild_id: guild,
        room_id: "1",
        user_id: "1",
        state: JSON.stringify({ text: "SECRET" }),
        expires_at_ms: clock.now() + 1000,
        answered_at_ms: null,
      })
      .execute();
    expect(await eraseAuthor(bot(), author)).toMatchObject({ waitingReplies: 1, prompts: 1 });
    const left = await dump();
    expect(left).not.toContain("SECRET");
    expect(left).toContain("of another");
  });

  it("is repeated for what was on its way, and leaves what the author wrote later", async () => {
    const castHash = await said("SECRET");
    await eraseAuthor(bot(), author);
    // A moderator's command had read the text just before.
    await sql`
      insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, target_cast, actor_kind,
        evidence, requested_at_ms)
      values (${guild}, 'memes', 1, 'l', 'hide', 'applied', ${castHash}, 'person', 'SECRET', ${clock.now()})
    `.execute(database.query);
    await said("written later");
    clock.advance(60_000);
    await repeatErasures(bot());
    expect(await dump()).not.toContain("SECRET");
    clock.advance(10 * 60_000);
    await repeatErasures(bot());
    await repeatErasures(bot());
    expect(await dump()).toContain("written later");
    const open = database.query.selectFrom("castellan.erasures").where("finished_at_ms", "is", null);
    expect(await open.selectAll().execute()).toEqual([]);
  });
});

describe("what was posted in Discord", () => {
  it("is told anew without the author's words and name; others' stay as they are", async () => {
    await feed();
    await named("SECRETname");
    const castHash = await said("SECRET of the author");
    await said("of somebody else", other);
    await happen(engine.cast("", { kind: "record.hidden", data: { castHash }, sourceKey: "r:1" }));
    await deliverAll(bot(), rooms);
    expect(shown()).toContain("SECRET of the author");
    expect(shown()).toContain("SECRETname");
    // Without the mark, which says whose buttons are whose: what is erased has none.
    const others = () => told().map(({ embeds }) => [embeds[1]?.description, embeds[1]?.title?.slice(2)]);
    const before = others();
    await eraseAuthor(bot(), author);
    await edit();
    expect(shown()).not.toContain("SECRET");
    expect(others()).toEqual(before);
    expect(told()[0]?.embeds.map(({ footer }) => footer?.text)).toEqual(["E-1", "E-2", "E-3"]);
    expect(shown()).toContain("Cast hidden in memes");
    expect(await report()).toContain("0 to be edited, 1 edited");
  });

  it("keeps the buttons of what is held, which says nothing of the author any more", async () => {
    await feed();
    await engine.save(rule({ id: "held", mode: "review" }));
    await said("airdrop SECRET");
    await evaluatePending(bot());
    await deliverAll(bot(), rooms);
    await eraseAuthor(bot(), author);
    await edit();
    const review = told().find(({ embeds }) => embeds[0]?.title?.startsWith("Review"));
    expect(JSON.stringify(review?.embeds)).toContain("erased at the author");
    expect(review?.components.length).toBe(2);
    expect(shown()).not.toContain("SECRET");
  });

  it("is edited also where it was on its way when the author asked", async () => {
    await feed();
    await said("SECRET");
    const erasing: Rooms = {
      ...rooms,
      async post(roomId, message) {
        await eraseAuthor(bot(), author);
        await edit();
        return rooms.post(roomId, message);
      },
    };
    await deliverAll(bot(), erasing);
    expect(shown()).toContain("SECRET");
    expect(await dump()).not.toContain("SECRET");
    clock.advance(60_000);
    await edit();
    expect(shown()).not.toContain("SECRET");
  });

  it("is not posted at all where it still waited, and not again after a crash", async () => {
    await feed();
    await said("SECRET");
    const dying: Rooms = {
      ...rooms,
      async post(roomId, message) {
        await rooms.post(roomId, message);
        throw new Error("died here");
      },
    };
    await deliverAll(bot(), dying);
    await said("SECRET that waits");
    await eraseAuthor(bot(), author);
    clock.advance(3600_000);
    await deliverAll(bot(), rooms);
    await edit();
    expect(told()).toHaveLength(1);
    expect(shown()).not.toContain("SECRET");
  });

  it("is let go where somebody deleted the message", async () => {
    await feed();
    await said("SECRET");
    await deliverAll(bot(), rooms);
    discord.context.world.messages.clear();
    await eraseAuthor(bot(), author);
    await edit();
    expect(await report()).toContain("0 to be edited, 1 edited");
  });

  it("is tried for a week where the room cannot be reached, and then named", async () => {
    await feed();
    await said("SECRET");
    await deliverAll(bot(), rooms);
    await eraseAuthor(bot(), author);
    const closed: Rooms = { ...rooms, edit: () => Promise.reject(new Error("closed")) };
    for (let hour = 0; hour < 8 * 24; hour += 2) {
      await edit(closed);
      clock.advance(2 * 3600_000);
    }
    const open = { state: "failed", error: "Discord returned an unexpected response." };
    const edits = database.query.selectFrom("castellan.outbox").selectAll();
    expect(await edits.execute()).toMatchObject([open]);
    const byHand = `by hand: room ${discord.rooms.feed}, message ${told()[0]?.id}`;
    expect(await describeErasure(database.query, author, await eraseAuthor(bot(), other), 30)).toContain(
      byHand,
    );
  });
});
