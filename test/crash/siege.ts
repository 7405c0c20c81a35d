import { setTimeout as sleep } from "node:timers/promises";
import { checkCases } from "./check-cases.ts";
import { checkCaseFeed, checkFeed } from "./check-feed.ts";
import { checkNetwork } from "./check-network.ts";
import { chatModerator } from "./chat-moderator.ts";
import { createTypist, textOf } from "./chat.ts";
import { caseRoom, feedRoom, gather, lastEventId, readCases, untilCalm } from "./evidence.ts";
import { hasOfEach, openLedger } from "./ledger.ts";
import { nameOwners, outsider, talkers } from "./people.ts";
import { openSite, type Mode, type Site } from "./site.ts";
import { channelId } from "./town.ts";
import { insist, openScene, startTraffic, type Scene } from "./traffic.ts";
import type { Verdict } from "./verdict.ts";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { createRandom } from "../support/random.ts";

/** What is done to the program while people work with it; it returns when everything should work again. */
export type Disturbance = (scene: Scene, tell: (line: string) => void) => Promise<void>;

export interface Siege {
  mode: Mode;
  disturb: Disturbance;
  /** Decides who does what; how the processes run beside each other it cannot. */
  seed: number;
  directory: string;
  /** Settings of the bot, where it is a process of its own. */
  environment?: Record<string, string>;
  tell: (line: string) => void;
}

/** Disturbs the program while people work with it, lets it settle, and looks whether anything is amiss. */
export async function besiege(siege: Siege): Promise<Verdict[]> {
  const { mode, disturb, seed, directory, environment = {}, tell } = siege;
  const site = await openSite(mode, directory, environment);
  try {
    const scene = openScene(site, openLedger(), createRandom(seed));
    await site.launch().ready;
    await linkRooms(scene);
    const sinceEvent = await lastEventId(scene);
    const people = [...nameOwners(scene), ...talkers(scene), outsider(scene)];
    const moderators = [chatModerator(scene, "ada"), chatModerator(scene, "mo")];
    const traffic = startTraffic(scene, [...people, ...moderators]);
    await disturb(scene, tell);
    // Who tires soon meets work under way when something is killed. Now each answer counts, however busy the machine is.
    site.timeoutMs = 20_000;
    while (!hasOfEach(scene.ledger)) await sleep(250);
    await traffic.stop();
    const { ledger } = scene;
    tell(
      `${ledger.names.size} names, ${ledger.casts.size} casts, ${[...ledger.records.values()].flat().length} records, ` +
        `${ledger.cases.length} cases answered; ${ledger.unanswered} calls were not`,
    );
    await untilCalm(scene);
    const evidence = await gather(scene, sinceEvent);
    const onNetwork = await checkNetwork(scene, evidence);
    const codes = await site.stop();
    const cases = await readCases(site);
    return [
      ...onNetwork,
      ...checkFeed(evidence),
      checkCaseFeed(evidence, cases),
      ...checkCases(ledger, evidence, cases),
      {
        title: "asked to end, each process ends well",
        looked: codes.length,
        faults: codes.flatMap((code) => (code === 0 ? [] : [`exit code ${code}`])),
      },
    ];
  } finally {
    await site.raze();
  }
}

/** ada links the channel and lets one room hear of everything usual, another of cases. */
async function linkRooms(scene: Scene): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  const commands = [
    // Renewed, where nobody answered the first time.
    ["setup link", { channel: channelId }, /is linked|is renewed/],
    ["feed add", { room: feedRoom }, /gets events of/],
    ["feed add", { room: feedRoom, kinds: "names" }, /gets events of/],
    ["feed add", { room: caseRoom, kinds: "cases" }, /gets events of/],
  ] as const;
  for (const [command, options, expected] of commands) {
    const answer = textOf(await insist(scene, () => ada.type(command, options)));
    if (!expected.test(answer)) throw new Error(`/${command}: ${answer}`);
  }
}

/** Kills the program so often, at moments that the seed decides; one kill in four hits a process that is still starting. */
export function killing(kills: number, seed: number): Disturbance {
  return ({ site }, tell) => killAgainAndAgain(site, kills, createRandom(seed), tell);
}

async function killAgainAndAgain(
  site: Site,
  kills: number,
  random: () => number,
  tell: (line: string) => void,
): Promise<void> {
  let starting = 3000;
  for (let count = 1; count <= kills; count += 1) {
    await sleep(300 + random() * 3500);
    await site.kill();
    for (let early = random() < 0.25; early && count < kills; early = random() < 0.25) {
      count += 1;
      const wait = random() * starting;
      tell(`kill ${count} of ${kills}: ${Math.round(wait)} ms after its start`);
      site.launch();
      await sleep(wait);
      await site.kill();
    }
    const began = performance.now();
    await site.launch().ready;
    starting = performance.now() - began;
    tell(`kill ${count} of ${kills}: up again after ${Math.round(starting)} ms`);
  }
  await sleep(2000);
}
