import { Facts, type FactContext } from "../../src/rules/facts/fact.ts";
import { addFacts, type Known, type Question } from "../../src/rules/facts/load-facts.ts";

/** What each of a batch of events needs, in order. */
export async function loadFacts(context: FactContext, questions: readonly Question[]): Promise<Facts[]> {
  const known = questions.map((): Known => new Map());
  await addFacts(context, questions, known);
  return known.map((facts) => new Facts(facts));
}
