// @ts-nocheck
import { Facts, type Ask, type Fact, type FactContext, type FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

export interface Question {
  occurrence: Occurrence;
  /** What is asked; or what still matters, given what is known. */
  asks: readonly Ask<unknown>[] | ((known: Facts) => readonly Ask<unknown>[]);
}

/**
 * What is asked about each of a batch of events, in order. What the store has comes first, then what the network is asked
 * for, as far as it still matters; each source is asked once for the whole batch.
 */
export async function loadFacts(context: FactContext, questions: readonly Question[]): Promise<Facts[]> {
  const known = questions.map(() => new Map<string, Fact<unknown>>());
  for (const far of [false, true]) {
    const wanted = questions.map(({ occurrence, asks }, index) => {
      const facts = known[index] ?? new Map();
      const open = typeof asks === "function" ? asks(new Facts(facts)) : asks;
      return {
        occurrence,
        asks: open.filter(({ key, source }) => (source.far ?? false) === far && !facts.has(key)),
      };
    });
    await load(context, wanted, known);
  }
  return known.map((facts) => new Facts(facts));
}

interface Open {
  occurrence: Occurrence;
  asks: readonly Ask<unknown>[];
}

async function load(
  context: FactContext,
  questions: readonly Open[],
  known: readonly Map<string, Fact<unknown>>[],
): Promise<void> {
  for (const [source, wanted] of groupBySource(questions)) {
    const facts = await source.load(context, wanted);
    for (const [index, { position, ask }] of wanted.entries()) {
      const fact = facts[index];
      if (fact) known[position]?.set(ask.key, fact);
    }
  }
}

interface Wanted {
  position: number;
  ask: Ask<unknown>;
  occurrence: Occurrence;
}

function groupBySource(questions: readonly Open[]): Map<FactSource, Wanted[]> {
  const groups = new Map<FactSource, Wanted[]>();
  for (const [position, { occurrence, asks }] of questions.entries()) {
    const distinct = new Map(asks.map((ask) => [ask.key, ask]));
    for (const ask of distinct.values()) {
      const group = groups.get(ask.source) ?? [];
      groups.set(ask.source, group);
      group.push({ position, ask, occurrence });
    }
  }
  return groups;
}
