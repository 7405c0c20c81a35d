import { amount } from "../../src/text/amount.ts";
import { fitLinesOrCount } from "../../src/text/message-text.ts";

/** A part of /status. Whatever needs attention stands in bold there, and nothing else. */
interface Section {
  name: string;
  value: string;
}

/** Characters for what needs attention: the sections below need theirs. */
const maxSummary = 1000;

/** Whether nothing needs attention, which sections say in bold. */
export function isFine(sections: readonly Section[]): boolean {
  return findTroubles(sections).length === 0;
}

/** All well, or the lines that need attention, each with what to do. */
export function summarize(sections: readonly Section[]): string[] {
  const [only, ...others] = findTroubles(sections);
  if (only === undefined) return ["✅ All is well. Nothing needs your attention."];
  if (others.length === 0) return [`⚠️ Needs attention: ${only}`];
  const head = `⚠️ ${amount(others.length + 1, "thing")} need attention:`;
  return [
    head,
    fitLinesOrCount(
      [only, ...others].map((line) => `- ${line}`),
      maxSummary,
    ),
  ];
}

function findTroubles(sections: readonly Section[]): string[] {
  return sections.flatMap(({ name, value }) =>
    value.split("\n").flatMap((line) => (line.includes("**") ? [`${name} · ${line}`] : [])),
  );
}
