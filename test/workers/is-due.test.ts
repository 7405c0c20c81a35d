import { describe, expect, test } from "vitest";
import { createApi } from "../../src/api/create-api.ts";
import { silentLog } from "../../src/log.ts";
import { giveCode } from "../../src/moderation/proofs/link-codes.ts";
import { codeCastText } from "../../src/observe/hub/code-casts.ts";
import { proposeCase } from "../../src/moderation/cases/propose.ts";
import { addFeed } from "../../src/feed/feeds.ts";
import type { WorkerName } from "../../src/bot-context.ts";
import { noteChanges } from "../../src/start/bot-half.ts";
import { idWorkers, workers, type WorkerContext } from "../../workers/index.ts";
import { createStrictRooms } from "../support/discord.ts";
import { guild, useRuleEngine } from "../support/rule-engine.ts";
import { request } from "../../src/outbox/request.ts";
import { rule } from "../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [99] });
const { database, clock } = engine.network.context;

const troll = 66;
const room = "200000000000000001";

/** A worker as the queue knows it, on a network of which it hears by `changes` alone. */
function prepare(name: WorkerName, changes: WorkerContext["networkChanged"] = () => false) {
  const worker = workers.find((each) => each.name === name);
  const idWorker = idWorkers.find((each) => each.name === name);
  const context: WorkerContext = {
    ...engine.context,
    networkChanged: changes,
    rooms: createStrictRooms(clock),
  };
  const job = { key: undefined, attempt: 1, signal: new AbortController().signal, log: silentLog };
  const findDue = async () => (await idWorker?.findDue(context, 100).execute(database.query))?.rows ?? [];
  const isDue = async () =>
    worker?.hasNews?.(context) || (await worker?.isDue?.(context)) || (await findDue()).length > 0;
  const run = async () => {
    await worker?.run(context, job);
    for (const { id } of await findDue()) await idWorker?.run(context, id, job);
  };
  return { isDue, run };
}

function propose(
  kind: "ban" | "hide",
  target: { targetFid: number } | { targetCast: string },
  forSeconds?: number,
) {
  const proposal = {
    guildId: guild,
    channelId: "memes",
    kind,
    actor: { userId: "100" },
    forSeconds,
    ...target,
  };
  return database.transaction((tx) => proposeCase(tx, clock, proposal));
}

/** Something that a worker has to do; whether one run is enough for it. */
const occasions: [WorkerName, () => Promise<unknown>][] = [
  [
    "check-proofs",
    async () => {
      const actor = { userId: "1", guildId: guild, roomId: room, roleIds: [], managesServer: true };
      await engine.network.seed.account(1);
      const code = await giveCode(engine.context, actor, "memes");
      await engine.network.api.operator.cast({ fid: 1, text: codeCastText(code), mentions: [], embeds: [] });
      await prepare("poll-hub").run();
    },
  ],
  [
    "evaluate-rules",
    async () => {
      await engine.save(rule());
      await engine.append(engine.cast("Free airdrop"));
    },
  ],
  [
    "deliver-feed",
    async () => {
      await addFeed(engine.context, {
        guildId: guild,
        roomId: room,
        channelIds: null,
        kinds: ["casts"],
        namePattern: null,
        peopleOnly: false,
        createdBy: "1",
      });
      await engine.append(engine.cast("gm"));
    },
  ],
  [
    "send-outbox",
    async () => {
      const { id } = await propose("ban", { targetFid: troll });
      await database.query.updateTable("castellan.cases").set({ state: "applied" }).execute();
      const notice = { key: String(id), destination: `${guild} ${troll}`, requestedAtMs: clock.now() };
      await request(database.query, [{ kind: "notice", ...notice, data: { template: "You were banned." } }]);
    },
  ],
  ["settle-cases", () => propose("ban", { targetFid: troll })],
  [
    "end-timed",
    async () => {
      await propose("ban", { targetFid: troll }, 60);
      await prepare("settle-cases").run();
      clock.advance(61);
    },
  ],
];

describe("a worker says that it is due", () => {
  test.each(occasions)(
    "%s: while something waits for it, not before and not after",
    async (name, happens) => {
      const worker = prepare(name);
      expect(await worker.isDue()).toBe(false);
      await happens();
      expect(await worker.isDue()).toBe(true);
      await worker.run();
      expect(await worker.isDue()).toBe(false);
    },
  );

  test("poll-records: while a hidden cast may turn out to have been hidden before, and then resolve-echoes", async () => {
    const cast = await engine.network.seed.cast({ fid: troll, channelId: "memes" });
    const [settle, note] = [prepare("settle-cases"), prepare("resolve-echoes")];
    const [poll, hub] = [prepare("poll-records"), prepare("poll-hub")];
    await hub.run();
    await poll.run();
    await propose("hide", { targetCast: cast });
    await settle.run();
    expect([await note.isDue(), await poll.isDue()]).toEqual([false, true]);
    await database.query.deleteFrom("network.moderation_records").execute();
    await poll.run();
    expect([await note.isDue(), await poll.isDue()]).toEqual([false, true]);
    clock.advance(11);
    await poll.run();
    expect([await note.isDue(), await poll.isDue()]).toEqual([true, false]);
    expect(engine.woken).toContain("resolve-echoes");
    await note.run();
    expect(await note.isDue()).toBe(false);
  });

  test("resolve-echoes and poll-records: not for a channel that nobody watches any more", async () => {
    const cast = await engine.network.seed.cast({ fid: troll, channelId: "memes" });
    const [settle, note] = [prepare("settle-cases"), prepare("resolve-echoes")];
    const [poll, hub] = [prepare("poll-records"), prepare("poll-hub")];
    await hub.run();
    await poll.run();
    await propose("hide", { targetCast: cast });
    await settle.run();
    await database.query.deleteFrom("castellan.links").execute();
    await hub.run();
    expect([await note.isDue(), await poll.isDue()]).toEqual([false, false]);
  });

  test("poll-listings: until it shows what we did, and again when nothing of it can come any more", async () => {
    const [settle, resolve] = [prepare("settle-cases"), prepare("resolve-echoes")];
    const [poll, hub] = [prepare("poll-listings"), prepare("poll-hub")];
    const due = async () => [await poll.isDue(), await resolve.isDue()];
    await hub.run();
    await poll.run();
    await propose("ban", { targetFid: troll });
    await settle.run();
    expect(await due()).toEqual([true, false]);
    await poll.run();
    expect(await due()).toEqual([false, false]);
    clock.advance(61);
    expect(await due()).toEqual([true, false]);
    await poll.run();
    expect(await due()).toEqual([false, true]);
    await resolve.run();
    expect(await due()).toEqual([false, false]);
  });

  test("read-past: while a channel's past is not read yet, or what replied to it", async () => {
    const [hub, past] = [prepare("poll-hub"), prepare("read-past")];
    await hub.run();
    expect(await past.isDue()).toBe(true);
    await past.run();
    expect(await past.isDue()).toBe(false);
    const cast = { fid: troll, text: "gm", channelId: "memes" };
    await engine.network.seed.account(troll);
    const { hash } = await engine.network.api.operator.cast(cast);
    await database.query.updateTable("castellan.watched_channels").set({ past_page: "" }).execute();
    expect(await past.isDue()).toBe(true);
    await past.run();
    expect(await past.isDue()).toBe(false);
    const stored = database.query.updateTable("castellan.casts").where("hash", "=", hash);
    await stored.set({ replies_known: false }).execute();
    expect(await past.isDue()).toBe(true);
    await stored.set({ cast_at: 1 }).execute();
    expect(await past.isDue()).toBe(false);
  });

  test("poll-hub: while it is behind", async () => {
    const hub = prepare("poll-hub");
    await hub.run();
    expect(await hub.isDue()).toBe(false);
    await database.query.updateTable("castellan.sources").set({ behind: true }).execute();
    expect(await hub.isDue()).toBe(true);
  });

  test("poll-followers and fire-timers: while a rule listens", async () => {
    const [followers, timers] = [prepare("poll-followers"), prepare("fire-timers")];
    expect([await followers.isDue(), await timers.isDue()]).toEqual([false, false]);
    await engine.save(
      rule({ on: ["follower.added"], when: { "author.restricted": true }, then: [{ ban: {} }] }),
    );
    expect([await followers.isDue(), await timers.isDue()]).toEqual([true, false]);
    const alert = { on: [{ timer: { every: "1d" } }], when: undefined, then: [{ alert: { text: "Look." } }] };
    await engine.save(rule(alert));
    expect([await followers.isDue(), await timers.isDue()]).toEqual([false, true]);
  });

  test.each(["poll-hub", "poll-records", "poll-listings"] as const)(
    "%s: once after each call that wrote to the network of this process, also one that failed",
    async (name) => {
      const api = createApi(engine.network.context);
      const worker = prepare(name, noteChanges(api.writes));
      await prepare("poll-hub").run();
      await worker.isDue();
      await api.network(1).channels.get({ channelId: "memes" });
      expect(await worker.isDue()).toBe(false);
      await api.network(1).channelBans.ban({ channelId: "memes", banFid: troll });
      expect([await worker.isDue(), await worker.isDue()]).toEqual([true, false]);
      await expect(
        api.network(troll).channelBans.ban({ channelId: "memes", banFid: 1 }),
      ).rejects.toMatchObject({ code: "not_permitted" });
      expect(await worker.isDue()).toBe(true);
    },
  );

  test("poll-records and poll-listings: not after a cast, which only the hub tells", async () => {
    const api = createApi(engine.network.context);
    const changed = noteChanges(api.writes);
    const hub = prepare("poll-hub", changed);
    const others = [prepare("poll-records", changed), prepare("poll-listings", changed)];
    await hub.run();
    for (const worker of [hub, ...others]) await worker.isDue();
    await engine.network.seed.account(1);
    const { hash } = await api.operator.cast({ fid: 1, text: "Hello", channelId: "memes" });
    expect(await hub.isDue()).toBe(true);
    for (const worker of others) expect(await worker.isDue()).toBe(false);
    await api.network(1).moderatedCasts.moderate({ castHash: hash, action: "hide" });
    for (const worker of others) expect(await worker.isDue()).toBe(true);
  });
});
