import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCorpus, type Labelled } from "../../support/corpus.ts";
import { firedBy } from "../../support/starter-rules.ts";

interface Outcome extends Labelled {
  hit: boolean;
}

function judge(kind: "cast" | "name", labelled: readonly Labelled[]): Outcome[] {
  return labelled.map((one) => ({ ...one, hit: firedBy(kind, one).length > 0 }));
}

function score(outcomes: readonly Outcome[]): { precision: number; recall: number } {
  const count = (fits: (one: Outcome) => boolean) => outcomes.filter(fits).length;
  const right = count(({ hit, bad }) => hit && bad);
  return { precision: right / count(({ hit }) => hit), recall: right / count(({ bad }) => bad) };
}

function describeScore(what: string, outcomes: readonly Outcome[]): string {
  const { precision, recall } = score(outcomes);
  return `${what}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} of ${outcomes.length}`;
}

describe("the starter rules on the labelled corpus", () => {
  it("has enough of it, a third held back, in several scripts", () => {
    const [open, held] = [readCorpus("open"), readCorpus("held-back")];
    const count = ({ casts, names }: typeof open) => casts.length + names.length;
    expect(count(open) + count(held)).toBeGreaterThanOrEqual(400);
    expect(count(held) / (count(open) + count(held))).toBeGreaterThanOrEqual(1 / 3);
    const page = readFileSync(new URL("../../../docs/guide/rules.md", import.meta.url), "utf8");
    expect(page).toContain(`${count(open) + count(held)} casts and names`);
    const text = [...open.casts, ...held.casts].map((one) => one.text).join("");
    for (const script of ["Han", "Hangul", "Hiragana", "Cyrillic", "Devanagari", "Arabic", "Hebrew"]) {
      expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, "u"));
    }
  });

  it("sees the links that are only embedded", () => {
    const embedding = readCorpus("open").casts.filter(({ embeds }) => embeds.length > 0);
    expect(new Set(embedding.map(({ bad }) => bad))).toEqual(new Set([true, false]));
    for (const { text, bad, hit } of judge("cast", embedding)) expect([text, hit]).toEqual([text, bad]);
  });

  it.each(["open", "held-back"] as const)("hit what is bad and leave alone what is not: %s", (part) => {
    const corpus = readCorpus(part);
    const casts = judge("cast", corpus.casts);
    const names = judge("name", corpus.names);
    const all = [...casts, ...names];
    const figures = [
      describeScore(`${part}, casts`, casts),
      describeScore(`${part}, names`, names),
      describeScore(`${part}, together`, all),
    ];
    process.stdout.write(`${figures.join("\n")}\n`);
    const { precision, recall } = score(all);
    expect(precision).toBeGreaterThanOrEqual(0.98);
    expect(recall).toBeGreaterThanOrEqual(0.85);
  });
});
