import { setTimeout as sleep } from "node:timers/promises";
import { feedRoom } from "../crash/evidence.ts";
import { unmarked } from "../crash/check-feed.ts";
import { createTypist } from "../crash/chat.ts";
import type { Scene } from "../crash/traffic.ts";
import { findMissing, findWrong, readPosts, type Recorded } from "./compare.ts";
import type { Fault, Seen } from "./fault.ts";
import type { Fleet } from "./fleet.ts";
import { castScam, freshFid, quietFid, quietRoom, register, typeOnce, watchCommands } from "./load.ts";

/** A run of faults, one after the other, on one fleet. */
export interface Run {
  fleet: Fleet;
  scene: Scene;
  record: () => Promise<Recorded>;
  /** Missing and wrong posts that an earlier row has reported. */
  known: Set<string>;
}

export interface Row {
  fault: Fault;
  /** Seconds until everything worked again; undefined if it did not. */
  recovered: number | undefined;
  problems: string[];
}

/** Additional time for a fleet that was too slow, so that the next fault finds a healthy one. */
const extraSeconds = 60;
const lookEveryMs = 300;
/** The number of newest posts in which new events are looked for. */
const newest = 200;

/** Injects a fault, and waits until everything works again. */
export async function runFault(run: Run, fault: Fault, number: number): Promise<Row> {
  const { fleet, scene } = run;
  const endsBefore = fleet.ends.length;
  const commands = watchCommands(fleet);
  const readiness = watchReadiness(fleet);
  // An event in the middle of the fault, in a room where no later event could make up for a lost job.
  const quiet = sleep(1_000).then(() => register(scene, `quiet${number}`, quietFid));
  const problems: string[] = [];
  quiet.catch(() => {});
  const lift = await fault.inject(fleet).catch((error: unknown) => {
    problems.push(`could not be injected: ${String(error)}`);
    fleet.fix();
  });
  const over = performance.now();
  const stopping = commands.stop();
  const seconds = () => (performance.now() - over) / 1000;
  const before = await run.record();
  const waiting = openConditions(run, number, before);
  let recovered: number | undefined;
  while (recovered === undefined && seconds() < fault.seconds + extraSeconds) {
    await sleep(lookEveryMs);
    for (const [what, isMet] of waiting) if (await isMet()) waiting.delete(what);
    if (waiting.size === 0) recovered = seconds();
    else if (seconds() > fault.seconds && problems.length === 0) {
      for (const what of waiting.keys()) problems.push(`not within ${fault.seconds} s: ${what}`);
      problems.push(...findMissing(before, readPosts(fleet, before)).slice(0, 3));
    }
  }
  const seen: Seen = {
    commands: await stopping,
    notReady: await readiness.stop(),
    ends: fleet.ends.slice(endsBefore),
  };
  if (recovered === undefined) {
    problems.push("did not recover");
    for (const item of findMissing(before, readPosts(fleet, before))) run.known.add(item);
  }
  if (!fault.mayEnd) problems.push(...seen.ends.map((end) => `a process ended: ${end.slice(0, 300)}`));
  problems.push(...(fault.check?.(seen, fleet) ?? []));
  if (typeof lift === "function") {
    await lift();
    if (!(await areReady(fleet, fault.seconds))) problems.push("the resumed process did not become ready");
  }
  fleet.fix();
  problems.push(...(await findNewlyWrong(run)));
  await Promise.all([
    register(scene, `quiet${number}`, quietFid, false),
    register(scene, `fresh${number}`, freshFid, false),
  ]);
  return { fault, recovered, problems };
}

/** The conditions for a recovery, which are checked until all have been met once. */
function openConditions(run: Run, number: number, before: Recorded) {
  const { fleet, scene } = run;
  const ada = createTypist({ ...fleet.site, timeoutMs: 5_000 }, "ada", quietRoom);
  const calls = fleet.receiver.calls.length;
  const fresh = (async () => {
    await register(scene, `fresh${number}`, freshFid);
    return castScam(scene, number);
  })();
  let scam: string | undefined;
  let isAnswered = false;
  const mayFail = (promise: Promise<unknown>) => void promise.catch(() => {});
  mayFail(fresh.then((hash) => (scam = hash)));
  const answering = (async () => {
    while ((await typeOnce(ada)) !== undefined) await sleep(200);
    isAnswered = true;
  })();
  mayFail(answering);
  const began = Date.now();
  const openCases = () =>
    fleet.postgres.query(
      `select number from castellan.cases where state = 'requested' and requested_at_ms < ${began}`,
      fleet.database,
    );
  const isPosted = (roomId: string, title: string) =>
    fleet
      .posts(roomId)
      .slice(-newest)
      .some(({ embeds }) => embeds.some((embed) => unmarked(embed.title) === title));
  const textOfScam = () => (scam === undefined ? undefined : scene.ledger.casts.get(scam));
  return new Map<string, () => boolean | Promise<boolean>>([
    ["every process is ready", async () => (await readTroubles(fleet)).length === 0],
    ["a command is answered", () => isAnswered],
    ["a new event is posted", () => isPosted(feedRoom, `Name registered: fresh${number}`)],
    ["the only event of a room is posted", () => isPosted(quietRoom, `Name registered: quiet${number}`)],
    [
      "a rule hides a new cast, and that is posted",
      () => {
        const text = textOfScam();
        return (
          text !== undefined &&
          fleet
            .posts(feedRoom)
            .slice(-newest)
            .some((post) => JSON.stringify(post.embeds).includes(text))
        );
      },
    ],
    ["a webhook is called", () => fleet.receiver.calls.length > calls],
    ["cases from before are settled", async () => (await openCases().catch(() => [{}])).length === 0],
    [
      "everything from before is posted",
      () => findMissing(before, readPosts(fleet, before)).every((item) => run.known.has(item)),
    ],
  ]);
}

async function findNewlyWrong({ fleet, record, known }: Run): Promise<string[]> {
  // Posts first: their changes are on the network by the time it is read.
  const posted = fleet.posts(feedRoom).length;
  const recorded = await record();
  const wrong = findWrong(recorded, readPosts(fleet, recorded, posted)).filter((item) => !known.has(item));
  for (const item of wrong) known.add(item);
  return wrong;
}

/** The reasons of processes that are not ready, except suspended ones. */
async function readTroubles({ members }: Fleet): Promise<string[]> {
  const present = members.filter(({ isAway }) => !isAway);
  const troubles = await Promise.all(present.map((member) => member.readTrouble()));
  return troubles.filter((trouble) => trouble !== undefined);
}

async function areReady(fleet: Fleet, seconds: number): Promise<boolean> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(lookEveryMs)) {
    if ((await readTroubles(fleet)).length === 0) return true;
  }
  return false;
}

function watchReadiness(fleet: Fleet): { stop(): Promise<string[]> } {
  const said = new Set<string>();
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(500)) {
      for (const trouble of await readTroubles(fleet)) said.add(trouble);
    }
  })();
  return {
    async stop() {
      over.abort();
      await watching;
      return [...said];
    },
  };
}
