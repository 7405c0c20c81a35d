/**
 * `.ci/services.sh npm run bench:backlog`: 3,000 waiting posts to 40 rooms, and meanwhile something urgent for an idle
 * room, with one, two and three workers as separate processes, against the limits of the local Discord. Jobs are in
 * Redis, or with `-- --postgres` in PostgreSQL. `-- --kill` kills each of three workers in turn, and starts another.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { addFeed } from "../src/feed/feeds.ts";
import { silentLog } from "../src/log.ts";
import { newEvent } from "../src/observe/events.ts";
import { openQueues } from "../src/queue/queues.ts";
import { wireBot } from "../src/start/wire-bot.ts";
import { startTestDiscord, testWorld } from "../test/support/discord.ts";
import { linkGuild } from "../test/support/world.ts";
import { endWorker, killInTurn, openBacklogSite, startBacklogWorker } from "./backlog-site.ts";
import type { BacklogNews } from "./backlog-worker.ts";
import { judge, write } from "./figures.ts";

const [roomCount, postsPerRoom] = [40, 75];
/** Discord accepts one message a second in a room, and 50 calls a second from a bot. */
const allowed = Math.min(roomCount, 50);
const goals = { share: 0.8, urgentSeconds: 3 };
/** Milliseconds after the start when something urgent happens in an idle room. */
const urgentAt = [8_000, 20_000, 32_000];
const patience = 600_000;

const { values } = parseArgs({
  options: { postgres: { type: "boolean" }, kill: { type: "boolean" }, workers: { type: "string" } },
});
interface Figures {
  seconds: number;
  urgentSeconds: number[];
  refused: number;
  faults: string[];
}

async function measure(workerCount: number): Promise<Figures> {
  const idle = urgentAt.map((_, index) => `idle-${index}`);
  const busy = Array.from({ length: roomCount }, (_, index) => `busy-${index}`);
  const [guild] = testWorld.guilds;
  if (!guild) throw new Error("the test world has a server");
  const guilds = [{ ...guild, rooms: [...busy, ...idle].map((name) => ({ name })) }];
  const discord = await startTestDiscord({ guilds });
  const roomIds = new Map([...discord.context.world.rooms.values()].map(({ name, id }) => [name, id]));
  const idOf = (name: string) => roomIds.get(name) ?? "";

  const { place, database, bot, close } = await openBacklogSite(values.postgres === true);
  const queues = await openQueues(["deliver-feed"], { ...place, database, log: silentLog });
  const wake = async (worker: string, id?: string) => {
    if (worker === "deliver-feed") await queues.wake(worker, id);
  };
  const context = wireBot({ ...bot, wake });

  let made = 0;
  const happen = (room: string, count: number) =>
    database.transaction((tx) => {
      const events = Array.from({ length: count }, () => {
        made += 1;
        return newEvent(context.clock.now(), {
          kind: "user.banned",
          data: { at: 0 },
          sourceKey: `bench:${made}`,
          channelId: room,
          subjectFid: made,
        });
      });
      return context.appendEvents(tx, events);
    });
  for (const room of [...busy, ...idle]) {
    await linkGuild(context, room, discord.guildId);
    await addFeed(context, {
      guildId: discord.guildId,
      roomId: idOf(room),
      channelIds: [room],
      kinds: ["bans"],
      namePattern: null,
      peopleOnly: false,
      createdBy: "1",
    });
  }
  for (const room of busy) await happen(room, postsPerRoom);
  // One row per message.
  await database.query.updateTable("castellan.room_queues").set({ one_by_one: postsPerRoom }).execute();

  const posts: Extract<BacklogNews, { kind: "posted" }>[] = [];
  let refused = 0;
  const workers = new Set<ChildProcess>();
  const start = async () => {
    const given = { names: ["deliver-feed"], api: discord.api };
    const worker = await startBacklogWorker(place, given, (news) => {
      if (news.kind === "refused") refused += 1;
      else if (news.kind === "posted") posts.push(news);
    });
    workers.add(worker);
    return worker;
  };
  const starting = Array.from({ length: workerCount }, start);
  await starting[0];
  const began = Date.now();
  await Promise.all(starting);
  const happened = new Map<string, number>();
  const urgent = idle.map(async (room, index) => {
    await sleep((urgentAt[index] ?? 0) - (Date.now() - began));
    await happen(room, 1);
    happened.set(idOf(room), Date.now());
  });
  const shown = (room: string) =>
    (discord.context.world.messages.get(idOf(room)) ?? []).flatMap(({ embeds }) =>
      embeds.map(({ footer }) => Number(footer?.text.replace("E-", ""))),
    );
  const isDone = () => busy.every((room) => shown(room).length >= postsPerRoom);
  const killed = values.kill === true ? killInTurn(workers, start, isDone) : undefined;
  while (!isDone() && Date.now() - began < patience) await sleep(50);
  const seconds = (Date.now() - began) / 1000;
  await Promise.all([...urgent, killed]);
  await sleep(goals.urgentSeconds * 1000);

  const faults = busy.flatMap((room) => {
    const numbers = shown(room);
    const isRight = numbers.length === postsPerRoom && new Set(numbers).size === postsPerRoom;
    const isOrdered = numbers.every((number, index) => number > (numbers[index - 1] ?? 0));
    return isRight && isOrdered ? [] : [`${room}: ${numbers.join(", ")}`];
  });
  const overlaps = [...busy, ...idle].flatMap((room) => {
    const own = posts.filter(({ roomId }) => roomId === idOf(room)).toSorted((a, b) => a.begun - b.begun);
    return own.filter(({ begun }, index) => begun < (own[index - 1]?.ended ?? 0)).map(() => room);
  });
  if (overlaps.length > 0) faults.push(`at once: ${overlaps.join(", ")}`);
  const urgentSeconds = [...happened].map(([roomId, at]) => {
    const post = posts.find((one) => one.roomId === roomId);
    return post ? (post.ended - at) / 1000 : Infinity;
  });

  for (const worker of workers) await endWorker(worker);
  await queues.close();
  await close();
  await discord.stop();
  return { seconds, urgentSeconds, refused, faults };
}

const counts = values.kill === true ? [3] : (values.workers ?? "1,2,3").split(",").map(Number);
for (const workerCount of counts) {
  const { seconds, urgentSeconds, refused, faults } = await measure(workerCount);
  const posted = roomCount * postsPerRoom;
  write(
    `${workerCount} ${workerCount === 1 ? "worker" : "workers"}: ${posted} posts in ${seconds.toFixed(1)} s, ${(posted / seconds).toFixed(1)} a second; ${refused} refused`,
  );
  for (const fault of faults) write(fault);
  const met = [
    judge("of what Discord allows", posted / seconds / allowed, {
      least: values.kill === true ? 0 : goals.share,
    }),
    judge("urgent, in an idle room (s)", Math.max(...urgentSeconds), { most: goals.urgentSeconds }),
    judge("lost, twice, at once or not in order", faults.length, { most: 0 }),
  ];
  if (met.includes(false)) process.exitCode = 1;
}
process.exit();
