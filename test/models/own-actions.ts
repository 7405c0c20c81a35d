import * as fc from "fast-check";
import { AppError } from "../../src/errors.ts";
import { changeOf } from "../../src/moderation/cases/change.ts";
import { isInForce } from "../../src/database/tables/case-states.ts";
import { toCase } from "../../src/moderation/cases/case.ts";
import { toEvent } from "../../src/observe/events.ts";
import { createWorld, type World } from "../support/world.ts";
import { beginReading, commitReading, tell } from "./own-actions-readings.ts";
import {
  act,
  byOthers,
  giveUp,
  goOn,
  openScene,
  stateOf,
  type Aspect,
  type CallFate,
  type Scene,
} from "./own-actions-world.ts";

export const aspects: readonly Aspect[] = ["ban", "invite", "pin", "record"];

const doing = fc.constantFrom("begin" as const, "end" as const, "other" as const);
const passing = fc.record({ do: fc.constant("pass" as const), seconds: fc.constantFrom(1, 11, 70, 400) });
const reading = fc.constantFrom(
  { do: "begin reading" as const, isStale: false },
  { do: "begin reading" as const, isStale: true },
  { do: "commit reading" as const },
  { do: "read" as const },
  { do: "tell" as const },
);
const others = fc.record({ do: fc.constant("others" as const), doing });
/** What happens beside our call. */
const beside = fc.array(fc.oneof(reading, others), { maxLength: 2 });
const acting = fc.record({
  do: fc.constant("act" as const),
  doing,
  fate: fc.oneof(
    { arbitrary: fc.constant("done" as const), weight: 5 },
    fc.constantFrom(
      "refused" as const,
      "not begun" as const,
      "lost before" as const,
      "lost after" as const,
      "dies before" as const,
      "dies after" as const,
    ),
  ),
  before: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, beside),
  after: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, beside),
});
const step = fc.oneof(
  { arbitrary: acting, weight: 5 },
  { arbitrary: others, weight: 3 },
  { arbitrary: reading, weight: 5 },
  { arbitrary: passing, weight: 3 },
  { arbitrary: fc.constant({ do: "go on" as const }), weight: 1 },
  { arbitrary: fc.constant({ do: "give up" as const }), weight: 1 },
);
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never;

/** What we and others do to one target, and how it comes to be known, in any order. */
export const interleaving = fc.record({
  from: fc.constantFrom(
    { by: "listings" as const, ahead: 0 },
    { by: "listings" as const, ahead: 90 },
    { by: "listings" as const, ahead: -7200 },
    { by: "events" as const, ahead: 0 },
    { by: "both" as const, ahead: 0 },
  ),
  steps: fc.array(step, { minLength: 3, maxLength: 9 }),
});
export type Interleaving = typeof interleaving extends fc.Arbitrary<infer Made> ? Made : never;

const failures = {
  refused: { when: "before", error: new AppError("not_permitted", "The account may not do this.") },
  "not begun": { when: "before", error: new AppError("network_unreachable", "Nobody listens.") },
  "lost before": {
    when: "before",
    error: new AppError("network_failed", "No answer.", { mayHaveHappened: true }),
  },
  "lost after": {
    when: "after",
    error: new AppError("network_failed", "No answer.", { mayHaveHappened: true }),
  },
} as const;

/** Lives through it and checks what is known in the end. Throws what is not so. */
export async function live(
  plain: World,
  aspect: Aspect,
  number: number,
  { from, steps }: Interleaving,
): Promise<void> {
  const scene = await openScene(plain, aspect, number, from);
  for (const each of steps) await take(scene, each);
  await settle(scene);
  const wrong = [...(await check(scene)), ...(await checkNews(scene))];
  if (wrong.length > 0) throw new Error([...wrong, ...(await describe(scene))].join("\n"));
}

async function take(scene: Scene, each: Step): Promise<void> {
  switch (each.do) {
    case "act":
      return act(scene, each.doing, toFate(scene, each));
    case "others":
      return byOthers(scene, each.doing);
    case "begin reading":
      if (scene.by === "events") return;
      return beginReading(scene, each.isStale);
    case "commit reading":
      return commitReading(scene);
    case "read":
      if (scene.by === "events") return;
      await commitReading(scene);
      return read(scene);
    case "tell":
      return tell(scene);
    case "pass":
      scene.bot.clock.advance(each.seconds);
      return;
    case "go on":
      if (!scene.isHeld) await goOn(scene);
      return;
    case "give up":
      return giveUp(scene);
  }
}

async function read(scene: Scene): Promise<void> {
  await beginReading(scene, false);
  await commitReading(scene);
}

function toFate(scene: Scene, { fate, before, after }: Extract<Step, { do: "act" }>): CallFate {
  const each = (steps: readonly Step[]) => async () => {
    for (const one of steps) {
      if (one.do !== "others" || scene.by !== "both") await take(scene, one);
    }
  };
  const beside = { before: each(before), after: each(after) };
  if (fate === "done") return beside;
  if (fate === "dies before") return { ...beside, dies: "before" };
  if (fate === "dies after") return { ...beside, dies: "after" };
  return { ...beside, ...failures[fate] };
}

/** Everything comes to its end, and is read often enough to be known. */
async function settle(scene: Scene): Promise<void> {
  const { clock } = scene.bot;
  await commitReading(scene);
  scene.isHeld = false;
  clock.advance(301);
  await goOn(scene);
  for (const seconds of [1, 11, 301, 61]) {
    await tell(scene);
    await read(scene);
    clock.advance(seconds);
    await goOn(scene);
  }
}

async function readRows({ bot, channelId }: Scene) {
  const cases = await bot.database.query
    .selectFrom("castellan.cases")
    .selectAll()
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .execute();
  const events = await bot.database.query
    .selectFrom("castellan.events")
    .selectAll()
    .where("channel_id", "=", channelId)
    .orderBy("id")
    .execute();
  const changes = events.map(toEvent).flatMap((event) => {
    const change = changeOf(event);
    return change ? [{ event, change }] : [];
  });
  return { cases: cases.map(toCase), changes };
}

async function check(scene: Scene): Promise<string[]> {
  const { aspect } = scene;
  const { cases, changes } = await readRows(scene);
  const wrong: string[] = [];
  const state = await stateOf(scene);
  for (const one of cases) {
    if (one.state === "requested") wrong.push(`C-${one.number} is open`);
    const own = changes.filter(({ event }) => event.caseId === one.id);
    if (own.length > 1) wrong.push(`case ${one.id} has ${own.length} events`);
    if (own.length === 1 && one.eventId !== own[0]?.event.id)
      wrong.push(`case ${one.id} does not name its event`);
    if (own.length > 0 && !scene.called.has(one.id)) wrong.push(`case ${one.id}, never called, has an event`);
  }
  for (const { event } of changes) {
    const outside = cases.filter(({ eventId, actorKind }) => eventId === event.id && actorKind === "outside");
    const expected = event.caseId === null ? 2 : 0;
    if (outside.length !== expected) wrong.push(`event ${event.id} has ${outside.length} cases from outside`);
  }
  wrong.push(...checkCount(scene, changes), ...checkInForce(aspect, state, cases));
  return wrong;
}

type Rows = Awaited<ReturnType<typeof readRows>>;

/** Of nothing that happened there are two events, and of nothing that did not there is one. */
function checkCount({ aspect, changes: real }: Scene, changes: Rows["changes"]): string[] {
  const told = changes.map(({ change }) => nameOf(aspect, change.kind, change.targetCast));
  const happened = real.map(({ state }) => state);
  // Records tell of each, in their order.
  if (aspect === "record" && told.join() !== happened.join())
    return [`told "${told.join()}" of "${happened.join()}"`];
  return [...new Set(told)].flatMap((name) => {
    // The network has no event for the end of an invite that somebody took back.
    if (aspect === "invite" && name === "") return [];
    const [times, truth] = [told, happened].map((names) => names.filter((one) => one === name).length);
    return (times ?? 0) > (truth ?? 0)
      ? [`"${name}" is told ${times} times and happened ${truth} times`]
      : [];
  });
}

function nameOf(aspect: Aspect, kind: string, cast: string | undefined): string {
  if (kind === "unban" || kind === "unhide" || kind === "unpin") return "";
  return aspect === "pin" ? (cast ?? "") : kind;
}

/** Cases in force are those of what stands. */
function checkInForce(aspect: Aspect, state: string, cases: Rows["cases"]): string[] {
  const kind = aspect === "record" ? "hide" : aspect;
  const held = new Set(
    cases
      .filter((one) => one.kind === kind && isInForce(one.state))
      .map(({ targetCast }) => nameOf(aspect, kind, targetCast ?? undefined)),
  );
  // Nobody hears that others took an invite back, or that it was declined: its case stays.
  if (aspect === "invite" && state === "") return [];
  const shown = [...held].join();
  return shown === state ? [] : [`the network shows "${state}", cases in force say "${shown}"`];
}

/** What others do once everything is known is news. */
async function checkNews(scene: Scene): Promise<string[]> {
  const before = (await readRows(scene)).changes.length;
  await byOthers(scene, (await stateOf(scene)) === "" ? "begin" : "end");
  await read(scene);
  await tell(scene);
  const fresh = (await readRows(scene)).changes.slice(before);
  const ended = scene.aspect === "invite" && (await stateOf(scene)) === "";
  const told = fresh.map(({ event }) => event.caseId);
  return told.length === (ended ? 0 : 1) && told.every((id) => id === null)
    ? []
    : [`the news of others has ${told.length} events, of cases ${told.join()}`];
}

async function describe(scene: Scene): Promise<string[]> {
  const { cases, changes } = await readRows(scene);
  return [
    ...scene.changes.map(({ state, by }) => `happened: "${state}" by ${by}`),
    ...cases.map(
      (one) => `case ${one.id} ${one.kind} ${one.state} ${one.outcome} ${one.actorKind} event ${one.eventId}`,
    ),
    ...changes.map(
      ({ event, change }) => `event ${event.id} ${change.kind} case ${event.caseId} ${event.sourceKey}`,
    ),
  ];
}

/** So many interleavings of an aspect, in a database of their own; how many there were. Throws the first that goes wrong, as it is. */
export async function interleaveAll(aspect: Aspect, numRuns: number, seed: number): Promise<number> {
  const bot = await createWorld();
  let number = 0;
  try {
    await fc.assert(
      fc.asyncProperty(interleaving, async (made) => {
        number += 1;
        await live(bot, aspect, number, made);
      }),
      // To make it shorter takes minutes.
      { numRuns, seed, endOnFailure: true },
    );
    return number;
  } finally {
    await bot.database.close();
  }
}
