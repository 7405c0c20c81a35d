/**
 * `.ci/services.sh npm run bench:backlog-rules`: 20,000 casts in 50 servers that wait for rules, one in a hundred of
 * which is hidden, with one, two and three workers as separate processes. Jobs are in Redis, or with `-- --postgres` in
 * PostgreSQL. `-- --kill` kills each of three workers in turn, and starts another.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { silentLog } from "../src/log.ts";
import { openQueues } from "../src/queue/queues.ts";
import { newEvent, type NewChannelEvent } from "../src/observe/events.ts";
import { saveRules } from "../src/rules/versions/rules-of-server.ts";
import { castRow, rule, ruleSetOf } from "../test/support/rules.ts";
import { createSeed } from "../test/support/seed.ts";
import { botFid, linkGuild, people } from "../test/support/world.ts";
import { endWorker, killInTurn, openBacklogSite, startBacklogWorker } from "./backlog-site.ts";
import { judge, write } from "./figures.ts";

const [servers, castsPerServer, hideEvery] = [50, 400, 100];
/** Rules that listen and never match. */
const quietRules = Array.from({ length: 19 }, (_, index) =>
  rule({ id: `quiet-${index}`, when: { text: { contains: `nothing says ${index}` } } }),
);
const hides = (servers * castsPerServer) / hideEvery;
const patience = 600_000;

const { values } = parseArgs({
  options: { postgres: { type: "boolean" }, kill: { type: "boolean" }, workers: { type: "string" } },
});

async function measure(workerCount: number): Promise<{ seconds: number; hidden: number; left: number }> {
  const { place, database, bot, close } = await openBacklogSite(values.postgres === true);
  const seed = createSeed(database.query);
  for (const fid of [people.owner, people.troll, botFid]) await seed.account(fid);
  for (let server = 0; server < servers; server += 1) {
    const [guildId, channelId] = [`guild-${server}`, `channel-${server}`];
    await seed.channel(channelId, { owner: people.owner, moderators: [botFid] });
    await linkGuild(bot, channelId, guildId);
    const version = {
      guildId,
      ruleSet: ruleSetOf(rule(), ...quietRules),
      change: "import",
      savedBy: "1",
      savedAt: 0,
    };
    await database.transaction((tx) => saveRules(tx, { ...version, baseVersion: 0 }));
    const events: NewChannelEvent[] = [];
    for (let index = 0; index < castsPerServer; index += 1) {
      const text = index % hideEvery === 0 ? "airdrop" : `gm ${index}`;
      const castHash =
        index % hideEvery === 0
          ? await seed.cast({ fid: people.troll, channelId, text })
          : `0xe${(server * castsPerServer + index).toString(16).padStart(39, "0")}`;
      const row = castRow(castHash, { fid: people.troll, channel_id: channelId, text });
      await database.query.insertInto("castellan.casts").values(row).execute();
      const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
      events.push(
        newEvent(bot.clock.now(), {
          kind: "cast.created",
          data,
          sourceKey: `cast:${castHash}`,
          channelId,
          subjectFid: people.troll,
        }),
      );
    }
    await database.transaction((tx) => bot.appendEvents(tx, events));
  }

  const count = async () => {
    const { rows } = await sql<{ left: number; hidden: number }>`
      select (select count(*) from castellan.rule_evaluations where settled_at_ms is null)::int as left,
        (select count(*) from castellan.cases where state = 'applied')::int as hidden
    `.execute(database.query);
    return rows[0] ?? { left: 0, hidden: 0 };
  };
  const given = { names: ["evaluate-rules", "settle-cases"], api: "http://127.0.0.1:1" };
  const rows = database.query.updateTable("castellan.rule_evaluations");
  await rows.set({ leased_until_ms: Number.MAX_SAFE_INTEGER }).execute();
  const start = () => startBacklogWorker(place, given);
  const workers = new Set(await Promise.all(Array.from({ length: workerCount }, start)));
  const queues = await openQueues(["evaluate-rules"], { ...place, database, log: silentLog });
  const began = performance.now();
  await rows.set({ leased_until_ms: 0 }).execute();
  for (let server = 0; server < servers; server += 1) await queues.wake("evaluate-rules", `guild-${server}`);
  let now = await count();
  const isDone = () => now.left === 0 && now.hidden >= hides;
  const killed = values.kill === true ? killInTurn(workers, start, isDone) : undefined;
  while (!isDone() && performance.now() - began < patience) {
    await sleep(100);
    now = await count();
  }
  const seconds = (performance.now() - began) / 1000;
  await killed;
  for (const worker of workers) await endWorker(worker);
  await queues.close();
  await close();
  return { seconds, ...now };
}

const counts = values.kill === true ? [3] : (values.workers ?? "1,2,3").split(",").map(Number);
for (const workerCount of counts) {
  const { seconds, hidden, left } = await measure(workerCount);
  write(
    `${workerCount} ${workerCount === 1 ? "worker" : "workers"}: ${servers * castsPerServer} events in ${seconds.toFixed(1)} s`,
  );
  const met = [
    judge("not evaluated", left, { most: 0 }),
    judge("hidden", hidden, { least: hides }),
    judge("hidden too often", hidden - hides, { most: 0 }),
  ];
  if (met.includes(false)) process.exitCode = 1;
}
process.exit();
