import type { Reporter, TestCase } from "vitest/node";

/** A row of the interface's document, as a test of test/interface names it. */
export interface Row {
  /** The table or section that the row belongs to. */
  place: string;
  title: string;
  passed: boolean;
  problem: string | undefined;
}

/** Collects the rows that vitest runs. */
export function collectRows(rows: Row[]): Reporter {
  return {
    onTestCaseResult(test: TestCase) {
      const [place = "", ...rest] = test.fullName.split(" > ");
      const { state, errors } = test.result();
      if (state === "skipped") rows.push({ ...titled(place, rest), passed: false, problem: "was skipped" });
      else rows.push({ ...titled(place, rest), passed: state === "passed", problem: errors?.[0]?.message });
    },
  };
}

function titled(place: string, rest: readonly string[]): Pick<Row, "place" | "title"> {
  return rest.length === 0 ? { place: "Elsewhere", title: place } : { place, title: rest.join(" · ") };
}

/** The rows by place, as a table of text, then the count. */
export function renderRows(rows: readonly Row[]): string {
  const places = [...new Set(rows.map(({ place }) => place))].toSorted();
  const blocks = places.map((place) => {
    const here = rows.filter((row) => row.place === place);
    return [place, ...here.map(renderRow)].join("\n");
  });
  const failed = rows.filter(({ passed }) => !passed).length;
  return `${blocks.join("\n\n")}\n\n${rows.length - failed} passed, ${failed} failed\n`;
}

function renderRow({ title, passed, problem }: Row): string {
  const reason = passed ? "" : `\n          ${problem?.split("\n")[0] ?? "no reason was given"}`;
  return `  ${passed ? "ok    " : "FAILED"}  ${title}${reason}`;
}
