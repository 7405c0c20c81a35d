import { Facts, type Ask, type Fact, type FactContext, type FactSource } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

export interface Question {
  occurrence: Occurrence;
  asks: readonly Ask<unknown>[];
}

/** Answers by the key of what was asked. */
export type Known = Map<string, Fact<unknown>>;

/** What is asked about each of a batch of events, in order. */
export async function loadFacts(context: FactContext, questions: readonly Question[]): Promise<Facts[]> {
  const known = questions.map((): Known => new Map());
  await addFacts(context, questions, known);
  return known.map((facts) => new Facts(facts));
}

/** Adds to what is known of a batch of events what is asked about them; each source is asked once for the whole batch. */
export async function addFacts(
  context: FactContext,
  questions: readonly Question[],
  known: readonly Known[],
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

function groupBySource(questions: readonly Question[]): Map<FactSource, Wanted[]> {
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
