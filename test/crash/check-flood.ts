import { connectDirectory } from "../../src/database/connect.ts";
import type { Database } from "../../src/database/database.ts";
import type { CaseRow } from "../../src/moderation/cases/case.ts";
import { breakerMax, burstFrom, shortBan, strikesForLongBan, strikesForShortBan } from "./flood-rules.ts";
import type { Flooded } from "./flood.ts";
import { repeated, type Verdict } from "./verdict.ts";

interface Decision {
  rule_id: string;
  outcome: string;
  hash: string | null;
  fid: number | null;
}

/** Compares what was done with what the rules ask for; nothing else may have been. */
export async function checkFlood(flooded: Flooded): Promise<Verdict[]> {
  const database = await connectDirectory(flooded.database);
  try {
    const decisions = await readDecisions(database);
    const cases = await database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute();
    return [
      await checkNothingWaits(database, cases),
      checkWindows(flooded, decisions),
      checkCooldowns(flooded, decisions),
      await checkBreaker(database, flooded, decisions),
      await checkStrikes(database, flooded),
      checkBans(flooded, cases),
      checkEnds(flooded, cases),
    ];
  } finally {
    await database.close();
  }
}

function readDecisions({ query }: Database): Promise<Decision[]> {
  return query
    .selectFrom("castellan.rule_decisions as decision")
    .innerJoin("castellan.events as event", "event.id", "decision.event_id")
    .select(["decision.rule_id", "decision.outcome", "event.cast_hash as hash", "event.subject_fid as fid"])
    .orderBy("decision.event_id")
    .execute();
}

async function checkNothingWaits({ query }: Database, cases: readonly CaseRow[]): Promise<Verdict> {
  const waiting = await query.selectFrom("castellan.rule_evaluations").selectAll().execute();
  // That a ban was not lifted because a longer one came at the last moment is a failed case, as it should be.
  const open = cases.filter(
    ({ state, outcome }) => state === "requested" || (state === "failed" && outcome !== "banned_longer"),
  );
  return {
    title: "no event was put aside and no case left open",
    looked: cases.length,
    faults: [
      ...waiting.map(({ event_id, attempts, note }) => `event ${event_id}, ${attempts} attempts: ${note}`),
      ...open.map(({ number, kind, state, outcome }) => `#${number} ${kind} ${state}: ${outcome}`),
    ],
  };
}

/** The cast with which an author's window is full, and each after it. */
function checkWindows({ casts }: Flooded, decisions: readonly Decision[]): Verdict {
  const expected = [...casts.values()].flatMap((own) => own.slice(burstFrom - 1).map(({ hash }) => hash));
  return compare("a window forgets no cast and counts none twice", expected, actedOn(decisions, "burst"));
}

function checkCooldowns({ casts }: Flooded, decisions: readonly Decision[]): Verdict {
  const expected = [...casts.values()].map(([first]) => first?.hash ?? "");
  return compare("a cooldown runs on through a kill", expected, actedOn(decisions, "once"));
}

async function checkBreaker(
  { query }: Database,
  { casts, hidden }: Flooded,
  decisions: readonly Decision[],
): Promise<Verdict> {
  const scams = [...casts.values()].flat().filter(({ text }) => text.includes("airdrop"));
  const acted = actedOn(decisions, "scam");
  const held = await query.selectFrom("castellan.review_items").select("cast_hash").execute();
  const trips = await query
    .selectFrom("castellan.events")
    .select("id")
    .where("kind", "=", "rule.tripped")
    .execute();
  const dealtWith = [...acted, ...held.map(({ cast_hash }) => cast_hash ?? "")];
  const verdict = compare(
    "a breaker counts on: the rest waits for a person",
    scams.map(({ hash }) => hash),
    dealtWith,
  );
  const hides = compare("", acted, hidden);
  return {
    ...verdict,
    faults: [
      ...verdict.faults,
      ...hides.faults.map((fault) => `on the network: ${fault}`),
      ...(acted.length === breakerMax ? [] : [`it acted ${acted.length} times`]),
      ...(trips.length === 1 ? [] : [`it tripped ${trips.length} times`]),
    ],
  };
}

async function checkStrikes({ query }: Database, { casts }: Flooded): Promise<Verdict> {
  const strikes = await query.selectFrom("castellan.strikes").select(["fid", "points"]).execute();
  const faults = [...casts].flatMap(([fid, own]) => {
    const points = strikes
      .filter((strike) => strike.fid === fid)
      .reduce((sum, strike) => sum + strike.points, 0);
    return points === pointsOf(own) ? [] : [`${fid} has ${points} points instead of ${pointsOf(own)}`];
  });
  return { title: "every strike is given once", looked: strikes.length, faults };
}

/** One case each, whatever was killed between deciding and banning; who is banned already gets a later end. */
function checkBans({ casts, bans }: Flooded, cases: readonly CaseRow[]): Verdict {
  const made = cases.flatMap(({ kind, rule_id, target_fid }) =>
    kind === "ban" || kind === "change_expiry" ? [`${rule_id} ${target_fid}`] : [],
  );
  const expected = [...casts].flatMap(([fid, own]) => [
    ...(pointsOf(own) >= strikesForShortBan ? [`short-ban ${fid}`] : []),
    ...(pointsOf(own) >= strikesForLongBan ? [`long-ban ${fid}`] : []),
  ]);
  const verdict = compare("who earns a ban gets it once", expected, made);
  const anew = [...bans].filter(([fid, { bannedAt }]) => bannedAt.size > 1 && !cameLate(cases, fid));
  return { ...verdict, faults: [...verdict.faults, ...anew.map(([fid]) => `${fid} was banned anew`)] };
}

/** How much later than due a ban may end, in milliseconds: the worker looks every five seconds, on a machine however busy. */
const lateness = 120_000;

function checkEnds({ casts, bans, kills }: Flooded, cases: readonly CaseRow[]): Verdict {
  const shorts = cases.filter(({ kind, rule_id }) => kind === "ban" && rule_id === "short-ban");
  const faults = shorts.flatMap((ban) => {
    const fid = ban.target_fid ?? 0;
    const stays = pointsOf(casts.get(fid) ?? []) >= strikesForLongBan;
    const goneAt = bans.get(fid)?.goneAt;
    const due = ban.requested_at_ms + shortBan * 1000;
    if (ban.due_at_ms !== due) return [`the ban of ${fid} is due ${ban.due_at_ms} instead of ${due}`];
    if (cameLate(cases, fid)) return [];
    if (stays) return goneAt === undefined ? [] : [`${fid} is free in spite of a longer ban`];
    if (goneAt === undefined) return [`${fid} is still banned`];
    if (goneAt < due) return [`the ban of ${fid} was shortened by ${due - goneAt} ms`];
    return goneAt > due + lateness ? [`the ban of ${fid} ended ${goneAt - due} ms too late`] : [];
  });
  // As the network showed it: the bot may have been killed before it noted that.
  const amidst = shorts.filter(({ target_fid, due_at_ms }) => {
    const since = bans.get(target_fid ?? 0)?.seenAt ?? Infinity;
    return kills.some((kill) => kill >= since && kill < (due_at_ms ?? 0));
  });
  return {
    title: "a ban through which the bot was killed ends when it is due, unless a longer one holds",
    looked: amidst.length,
    faults: [
      ...faults,
      ...repeated(cases.filter(({ kind }) => kind === "unban").map(({ target_fid }) => `${target_fid}`)),
    ],
  };
}

/** On a slow machine the long ban may come when the short one is over: then it shows nothing. */
function cameLate(cases: readonly CaseRow[], fid: number): boolean {
  const [short, long] = ["short-ban", "long-ban"].map((rule) =>
    cases.find(({ kind, rule_id, target_fid }) => kind === "ban" && rule_id === rule && target_fid === fid),
  );
  return short !== undefined && long !== undefined && long.requested_at_ms >= (short.due_at_ms ?? 0);
}

function pointsOf(casts: readonly unknown[]): number {
  return Math.max(0, casts.length - burstFrom + 1);
}

function actedOn(decisions: readonly Decision[], rule: string): string[] {
  return decisions.flatMap(({ rule_id, outcome, hash }) =>
    rule_id === rule && outcome === "acted" ? [hash ?? ""] : [],
  );
}

function compare(title: string, expected: readonly string[], done: readonly string[]): Verdict {
  const faults = [
    ...expected.filter((item) => !done.includes(item)).map((item) => `lost: ${item}`),
    ...done.filter((item) => !expected.includes(item)).map((item) => `not asked for: ${item}`),
    ...repeated(done).map((item) => `twice: ${item}`),
  ];
  return { title, looked: done.length, faults };
}
