import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDirectory } from "../src/database/connect.ts";
import { sandboxRooms } from "../src/sandbox/sample/sample-server.ts";
import { createTypist, textOf } from "../test/crash/chat.ts";
import { openLedger } from "../test/crash/ledger.ts";
import { openSite } from "../test/crash/site.ts";
import { channelId, speakers } from "../test/crash/town.ts";
import { insist, openScene, type Scene } from "../test/crash/traffic.ts";
import { judge, percentile, write } from "./figures.ts";

/**
 * Time from a cast's appearance in the hub to its hiding on the network, with the usual poll intervals: network, local
 * Discord and bot are separate processes. A rule hides one cast in ten.
 */
const perSecond = 100;
const seconds = 30;
const hideEvery = 10;
const goal = 3;
const lookEvery = 40;
const patience = 60_000;

const rules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: scam
    on: [cast.created]
    when: {text: {matches: "(?i)claim.{0,20}airdrop"}}
    then: [{hide: {}}]
`;

async function putRulesInForce(scene: Scene): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  await insist(scene, () => ada.type("setup link", { channel: channelId }));
  const shown = await insist(scene, () => ada.type("rule import", { text: rules }));
  const answer = textOf(await insist(scene, () => ada.click(shown, "Put in force")));
  if (!answer.includes("in force")) throw new Error(`/rule import: ${answer}`);
}

/** Casts at a steady rate; returns when each scam became readable, in milliseconds. */
async function castEvenly(scene: Scene): Promise<{ visible: Map<string, number>; took: number }> {
  const operator = scene.operator();
  const visible = new Map<string, number>();
  const start = performance.now();
  const casts = Array.from({ length: perSecond * seconds }, async (_, index) => {
    await sleep((index * 1000) / perSecond);
    const scam = index % hideEvery === 0;
    const text = scam ? `Claim your airdrop, offer ${index}` : `Seeds of the day, ${index}`;
    const fid = speakers[index % speakers.length] ?? 0;
    const { hash } = await operator.cast({ fid, text, channelId });
    if (scam) visible.set(hash, performance.now());
  });
  await Promise.all(casts);
  return { visible, took: performance.now() - start };
}

/** When each hiding first became visible, for that many. */
async function watchHidings(scene: Scene, count: number): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  const end = performance.now() + seconds * 1000 + patience;
  while (seen.size < count && performance.now() < end) {
    const { result } = await scene.as().moderatedCasts.list({ channelId, limit: 100 });
    const now = performance.now();
    for (const { castHash } of result.moderationActions) if (!seen.has(castHash)) seen.set(castHash, now);
    await sleep(lookEvery);
  }
  return seen;
}

/** The time spent inside the bot by stage, according to its records. */
async function writeStages(database: string): Promise<void> {
  const bot = await connectDirectory(database);
  const rows = await bot.query
    .selectFrom("castellan.cases as subject")
    .innerJoin("castellan.events as event", "event.id", "subject.cause_event_id")
    .select(["event.occurred_at", "event.observed_at_ms", "requested_at_ms", "sent_at_ms", "settled_at_ms"])
    .execute();
  await bot.close();
  const stages = rows.map((row) => [
    row.requested_at_ms - row.observed_at_ms,
    (row.sent_at_ms ?? NaN) - row.requested_at_ms,
    (row.settled_at_ms ?? NaN) - (row.sent_at_ms ?? NaN),
  ]);
  for (const [index, name] of ["observed to decided", "decided to sent", "sent to answered"].entries()) {
    const waits = stages.map((stage) => (stage[index] ?? NaN) / 1000);
    write(`${name}: p50 ${percentile(waits, 50).toFixed(2)} s, p99 ${percentile(waits, 99).toFixed(2)} s`);
  }
}

const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
// Castellan's own time is measured, not the wait for the live network, which takes two hides a second.
const site = await openSite("bot", directory, { CALL_LIMITS: "10000/1000000" });
try {
  const scene = openScene(site, openLedger(), Math.random);
  await site.launch().ready;
  await putRulesInForce(scene);
  await sleep(3000);
  const scams = (perSecond * seconds) / hideEvery;
  const [{ visible, took }, hidden] = await Promise.all([castEvenly(scene), watchHidings(scene, scams)]);
  const waits = [...visible].flatMap(([hash, at]) => {
    const hiddenAt = hidden.get(hash);
    return hiddenAt === undefined ? [] : [Math.max(0, hiddenAt - at) / 1000];
  });
  write(
    `${perSecond * seconds} casts in ${(took / 1000).toFixed(1)} s, ${scams} to hide, ${waits.length} hidden`,
  );
  write(
    `visible to hidden: p50 ${percentile(waits, 50).toFixed(2)} s, max ${Math.max(...waits).toFixed(2)} s`,
  );
  await site.stop();
  await writeStages(site.database);
  const met = judge("visible to hidden, p99 (s)", percentile(waits, 99), { most: goal });
  process.exitCode = met && waits.length === scams ? 0 : 1;
} finally {
  await site.raze();
  await rm(directory, { recursive: true });
}
