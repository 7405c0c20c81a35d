import type { Reporter, TestCase } from "vitest/node";

/** A row of the interface's document, as a test of test/interface names it. */
export interface Row {
  /** The table or section that the row belongs to. */
  place: string;
  title: string;
  /** `unasked` is a row that only an embedded network can show: it needs hours to pass, or other settings. */
  state: "passed" | "failed" | "unasked";
  problem: string | undefined;
}

/** Collects the rows that vitest runs. */
export function collectRows(rows: Row[]): Reporter {
  return {
    onTestCaseResult(test: TestCase) {
      const [place = "", ...rest] = test.fullName.split(" > ");
      const { state, errors } = test.result();
      const named =
        rest.length === 0 ? { place: "Elsewhere", title: place } : { place, title: rest.join(" · ") };
      rows.push({ ...named, state: stateOf[state] ?? "failed", problem: errors?.[0]?.message });
    },
  };
}

const stateOf: Record<string, Row["state"]> = { passed: "passed", skipped: "unasked" };

const marks = { passed: "ok     ", failed: "FAILED ", unasked: "unasked" };

/** The rows by place, as a table of text, then the count. */
export function renderRows(rows: readonly Row[]): string {
  const places = [...new Set(rows.map(({ place }) => place))].toSorted();
  const blocks = places.map((place) => {
    const here = rows.filter((row) => row.place === place);
    return [place, ...here.map(renderRow)].join("\n");
  });
  const count = (state: Row["state"]) => rows.filter((row) => row.state === state).length;
  const unasked = count("unasked");
  const note =
    unasked > 0 ? `${unasked} not asked of a server: they need hours to pass, or other settings\n` : "";
  return `${blocks.join("\n\n")}\n\n${note}${count("passed")} passed, ${count("failed")} failed\n`;
}

function renderRow({ title, state, problem }: Row): string {
  const reason = state === "failed" ? `\n          ${problem?.split("\n")[0] ?? "no reason was given"}` : "";
  return `  ${marks[state]} ${title}${reason}`;
}
