import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { pages } from "../../src/contract/pages.ts";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createTypist, textOf, type ChatMessage } from "./chat.ts";
import { clockRules } from "./clock-rules.ts";
import { readCases, untilCalm } from "./evidence.ts";
import { openLedger } from "./ledger.ts";
import { openSite } from "./site.ts";
import { channelId, registrants, speakers } from "./town.ts";
import { insist, openScene, type Scene } from "./traffic.ts";
import { repeated, type Verdict } from "./verdict.ts";
import { openWrongClock } from "./wrong-clock.ts";

export interface ClockRun {
  /** Seconds by which the bot's clock is off, one after the other, each for as long. */
  offsets: readonly number[];
  minutes: number;
  directory: string;
}

/** Seconds. */
const banFor = 15;
/** A ban may last for so much longer, in milliseconds: the worker looks every few seconds, on a busy machine. */
const banPatience = 60_000;
/** What rules make of one quarrel: the person's hide, and theirs until they are four deep. */
const maxRecords = 6;
const roundTime = 10_000;

/** What was done during the run, and must have been seen to. */
interface Doings {
  scams: string[];
  quarrels: string[];
  /** How long each ban lasted, in milliseconds. */
  bans: number[];
  late: string[];
}

/**
 * A bot whose machine's clock is wrong, and is set while it runs, on a network and a Discord whose clocks are right:
 * what it believes of its own doing must not depend on it.
 */
export async function runWithWrongClock({ offsets, minutes, directory }: ClockRun): Promise<Verdict[]> {
  await mkdir(directory, { recursive: true });
  const clock = await openWrongClock(directory, offsets[0] ?? 0);
  const site = await openSite("bot", directory, clock.environment);
  try {
    // Nobody dies here: what is typed once is waited for, and not typed again.
    const scene = openScene({ ...site, timeoutMs: 60_000 }, openLedger(), Math.random);
    await site.launch().ready;
    await putRulesInForce(scene);
    const done: Doings = { scams: [], quarrels: [], bans: [], late: [] };
    const begin = Date.now();
    const phase = (minutes * 60_000) / offsets.length;
    for (let round = 0; Date.now() < begin + minutes * 60_000; round += 1) {
      const offset = offsets[Math.floor((Date.now() - begin) / phase)] ?? 0;
      await Promise.all([act(scene, done, round), sleep(roundTime)]);
      // In the middle of what the round began.
      await clock.set(offsets[Math.floor((Date.now() - begin) / phase)] ?? offset);
    }
    await untilCalm(scene);
    const records = await readRecords(scene);
    const { result } = await scene.as().channelBans.list({ channelId });
    await site.stop();
    const cases = await readCases(site);
    const of = (hash: string) => records.filter(({ castHash }) => castHash === hash);
    const outside = cases.filter(({ state }) => state === "outside");
    const open = cases.filter(({ state }) => state === "requested" || state === "failed");
    const scams = records.filter(({ castHash }) => done.scams.includes(castHash));
    return [
      {
        title: "a timed ban ends",
        looked: done.bans.length,
        faults: [...done.late, ...result.bannedUsers.map(({ fid }) => `fid ${fid} is still banned`)],
      },
      {
        title: "a rule acts on each cast, once",
        looked: done.scams.length,
        faults: [
          ...done.scams.filter((hash) => of(hash).length === 0).map((hash) => `${hash} was not hidden`),
          ...repeated(scams.map(({ castHash }) => castHash)).map((hash) => `${hash} was hidden again`),
        ],
      },
      {
        title: "rules do not feed on their own doing",
        looked: done.quarrels.length,
        faults: [
          ...done.quarrels
            .filter((hash) => of(hash).length > maxRecords || of(hash).length === 0)
            .map((hash) => `${of(hash).length} records of ${hash}`),
          ...(done.quarrels.some((hash) => of(hash).length > 1) ? [] : ["no rule acted on any quarrel"]),
        ],
      },
      {
        title: "nothing of ours is taken for another's",
        looked: cases.length,
        faults: outside.map(
          ({ number, kind, target_fid, target_cast }) =>
            `#${number} ${kind} ${target_fid ?? target_cast} is said to be done outside`,
        ),
      },
      {
        title: "every case is settled",
        looked: cases.length,
        faults: open.map(({ number, kind, state, outcome }) => `#${number} ${kind} ${state}: ${outcome}`),
      },
    ];
  } finally {
    await site.raze();
  }
}

async function putRulesInForce(scene: Scene): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  await insist(scene, () => ada.type("setup link", { channel: channelId }));
  const shown = await insist(scene, () => ada.type("rule import", { text: clockRules }));
  const answer = textOf(await insist(scene, () => ada.click(shown, "Put in force")));
  if (!answer.includes("in force")) throw new Error(`/rule import: ${answer}`);
}

/** One round: a scam, a quarrel that a person begins, and a ban with its end. */
async function act(scene: Scene, done: Doings, round: number): Promise<void> {
  const operator = scene.operator();
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  const by = (index: number) => speakers[index % speakers.length] ?? 0;
  const scam = await operator.cast({ fid: by(round), text: `airdrop ${round}`, channelId });
  done.scams.push(scam.hash);
  const quarrel = await operator.cast({ fid: by(round + 1), text: `quarrel ${round}`, channelId });
  // The bot must have seen the cast that rules are to know the text of.
  await sleep(4000);
  done.quarrels.push(quarrel.hash);
  await confirm(scene, () => ada.type("hide", { cast: quarrel.hash }), "Hide");
  if (round % 2 === 0) await banForAWhile(scene, done, registrants[round % registrants.length] ?? 0);
}

async function banForAWhile(scene: Scene, done: Doings, fid: number): Promise<void> {
  const mo = createTypist(scene.site, "mo", sandboxRooms.deskRoom);
  await confirm(scene, () => mo.type("ban", { user: String(fid), duration: `${banFor}s` }), "Ban");
  const begin = Date.now();
  const isBanned = async () =>
    (await scene.as().channelBans.list({ channelId, fid })).result.bannedUsers.length > 0;
  while (!(await isBanned()) && Date.now() < begin + banPatience) await sleep(250);
  const banned = Date.now();
  while ((await isBanned()) && Date.now() < banned + banFor * 1000 + banPatience) await sleep(250);
  const lasted = Date.now() - banned;
  done.bans.push(lasted);
  if (lasted < (banFor - 5) * 1000 || lasted >= banFor * 1000 + banPatience) {
    done.late.push(`fid ${fid} was banned for ${Math.round(lasted / 1000)} s`);
  }
}

async function confirm(scene: Scene, type: () => Promise<ChatMessage>, label: string): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  const mo = createTypist(scene.site, "mo", sandboxRooms.deskRoom);
  const shown = await insist(scene, type);
  const offered = shown.components.some(({ components }) => components.some((one) => one.label === label));
  if (!offered) return;
  // Buttons are their actor's.
  await insist(scene, () => (label === "Ban" ? mo : ada).click(shown, label));
}

async function readRecords(scene: Scene) {
  const records = [];
  for await (const page of pages(scene.as().moderatedCasts.list, { channelId, limit: 1000 })) {
    records.push(...page.moderationActions);
  }
  return records;
}
