import type { Reporter, TestCase } from "vitest/node";
import type { Place } from "./places/place.ts";

/** A test of test/interface: what a place of interface.md means, or what is asked beyond it. */
export interface Row {
  group: string;
  title: string;
  /** `unasked` is a row that only an embedded network can show: it needs hours to pass, or other settings. */
  state: "passed" | "failed" | "unasked";
  problem: string | undefined;
}

/** Collects the rows that vitest runs. */
export function collectRows(rows: Row[]): Reporter {
  return {
    onTestCaseResult(test: TestCase) {
      const [group = "", ...rest] = test.fullName.split(" > ");
      const { state, errors } = test.result();
      const named =
        rest.length === 0 ? { group: "Elsewhere", title: group } : { group, title: rest.join(" · ") };
      rows.push({ ...named, state: stateOf[state] ?? "failed", problem: errors?.[0]?.message });
    },
  };
}

const stateOf: Record<string, Row["state"]> = { passed: "passed", skipped: "unasked" };

/** A place with the rows that show it; one without any is `bare`, and fails. */
export interface Shown extends Place {
  rows: Row[];
  state: Row["state"] | "bare";
}

export function showPlaces(places: readonly Place[], rows: readonly Row[]): Shown[] {
  return places.map((place) => {
    const own = rows.filter(({ group, title }) => place.shownBy.test(`${group} · ${title}`));
    return { ...place, rows: own, state: judge(own) };
  });
}

function judge(rows: readonly Row[]): Shown["state"] {
  if (rows.length === 0) return "bare";
  if (rows.some(({ state }) => state === "failed")) return "failed";
  return rows.every(({ state }) => state === "unasked") ? "unasked" : "passed";
}

const marks = { passed: "ok     ", failed: "FAILED ", unasked: "unasked", bare: "NO TEST" };

/** The rows by group, then the places of the document, then the counts. */
export function renderReport(rows: readonly Row[], shown: readonly Shown[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))].toSorted();
  const tests = groups.map((group) => {
    const here = rows.filter((row) => row.group === group);
    return [group, ...here.map(renderRow)].join("\n");
  });
  const sections = [...new Set(shown.map(({ section }) => section))];
  const table = sections.map((section) => {
    const here = shown.filter((place) => place.section === section);
    return [`interface.md, ${section}`, ...here.map(renderPlace)].join("\n");
  });
  return `${[...tests, ...table].join("\n\n")}\n\n${renderCounts(rows, shown)}`;
}

function renderCounts(rows: readonly Row[], shown: readonly Shown[]): string {
  const count = (state: Shown["state"], of: readonly { state: Shown["state"] }[]) =>
    of.filter((each) => each.state === state).length;
  const narrowed = shown.filter((place) => place.narrowed !== undefined).length;
  const unasked = count("unasked", rows);
  return [
    `${count("passed", shown)} of ${shown.length} places of the document hold, ${narrowed} of them narrowed on purpose`,
    ...(unasked > 0
      ? [`${unasked} rows not asked of a server: they need hours to pass, or other settings`]
      : []),
    `${count("passed", rows)} passed, ${count("failed", rows)} failed\n`,
  ].join("\n");
}

function renderRow({ title, state, problem }: Row): string {
  const reason = state === "failed" ? `\n          ${problem?.split("\n")[0] ?? "no reason was given"}` : "";
  return `  ${marks[state]} ${title}${reason}`;
}

function renderPlace({ says, rows, state, narrowed }: Shown): string {
  const tests = rows.length === 1 ? "1 row" : `${rows.length} rows`;
  return `  ${marks[state]} ${says} (${tests})${narrowed === undefined ? "" : `\n          narrowed: ${narrowed}`}`;
}
