import { beforeEach, describe, expect, test } from "vitest";
import type { Network } from "../../../src/contract/index.ts";
import { feedKinds } from "../../../src/feed/feed-kinds.ts";
import { addFeed } from "../../../src/feed/feeds.ts";
import { AppError } from "../../../src/errors.ts";
import { applyCase } from "../../../src/moderation/cases/apply.ts";
import { proposeCase } from "../../../src/moderation/cases/propose.ts";
import { resolveEchoes } from "../../../src/moderation/cases/resolve-echoes.ts";
import { pollListings } from "../../../src/observe/listings/poll-listings.ts";
import { followLinks } from "../../../src/observe/sources.ts";
import { useLiveClient } from "../../live/live-client-scene.ts";
import { applyOpenCases } from "../../support/jobs.ts";
import { useWorld } from "../../support/test-cases.ts";
import { people, type World } from "../../support/world.ts";
import { storedCases, storedEvents } from "../../support/stored.ts";

const [channelId, fid] = ["memes", people.troll];

/** On the network in this process. */
const bot = await useWorld();

async function ask(scene: World, kind: "ban" | "unban", guildId = "g1"): Promise<number> {
  const proposal = { guildId, channelId, actor: { userId: "100" }, kind, targetFid: fid };
  return (await scene.database.transaction((tx) => proposeCase(tx, scene.clock, proposal))).id;
}

/** "user.banned 1", with the case or "others". */
async function changes({ database }: World): Promise<string[]> {
  const rows = await storedEvents(database, "user.banned", "user.unbanned");
  return rows.map(({ kind, case_id }) => `${kind} ${case_id ?? "others"}`);
}

async function states({ database }: World): Promise<string[]> {
  const rows = await storedCases(database);
  return rows.map(({ kind, state, actor_kind }) => `${kind} ${state} ${actor_kind}`);
}

/** A room is told of all that happens. */
async function follow(scene: World, guildId: string): Promise<void> {
  const all = { channelIds: null, kinds: [...feedKinds], namePattern: null, peopleOnly: false };
  await addFeed(scene, { ...all, guildId, roomId: "1", createdBy: "100" });
}

/** Posts that a room gets of a case: what follows another row is told in its post. */
async function countPosts({ database }: World, caseId: number): Promise<number> {
  const rows = await database.query
    .selectFrom("castellan.feed_rows")
    .innerJoin("castellan.events", "id", "event_id")
    .select("event_id")
    .where("case_id", "=", caseId)
    .where("head_id", "is", null)
    .execute();
  return rows.length;
}

describe("a ban from Discord on the network in this process", () => {
  const look = () => pollListings(bot, channelId);
  const others = () => bot.net.as(people.owner).channelBans;

  beforeEach(async () => {
    await followLinks(bot);
    await look();
    await follow(bot, "g1");
  });

  /** All that may yet come of it comes. */
  async function settle(): Promise<void> {
    for (const seconds of [61, 61]) {
      bot.clock.advance(seconds);
      await look();
      await applyOpenCases(bot);
    }
    const open = await bot.database.query
      .selectFrom("castellan.cases")
      .select("id")
      .where("echo", "is not", null)
      .execute();
    expect(open).toEqual([]);
  }

  test("is ours even if the network shows it only after Castellan gave up", async () => {
    const id = await ask(bot, "ban");
    const unanswered = new AppError("network_failed", "No response.", { mayHaveHappened: true });
    let isDone = false;
    const ban: Network["channelBans"]["ban"] = async (input) => {
      if (!isDone) await bot.network.channelBans.ban(input);
      isDone = true;
      throw unanswered;
    };
    const list: Network["channelBans"]["list"] = async (input) => {
      if (isDone) throw unanswered;
      return bot.network.channelBans.list(input);
    };
    const network = { ...bot.network, channelBans: { ...bot.network.channelBans, ban, list } };
    for (let tries = 0; tries < 7; tries += 1) {
      bot.clock.advance(301);
      await applyOpenCases({ ...bot, network });
    }
    expect(await states(bot)).toEqual(["ban failed person"]);
    await look();
    await settle();
    expect(await changes(bot)).toEqual([`user.banned ${id}`]);
    expect(await states(bot)).toEqual(["ban applied person"]);
    const settled = await storedEvents(bot.database, "case.settled");
    expect(settled.map(({ data }) => data)).toMatchObject([{ state: "failed" }, { state: "applied" }]);
  });

  test("lifts a ban once if a listing shows that ban only afterwards", async () => {
    await others().ban({ channelId, banFid: fid });
    const before = await bot.network.channelBans.list({ channelId, limit: 1000 });
    bot.clock.advance(5);
    const id = await ask(bot, "unban");
    await applyCase(bot, id);
    bot.clock.advance(1);
    const network = { ...bot.network, channelBans: { ...bot.network.channelBans, list: async () => before } };
    await pollListings({ ...bot, network }, channelId);
    await settle();
    expect(await changes(bot)).toEqual([`user.unbanned ${id}`, "user.banned others"]);
    expect(await states(bot)).toEqual(["unban applied person", "ban reverted outside"]);
  });

  test.each(["before its call", "after its call"])(
    "is one event and one post when it dies %s",
    async (when) => {
      const id = await ask(bot, "ban");
      let died = () => {};
      const death = new Promise<void>((resolve) => (died = resolve));
      const ban: Network["channelBans"]["ban"] = async (input) => {
        if (when === "after its call") await bot.network.channelBans.ban(input);
        died();
        return new Promise(() => {});
      };
      const network = { ...bot.network, channelBans: { ...bot.network.channelBans, ban } };
      await Promise.race([applyCase({ ...bot, network }, id), death]);
      await look();
      bot.clock.advance(121);
      await applyOpenCases(bot);
      await settle();
      expect(await changes(bot)).toEqual([`user.banned ${id}`]);
      expect(await states(bot)).toEqual(["ban applied person"]);
      expect(await countPosts(bot, id)).toBe(1);
    },
  );

  test.each(["at once", "after ten minutes", "twice"])(
    "is one event and one post when it is seen %s",
    async (when) => {
      const id = await ask(bot, "ban");
      await applyCase(bot, id);
      expect(await changes(bot)).toEqual([`user.banned ${id}`]);
      if (when === "after ten minutes") bot.clock.advance(600);
      await look();
      if (when === "twice") {
        // As one who had read it before would store it.
        await bot.database.query
          .deleteFrom("castellan.listing_entries")
          .where("listing", "=", "bans")
          .execute();
        await bot.database.query
          .updateTable("castellan.cases")
          .set({ echo: "expected" })
          .where("id", "=", id)
          .execute();
        await look();
      }
      await settle();
      expect(await changes(bot)).toEqual([`user.banned ${id}`]);
      expect(await countPosts(bot, id)).toBe(1);
    },
  );

  test("is one event when others lift it before anybody looks, which is told once that is certain", async () => {
    const id = await ask(bot, "ban");
    await applyCase(bot, id);
    await others().unban({ channelId, unbanFid: fid });
    await look();
    expect(await changes(bot)).toEqual([`user.banned ${id}`]);
    await settle();
    expect(await changes(bot)).toEqual([`user.banned ${id}`, "user.unbanned others"]);
    expect(await states(bot)).toEqual(["ban reverted person", "unban outside outside"]);
  });

  test("stays others' where they banned a second before, seen or not", async () => {
    await others().ban({ channelId, banFid: fid });
    bot.clock.advance(1);
    expect(await applyCase(bot, await ask(bot, "ban"))).toMatchObject({ state: "already" });
    await look();
    await settle();
    expect(await changes(bot)).toEqual(["user.banned others"]);
  });

  test("stays ours where others ban a second after, and theirs that come after it was lifted are theirs", async () => {
    const id = await ask(bot, "ban");
    await applyCase(bot, id);
    bot.clock.advance(1);
    await others().ban({ channelId, banFid: fid });
    await look();
    bot.clock.advance(1);
    await others().unban({ channelId, unbanFid: fid });
    await look();
    bot.clock.advance(1);
    await others().ban({ channelId, banFid: fid });
    await look();
    await settle();
    expect(await changes(bot)).toEqual([`user.banned ${id}`, "user.unbanned others", "user.banned others"]);
    expect((await states(bot)).at(-1)).toBe("ban outside outside");
  });
});

describe("a ban from Discord on the live network", () => {
  const scene = useLiveClient(50);

  test.each([true, false])(
    "is one event and one post, events of channels served: %s",
    async (servesEvents) => {
      scene.client.servesEvents = servesEvents;
      await scene.link(channelId);
      await scene.live(20);
      const live = scene.context;
      const [{ guild_id: guildId } = { guild_id: "" }] = await live.database.query
        .selectFrom("castellan.links")
        .select("guild_id")
        .execute();
      await follow(live, guildId);
      const id = await ask(live, "ban", guildId);
      expect(await applyCase(live, id)).toMatchObject({ state: "applied" });
      expect(await changes(live)).toEqual([`user.banned ${id}`]);
      await scene.live(60);
      // The listings are read, and what they say of its time is a little off from what its event said.
      const entry = scene.client.channels.all.get(channelId)?.standings.get(fid);
      if (entry && servesEvents) entry.at += 2_000;
      scene.context.clock.advance(3600);
      await scene.live(60);
      await resolveEchoes(live);
      expect(await changes(live)).toEqual([`user.banned ${id}`]);
      expect(await states(live)).toEqual(["ban applied person"]);
      expect(await countPosts(live, id)).toBe(1);
      scene.client.channels.setStanding(channelId, fid, "restricted");
      await scene.live(20);
      scene.client.channels.setStanding(channelId, fid, "banned");
      await scene.live(60);
      expect((await changes(live)).slice(1).filter((line) => !line.endsWith("others"))).toEqual([]);
      expect((await changes(live)).at(-1)).toBe("user.banned others");
    },
  );
});
