import { readCorpus, readSources, type Labelled, type Part } from "../../support/corpus.ts";
import { createRandom } from "../../support/random.ts";
import { firedBy } from "../../support/starter-rules.ts";
import { expandLures } from "./lures.ts";
import { obfuscations } from "./obfuscations.ts";

/** How the starter rules do on a part of the corpus. */
export interface Score {
  innocent: number;
  /** Innocent texts that a rule hit. */
  falseAlarms: string[];
  bad: Share;
  /** Of the bad texts that are hit as they are, those that are hit disguised as well, by how they are disguised. */
  disguised: { name: string; share: Share; missed: string[] }[];
}

export interface Share {
  of: number;
  hit: number;
}

export const shareOf = ({ of, hit }: Share) => (of === 0 ? 1 : hit / of);

/** Of each kind of lure. */
const texts = 80;
const alone = { member: false, times: 1, rate: 1, embeds: [] };

/** A part of the corpus: what was written for it, texts of others, and lures that a seed makes of templates. */
export function gatherCasts(part: Part, seed: number): Labelled[] {
  const innocent = [...readSources(part, "innocent").values()].flat();
  const lures = [...readSources(part, "lures").values()].flatMap((templates) =>
    expandLures(templates, texts, seed),
  );
  return [
    ...readCorpus(part).casts,
    ...innocent.map((text) => ({ ...alone, text, bad: false })),
    ...lures.map((text) => ({ ...alone, text, bad: true })),
  ];
}

/** The same seed disguises texts in the same way. */
export function scoreOf(casts: readonly Labelled[], seed: number): Score {
  const bad = casts.filter((one) => one.bad);
  const innocent = casts.filter((one) => !one.bad);
  const caught = bad.filter(isHit);
  const byWords = caught.filter(({ times, rate }) => times === 1 && rate === 1);
  return {
    innocent: innocent.length,
    falseAlarms: innocent.filter(isHit).map(({ text }) => text),
    bad: { of: bad.length, hit: caught.length },
    disguised: obfuscations.map(({ name, apply }) => {
      const random = createRandom(seed);
      const texts = byWords
        .map((one) => ({ ...one, plain: one.text, text: apply(one.text, random) }))
        .filter(({ text, plain }) => text !== plain);
      const missed = texts.filter((one) => !isHit(one)).map(({ text }) => text);
      return { name, share: { of: texts.length, hit: texts.length - missed.length }, missed };
    }),
  };
}

const isHit = (one: Labelled) => firedBy("cast", one).length > 0;
