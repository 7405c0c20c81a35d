import { conditionKinds } from "../conditions/index.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { channelRoles } from "./channel-roles.ts";
import { needOf, type Fact, type FactContext, type FactSource, type Need, type Parameters } from "./fact.ts";

const sources = new Map(
  [channelRoles.source, ...conditionKinds.flatMap((kind) => kind.sources ?? [])].map((source) => [
    source.name,
    source,
  ]),
);

/** A need as data: rules are evaluated in separate threads, and facts are loaded outside them. */
export interface NeedMessage {
  source: string;
  parameters: Parameters;
}

export function packNeed({ source, parameters }: Need): NeedMessage {
  return { source: source.name, parameters };
}

/** The need for a message. Throws for a source that no condition uses. */
export function readNeed({ source: name, parameters }: NeedMessage): Need {
  const source = sources.get(name);
  if (!source) throw new Error(`no condition uses the fact source "${name}"`);
  return needOf(source, ...parameters);
}

/** The facts needed about an event. */
export interface Question {
  occurrence: Occurrence;
  needs: readonly Need[];
}

/** Facts by the need's key. */
export type Known = Map<string, Fact<unknown>>;

/** Loads the facts that a batch of events needs; each source is read once for the whole batch. */
export async function addFacts(
  context: FactContext,
  questions: readonly Question[],
  known: readonly Known[],
): Promise<void> {
  for (const [source, wanted] of groupBySource(questions)) {
    const facts = await source.load(context, wanted);
    for (const [index, { position, key }] of wanted.entries()) {
      const fact = facts[index];
      if (fact) known[position]?.set(key, fact);
    }
  }
}

interface Wanted {
  position: number;
  key: string;
  parameters: Parameters;
  occurrence: Occurrence;
}

function groupBySource(questions: readonly Question[]): Map<FactSource, Wanted[]> {
  const groups = new Map<FactSource, Wanted[]>();
  for (const [position, { occurrence, needs }] of questions.entries()) {
    const distinct = new Map(needs.map((need) => [need.key, need]));
    for (const { key, source, parameters } of distinct.values()) {
      const group = groups.get(source) ?? [];
      groups.set(source, group);
      group.push({ position, key, parameters, occurrence });
    }
  }
  return groups;
}
