import type { CaseRow } from "../../src/moderation/cases/case.ts";
import type { Evidence } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";
import { casts, moderators, trolls } from "./town.ts";
import { differences, type Verdict } from "./verdict.ts";

/** Every case that a moderator was shown is there and says the truth about the network. */
export function checkCases(ledger: Ledger, evidence: Evidence, cases: readonly CaseRow[]): Verdict[] {
  const own = cases.filter(({ actor_kind }) => actor_kind !== "outside");
  const acts = new Set(
    moderators.flatMap((name) => [...trolls[name].map(String), ...casts[name].map(({ hash }) => hash)]),
  );
  return [
    {
      title: "every answered case is there as it was shown, or settled since",
      looked: ledger.cases.length,
      faults: ledger.cases.flatMap((shown) => compare(shown, own)),
    },
    {
      title: "no case is open or failed",
      looked: own.length,
      faults: own.flatMap((one) =>
        one.state === "requested" || one.state === "failed"
          ? [`${describe(one)}: ${one.outcome ?? one.waiting_reason}`]
          : [],
      ),
    },
    {
      title: "what only Castellan does is taken for nobody else's doing",
      looked: cases.length - own.length,
      faults: cases.flatMap((one) =>
        one.actor_kind === "outside" && acts.has(targetOf(one)) ? [describe(one)] : [],
      ),
    },
    checkBans(evidence, own),
    checkRecords(evidence, own),
    checkPins(evidence, own),
  ];
}

function compare(shown: Ledger["cases"][number], cases: readonly CaseRow[]): string[] {
  const found = cases.find(({ number }) => number === shown.number);
  if (!found) return [`#${shown.number} ${shown.kind} is not there`];
  const isAlike = found.kind === shown.kind && (shown.kind === "unpin" || targetOf(found) === shown.target);
  return isAlike ? [] : [`#${shown.number} was ${shown.kind} ${shown.target} and is ${describe(found)}`];
}

/** The last case about each user says whether they are banned. */
function checkBans({ banned }: Evidence, cases: readonly CaseRow[]): Verdict {
  const last = new Map(cases.flatMap((one) => (one.target_fid === null ? [] : [[one.target_fid, one]])));
  return {
    title: "whom the last case banned is banned, and nobody else",
    looked: last.size,
    faults: [...last].flatMap(([fid, one]) =>
      banned.has(fid) === (one.kind === "ban") ? [] : [`${describe(one)}, but banned: ${banned.has(fid)}`],
    ),
  };
}

/** A case that says it hid a cast made one record; one that says it was so already made none. */
function checkRecords({ records }: Evidence, cases: readonly CaseRow[]): Verdict {
  const own = moderators.flatMap((name) => casts[name].map(({ hash }) => hash));
  const done = cases.filter(
    ({ kind, outcome }) => (kind === "hide" || kind === "unhide") && outcome === "done",
  );
  return {
    title: "each case that says it hid or showed a cast did so once",
    looked: done.length,
    faults: own.flatMap((hash) =>
      differences(
        done.filter(({ target_cast }) => target_cast === hash).map(({ kind }) => kind),
        records.filter(({ castHash }) => castHash === hash).map(({ action }) => action),
      ).map((fault) => `${hash}: ${fault}`),
    ),
  };
}

/** What is pinned is what the cases say, and followers were notified once for each that says so. */
function checkPins({ pinned, announced }: Evidence, cases: readonly CaseRow[]): Verdict {
  const lane = cases.filter(({ kind }) => kind === "pin" || kind === "unpin");
  let expected: string | undefined;
  for (const { kind, target_cast: cast } of lane) {
    if (kind === "pin") expected = cast ?? undefined;
    else if (cast === null || cast === expected) expected = undefined;
  }
  const notified = lane.filter(({ kind, notify, outcome }) => kind === "pin" && notify && outcome === "done");
  return {
    title: "the last case says what is pinned, and each announcement was made once",
    looked: lane.length,
    faults: [
      ...(pinned === expected ? [] : [`${pinned} is pinned, the cases say ${expected}`]),
      ...differences(
        notified.map(({ target_cast }) => String(target_cast)),
        announced.toReversed(),
      ),
    ],
  };
}

function targetOf({ target_fid, target_cast }: CaseRow): string {
  return String(target_fid ?? target_cast ?? "");
}

function describe(one: CaseRow): string {
  return `#${one.number} ${one.kind} ${targetOf(one)} ${one.state}`;
}
