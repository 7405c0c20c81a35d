import { beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { suggestBulks, suggestUndoable } from "../../commands/shared/suggest-numbers.ts";
import { readOperations } from "../../src/console/api/read-operations.ts";
import { readBulksFor } from "../../src/console/read-bulks.ts";
import type { RawValues } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import { readArguments } from "../../src/discord/run-command.ts";
import type { FeedKind } from "../../src/feed/feed-kinds.ts";
import { addFeed, editFeed } from "../../src/feed/feeds.ts";
import type { RoomMessage, Rooms } from "../../src/feed/rooms.ts";
import { giveCapabilities, type Capability } from "../../src/moderation/capabilities.ts";
import { beginBulk } from "../../src/moderation/bulks/begin.ts";
import { runBulk } from "../../src/moderation/bulks/run.ts";
import { preview, textOf } from "../support/confirmed.ts";
import { deliverAll } from "../support/jobs.ts";
import { sendNow } from "../support/outbox.ts";
import { useWorld } from "../support/test-cases.ts";
import { commandContext, people, seedChannel, silentRooms, verifyDiscord } from "../support/world.ts";

const bot = await useWorld();

/** Moderates both channels. */
let moderator: CommandContext;
/** The first message of each room, as edited. */
let posted: Map<string, { title: string; text: string; buttons: string[] }>;
let rooms: Rooms;

beforeEach(async () => {
  await seedChannel(bot, "art", "g1");
  await verifyDiscord(bot, people.moderator, "1002");
  moderator = contextOf("1002");
  posted = new Map();
  const put = (room: string, { embeds, buttons }: RoomMessage) => {
    const [{ title = "", description = "" } = {}] = embeds;
    posted.set(room, { title, text: description, buttons: (buttons ?? []).flat().map(({ label }) => label) });
  };
  rooms = {
    ...silentRooms,
    post: async (room, message) => {
      if (posted.has(room)) return `${room} later`;
      put(room, message);
      return room;
    },
    edit: async (room, id, message) => {
      if (id === room) put(room, message);
    },
  };
});

function contextOf(userId: string, ...roleIds: string[]): CommandContext {
  return commandContext(bot, { userId, guildId: "g1", roomId: "1", roleIds, managesServer: false });
}

/** A member of a role with these capabilities in /art. */
async function inArt(...capabilities: Capability[]): Promise<CommandContext> {
  const grant = { guildId: "g1", channelId: "art", roleId: "77", capabilities };
  await bot.database.transaction((tx) => giveCapabilities(tx, grant));
  // What suggestions remember of rights is older than this.
  bot.clock.advance(10);
  return contextOf("1006", "77");
}

async function hear(roomId: string, channelIds: string[] | null, kinds: FeedKind[] = ["bans"]) {
  const feed = { guildId: "g1", roomId, channelIds, kinds, namePattern: null, peopleOnly: false };
  return addFeed(bot, { ...feed, createdBy: "1" });
}

/** A bulk that bans this many users in each channel. */
async function begin(counts: Record<string, number>): Promise<number> {
  const actions = Object.entries(counts).flatMap(([channelId, count]) =>
    Array.from({ length: count }, (_, index) => ({
      kind: "ban" as const,
      channelId,
      targetFid: people.troll + index * 1000,
      untilMs: channelId === "art" ? bot.clock.now() + 86_400_000 : undefined,
    })),
  );
  const asked = { guildId: "g1", channelId: "art", kind: "ban" as const, selection: "users" };
  const { id } = await bot.database.transaction((tx) =>
    beginBulk(bot, tx, { ...asked, by: { userId: "1002", fid: people.moderator } }, actions),
  );
  return id;
}

async function settle(channelId: string, state: "applied" | "failed"): Promise<void> {
  await bot.database.query
    .updateTable("castellan.cases")
    .set({ state, outcome: state === "failed" ? "refused" : "done" })
    .where("channel_id", "=", channelId)
    .execute();
}

async function show(context: CommandContext, raw: RawValues = { number: "B-1" }): Promise<string> {
  const handler = findHandler(commands, "case show");
  if (handler?.kind !== "listing") throw new Error("no list");
  return textOf(
    (await handler.page(context, await readArguments(context, handler.options, raw), undefined)).view,
  );
}

const list = (context: CommandContext) => show(context, { bulks: true });

async function offeredUndo(context: CommandContext): Promise<string[]> {
  const offered = await suggestUndoable("B-", context, {});
  return offered.map(({ value }) => String(value));
}

describe("a viewer of one channel reads of a bulk in several", () => {
  test("only what was done there", async () => {
    await begin({ art: 1, memes: 7 });
    await settle("art", "applied");
    const viewer = await inArt("view");
    const shown = await show(viewer);
    expect(shown).toContain("**1 user banned**\n");
    expect(shown).not.toContain("more");
    expect(shown).toContain("1 of 1 so far.");
    expect(shown).toContain("Until <t:");
    expect(await list(viewer)).toContain("1 user banned · users");
    expect(await show(moderator)).toContain("1 of 8 so far.");
    expect(await list(moderator)).toContain("1 user banned · users");
    const [row] = (await readBulksFor(viewer, {})).bulks;
    expect(row).toMatchObject({ targets: 1, settled: 1 });
    expect((await readBulksFor(moderator, {})).bulks[0]).toMatchObject({ targets: 8, settled: 1 });
    const operation = readOperations.find(({ id }) => id === "listBulks");
    const record = { targets: 1, settled: 1, failed: 0 };
    expect(await operation?.run(viewer, { limit: 5 })).toMatchObject({ bulks: [record] });
    await settle("memes", "failed");
    expect(await operation?.run(viewer, { limit: 5 })).toMatchObject({ bulks: [record] });
    expect((await suggestBulks("", viewer, {}))[0]?.name).toContain("B-1: 1 user banned (users)");
    expect((await suggestBulks("", moderator, {}))[0]?.name).toContain(
      "B-1: 1 user banned, 7 failed (users)",
    );
  });

  test("its failures, however many others failed before", async () => {
    await begin({ memes: 7, art: 1 });
    await settle("memes", "failed");
    await settle("art", "failed");
    const shown = await show(await inArt("view"));
    expect(shown).toContain("1 failed**");
    expect(shown.match(/✖/g)).toHaveLength(1);
    expect(shown).not.toContain("more that failed");
    expect(await show(moderator)).toContain("… and 3 more that failed");
  });
});

describe("the post about a bulk in several channels", () => {
  test("has in each room what was done in the channels that it follows", async () => {
    await hear("10", null);
    await hear("11", ["memes"]);
    await hear("12", ["memes"]);
    await hear("12", ["art"]);
    // Of /art it hears other things alone.
    await hear("13", ["memes"]);
    await hear("13", null, ["health"]);
    const id = await begin({ art: 1, memes: 2 });
    await deliverAll(bot, rooms);
    const titles = () => Object.fromEntries([...posted].map(([room, { title }]) => [room, title]));
    expect(titles()).toEqual({
      10: "B-1 · Ban · 2 channels · under way",
      11: "B-1 · Ban · memes · under way",
      12: "B-1 · Ban · 2 channels · under way",
      13: "B-1 · Ban · memes · under way",
    });
    expect(posted.get("10")?.text).toContain("0 of 3 so far.");
    expect(posted.get("11")?.text).toContain("0 of 2 so far.");
    await runBulk(bot, id);
    await sendNow(bot, rooms);
    expect(titles()).toEqual({
      10: "B-1 · Ban · 2 channels · done",
      11: "B-1 · Ban · memes · done",
      12: "B-1 · Ban · 2 channels · done",
      13: "B-1 · Ban · memes · done",
    });
    expect(posted.get("10")?.text).toContain("**3 bans**");
    expect(posted.get("11")?.text).toContain("**2 users banned**");
    expect(posted.get("11")?.text).not.toContain("art");
  });

  test("names nothing to a room that no longer follows any of them", async () => {
    await seedChannel(bot, "games", "g1");
    const feed = await hear("11", ["memes"]);
    const id = await begin({ art: 1, memes: 2 });
    await deliverAll(bot, rooms);
    const change = { roomId: "11", channelIds: ["games"], kinds: ["bans" as const] };
    await editFeed(bot, "g1", feed, { ...change, namePattern: null, peopleOnly: false }, "1");
    await runBulk(bot, id);
    await sendNow(bot, rooms);
    expect(posted.get("11")).toMatchObject({
      title: "A bulk",
      text: "It has since been deleted, or this room no longer follows its channels.",
      buttons: [],
    });
  });
});

describe("a bulk that was undone in one of its channels", () => {
  beforeEach(async () => {
    await hear("10", null);
    await hear("11", ["memes"]);
    await hear("12", ["art"]);
    await (
      await preview(moderator, "ban", { user: String(people.troll), duration: "7d", everywhere: true })
    ).act();
  });

  async function edit(): Promise<void> {
    // News goes first.
    await deliverAll(bot, rooms);
    await sendNow(bot, rooms);
  }

  test("is undone partly, and can still be undone in the others", async () => {
    const role = await inArt("view", "ban", "undo");
    await deliverAll(bot, rooms);
    await (await preview(role, "undo", { what: "B-1" })).act();
    await edit();
    expect(await show(moderator)).toContain("Partly undone by B-2.");
    expect(posted.get("10")?.text).toContain("Partly undone by B-2.");
    expect(posted.get("10")?.buttons).toContain("Undo");
    // Nothing was undone in /memes, and all in /art.
    expect(posted.get("11")?.text).not.toContain("ndone by");
    expect(posted.get("11")?.buttons).toContain("Undo");
    expect(posted.get("12")?.text).toContain("Undone by B-2.");
    expect(posted.get("12")?.buttons).not.toContain("Undo");
    const buttons = async () => {
      const { bulks } = await readBulksFor(moderator, {});
      return bulks
        .find(({ number }) => number === "B-1")
        ?.view.buttons.flat()
        .map(({ label }) => label);
    };
    expect(await buttons()).toContain("Undo");
    expect(await offeredUndo(moderator)).toContain("B-1");
    expect(await offeredUndo(role)).not.toContain("B-1");
    await (await preview(moderator, "undo", { what: "B-1" })).act();
    await edit();
    expect(await show(moderator)).toContain("\nUndone by B-2, B-3.");
    expect(posted.get("10")?.buttons).not.toContain("Undo");
    expect(await buttons()).not.toContain("Undo");
    expect(await offeredUndo(moderator)).not.toContain("B-1");
  });
});
