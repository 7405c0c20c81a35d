import { setTimeout as sleep } from "node:timers/promises";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { chatModerator } from "../crash/chat-moderator.ts";
import { createTypist, textOf, type Typist } from "../crash/chat.ts";
import { caseRoom, feedRoom } from "../crash/evidence.ts";
import { nameOwners, outsider, talkers } from "../crash/people.ts";
import { channelId, registrants, speakers } from "../crash/town.ts";
import { insist, type Person, type Scene } from "../crash/traffic.ts";
import { answered, Unanswered } from "../crash/unanswered.ts";
import { signTransfer } from "../support/signing.ts";
import { doomedRoom, type Fleet } from "./fleet.ts";

/** Gets few names and nothing else, so no later event makes up for a lost job. */
export const quietRoom = sandboxRooms.lobby;

const rules = `version: 1
defaults: {mode: enforce, exempt: [owner, moderators]}
rules:
  - id: scam
    on: [cast.created]
    when: {text: {contains: airdrop}}
    then: [{hide: {}}]
`;

/** Links the channel, puts the rule in force, and adds feeds and a webhook. */
export async function setUp(scene: Scene, { receiver }: Fleet): Promise<void> {
  const ada = createTypist(scene.site, "ada", sandboxRooms.deskRoom);
  const commands = [
    ["setup link", { channel: channelId }, /is linked|is renewed/],
    ["feed add", { room: feedRoom }, /gets events of/],
    ["feed add", { room: feedRoom, kinds: "names" }, /gets events of/],
    ["feed add", { room: caseRoom, kinds: "cases" }, /gets events of/],
    ["feed add", { room: quietRoom, kinds: "names", names: "quiet*" }, /gets events of/],
    ["feed add", { room: doomedRoom, kinds: "names" }, /gets events of/],
    ["setup webhooks", { add: "log", url: receiver.url, events: "case.opened" }, /log/],
  ] as const;
  for (const [command, options, expected] of commands) {
    let answer = "";
    for (let left = 5; left > 0 && !expected.test(answer); left -= 1) {
      answer = textOf(await insist(scene, () => ada.type(command, options)));
    }
    if (!expected.test(answer)) throw new Error(`/${command}: ${answer}`);
  }
  const shown = await insist(scene, () => ada.type("rule import", { text: rules }));
  const answer = textOf(await insist(scene, () => ada.click(shown, "Put in force")));
  if (!answer.includes("in force")) throw new Error(`/rule import: ${answer}`);
}

/** About three events a second that rooms get, some casts, and two moderators who type commands. */
export function createPeople(scene: Scene): Person[] {
  const slowed = (person: Person, ms: number): Person => {
    return async () => {
      await sleep(ms * (0.5 + scene.random()));
      await person();
    };
  };
  const names = nameOwners(scene).slice(0, 4);
  const [talker, replier] = talkers(scene);
  return [
    ...names,
    ...[talker, replier].flatMap((person) => (person ? [slowed(person, 1_000)] : [])),
    slowed(outsider(scene), 1_500),
    slowed(chatModerator(scene, "ada"), 1_000),
    slowed(chatModerator(scene, "mo"), 1_000),
  ];
}

/** Gives a name to somebody, or takes it back. */
export async function register(scene: Scene, name: string, fid: number, isGiven = true): Promise<void> {
  const to = isGiven ? fid : 0;
  const claim = await signTransfer({ name, from: fid - to, to, timestamp: Math.floor(Date.now() / 1000) });
  await insist(scene, () => scene.as().transfers.create(claim));
  scene.ledger.names.set(name, to);
}

export const [quietFid = 0, freshFid = 0] = registrants.slice(-2);

/** Sends a cast that the rule hides, again if there is no answer. Returns its hash. */
export async function castScam(scene: Scene, number: number): Promise<string> {
  // Posts about one author may be grouped.
  const fid = speakers[number % speakers.length] ?? 0;
  const text = `airdrop ${number} at ${Date.now()}`;
  const { hash } = await insist(scene, () => scene.operator().cast({ fid, text, channelId }));
  scene.ledger.casts.set(hash, text);
  return hash;
}

/** Errors that a moderator may see during a fault. */
export const outageTexts =
  /database|cannot be reached|does not (answer|respond)|no response|try again|Try again|later|not answer|unavailable/;

/** Types a harmless command again and again; counts those that are not answered, or with an error. */
export function watchCommands(fleet: Fleet): { stop(): Promise<{ typed: number; failed: string[] }> } {
  const place = { ...fleet.site, timeoutMs: 5_000 };
  const ada = createTypist(place, "ada", quietRoom);
  const failed: string[] = [];
  let typed = 0;
  const over = new AbortController();
  const typing: Promise<void>[] = [];
  const loop = (async () => {
    for (; !over.signal.aborted; await sleep(700)) {
      typed += 1;
      typing.push(typeOnce(ada).then((problem) => void (problem !== undefined && failed.push(problem))));
    }
  })();
  return {
    async stop() {
      over.abort();
      await loop;
      await Promise.all(typing);
      return { typed, failed };
    },
  };
}

/** What is wrong with the answer to a command, if anything. */
export async function typeOnce(typist: Typist): Promise<string | undefined> {
  try {
    const text = textOf(await answered(() => typist.type("case show")));
    return /C-\d|No cases|no case/i.test(text) ? undefined : text.slice(0, 100);
  } catch (error) {
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
}
