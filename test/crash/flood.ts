import { setTimeout as sleep } from "node:timers/promises";
import { pages } from "../../src/contract/pages.ts";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createTypist, textOf } from "./chat.ts";
import { untilCalm } from "./evidence.ts";
import type { CastellanProcess } from "../support/program.ts";
import { floodRules, shortBan } from "./flood-rules.ts";
import { openLedger } from "./ledger.ts";
import { openSite, type Site } from "./site.ts";
import { channelId, registrants, speakers } from "./town.ts";
import { insist, openScene, type Scene } from "./traffic.ts";
import { watchBans, type BanSeen } from "./watch-bans.ts";

export interface Flooded {
  /** Each author's casts, in the order in which the network took them. */
  casts: Map<number, { hash: string; text: string }[]>;
  /** When the bot was killed, in UNIX milliseconds. */
  kills: number[];
  bans: Map<number, BanSeen>;
  /** Hashes that the network was told to hide, each as often as it was. */
  hidden: string[];
  /** The database of the bot, which has ended. */
  database: string;
}

/** Two thirds of them go on until they are banned for long. */
const authors = [...speakers, ...registrants.slice(0, 8)];
const [fewCasts, manyCasts] = [6, 9];
const waitBetweenCasts = 40;
const timeoutMs = 800_000;

/**
 * Lets a flood of casts in, kills the bot in the middle of it twice, and waits until all of it is dealt with. Throws,
 * with what the bot wrote last, when that takes as long as if it hung.
 */
export async function floodAndKill(directory: string): Promise<Flooded> {
  const site = await openSite("bot", directory);
  let bot: CastellanProcess | undefined;
  let stage = "starting";
  const launch = () => (bot = site.launch()).ready;
  const run = async (): Promise<Flooded> => {
    const scene = openScene(site, openLedger(), Math.random);
    await launch();
    stage = "putting rules in force";
    await putRulesInForce(scene);
    const watch = watchBans(scene);
    stage = "flooding";
    const [casts, kills] = await Promise.all([flood(scene), killAmidst(site, launch, watch.seen)]);
    stage = "waiting for the ends of bans";
    await untilEnded(watch.seen, casts);
    stage = "waiting until all is evaluated";
    await untilCalm(scene);
    const hidden = await readHidden(scene);
    const bans = await watch.stop();
    stage = "stopping";
    await site.stop();
    return { casts, kills, bans, hidden, database: site.database };
  };
  const tiring = new AbortController();
  const tire = async (): Promise<never> => {
    await sleep(timeoutMs, undefined, { signal: tiring.signal });
    throw new Error(`still ${stage} after ${timeoutMs / 1000} s:\n${bot?.output() ?? ""}`);
  };
  try {
    return await Promise.race([run(), tire()]);
  } finally {
    tiring.abort();
    await site.raze();
  }
}

async function putRulesInForce(scene: Scene): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  await insist(scene, () => ada.type("setup link", { channel: channelId }));
  const shown = await insist(scene, () => ada.type("rule import", { text: floodRules }));
  const answer = textOf(await insist(scene, () => ada.click(shown, "Put in force")));
  if (!answer.includes("in force")) throw new Error(`/rule import: ${answer}`);
}

async function flood(scene: Scene): Promise<Flooded["casts"]> {
  const casts: Flooded["casts"] = new Map(authors.map((fid) => [fid, []]));
  const operator = scene.operator();
  for (let round = 1; round <= manyCasts; round += 1) {
    for (const [index, fid] of authors.entries()) {
      if (round > fewCasts && !castsMany(index)) continue;
      const text = `flood ${round} of ${fid}${round === 2 ? ": claim your airdrop" : ""}`;
      const { hash } = await operator.cast({ fid, text, channelId });
      casts.get(fid)?.push({ hash, text });
      await sleep(waitBetweenCasts);
    }
  }
  return casts;
}

function castsMany(index: number): boolean {
  return index % 3 !== 0;
}

/** Kills while windows fill, and when some are banned. */
async function killAmidst(
  site: Site,
  launch: () => Promise<unknown>,
  banned: ReadonlyMap<number, BanSeen>,
): Promise<number[]> {
  const kills: number[] = [];
  await sleep(1500);
  for (const bans of [0, 4]) {
    while (banned.size < bans) await sleep(20);
    kills.push(Date.now());
    await site.kill();
    await launch();
  }
  return kills;
}

/** Until everybody's first ban is over, and nobody's long one: those who cast more stay banned. */
async function untilEnded(seen: ReadonlyMap<number, BanSeen>, casts: Flooded["casts"]): Promise<void> {
  const ended = () => [...seen.values()].filter(({ goneAt }) => goneAt !== undefined).length;
  const few = [...casts.values()].filter(({ length }) => length === fewCasts).length;
  const end = Date.now() + (shortBan + 120) * 1000;
  while (Date.now() < end && (ended() < few || seen.size < casts.size)) await sleep(250);
}

async function readHidden(scene: Scene): Promise<string[]> {
  const hidden: string[] = [];
  for await (const { moderationActions } of pages(scene.as().moderatedCasts.list, {
    channelId,
    limit: 1000,
  })) {
    hidden.push(...moderationActions.map(({ castHash }) => castHash));
  }
  return hidden;
}
