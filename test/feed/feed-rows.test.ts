import { beforeEach, describe, expect, test } from "vitest";
import { addFeed, type NewFeed } from "../../src/feed/feeds.ts";
import { queueFeedRows } from "../../src/feed/feed-rows.ts";
import { newEvent, type EventContent, type NewChannelEvent } from "../../src/observe/events.ts";
import { guild } from "../support/observer.ts";
import { useObserver } from "../support/scenes.ts";

const observer = await useObserver();
beforeEach(() => observer.link("memes"));

const feed = (roomId: string, change: Partial<NewFeed> = {}) =>
  addFeed(observer.context, {
    guildId: guild,
    roomId,
    channelIds: null,
    kinds: ["bans", "names", "rules"],
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
    ...change,
  });

const banned: EventContent = { kind: "user.banned", data: { at: 0 } };
const named = (name: string): EventContent => ({
  kind: "username_proof.merged",
  data: { name, owner: "0x", change: "registered" },
});

/** The rooms that hear of it. */
async function tell(core: EventContent, channelId: string | null, subjectFid = 7): Promise<string[]> {
  const { context } = observer;
  const event: NewChannelEvent = {
    ...core,
    sourceKey: `test:${Math.random()}`,
    channelId,
    subjectFid,
    occurredAt: 0,
    observedAt: 0,
    depth: 0,
    caseId: null,
  };
  const [stored] = await context.database.transaction((tx) => context.appendEvents(tx, [event]));
  const rows = await context.database.query
    .selectFrom("castellan.feed_rows")
    .select("room_id")
    .where("event_id", "=", stored?.id ?? 0)
    .orderBy("room_id")
    .execute();
  return rows.map((row) => row.room_id);
}

test("rooms are served once their rows are to be seen, and none where nothing is stored", async () => {
  const woken: string[] = [];
  const { context } = observer;
  const fanOut = queueFeedRows({ wake: async (...told) => void woken.push(told.join(" ")) });
  const event = {
    ...newEvent(0, { ...banned, sourceKey: "test", channelId: "memes", subjectFid: 7 }),
    id: 1,
  };
  await feed("all");
  await feed("pins", { kinds: ["pins"] });
  const store = (fails: boolean) =>
    context.database.transaction(async (tx) => {
      await context.appendEvents(tx, [event]);
      await fanOut(tx, [event]);
      expect(woken).toEqual([]);
      if (fails) throw new Error("died here");
    });
  await expect(store(true)).rejects.toThrow("died here");
  expect(woken).toEqual([]);
  await store(false);
  expect(woken).toEqual(["deliver-feed all"]);
});

describe("an event is for the rooms", () => {
  test("of servers linked to its channel, that want its kind and channel, once each", async () => {
    await feed("all");
    await feed("all", { channelIds: ["memes"] });
    await feed("memes", { channelIds: ["memes"] });
    await feed("art", { channelIds: ["art"] });
    await feed("pins", { kinds: ["pins"] });
    await feed("elsewhere", { guildId: "another" });
    expect(await tell(banned, "memes")).toEqual(["all", "memes"]);
    expect(await tell(banned, "art")).toEqual([]);
    await observer.link("art");
    expect(await tell(banned, "art")).toEqual(["all", "art"]);
  });

  test("with a name like the one they ask for, where * is the only wildcard", async () => {
    await feed("any");
    await feed("pattern", { namePattern: "Al_ce*" });
    expect(await tell(named("al_ce-2"), null)).toEqual(["any", "pattern"]);
    expect(await tell(named("alice"), null)).toEqual(["any"]);
    expect(await tell(banned, "memes")).toEqual(["any", "pattern"]);
  });

  test("that know the person, if they hear of names of their own people only", async () => {
    await feed("people", { peopleOnly: true });
    await feed("strangers", { peopleOnly: true, guildId: "another" });
    await observer.link("art", "another");
    const entry = {
      channel_id: "memes",
      listing: "members" as const,
      fid: 7,
      at: 0,
      role: null,
      inviter_fid: null,
    };
    await observer.context.database.query.insertInto("castellan.listing_entries").values(entry).execute();
    expect(await tell(named("alice"), null, 7)).toEqual(["people"]);
    expect(await tell(named("bob"), null, 8)).toEqual([]);
  });

  test("of the one server whose own affair it is", async () => {
    await feed("ours");
    await feed("theirs", { guildId: "another" });
    await observer.link("memes", "another");
    const hit = { guildId: guild, ruleId: "r", version: 1, mode: "shadow", actions: [], eventId: 1 };
    expect(await tell({ kind: "rule.hit", data: hit }, "memes")).toEqual(["ours"]);
  });
});
