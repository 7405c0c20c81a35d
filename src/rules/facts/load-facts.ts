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

/** A need as data: rules are evaluated in threads of their own, and facts are loaded outside of them. */
export interface NeedMessage {
  source: string;
  parameters: Parameters;
}

export function packNeed({ source, parameters }: Need): NeedMessage {
  return { source: source.name, parameters };
}

/** The need that a message stands for. Throws for a source that no condition names. */
export function readNeed({ source: name, parameters }: NeedMessage): Need {
  const source = sources.get(name);
  if (!source) throw new Error(`no condition names the source of facts "${name}"`);
  return needOf(source, ...parameters);
}

/** What has to be known about an event. */
export interface Question {
  occurrence: Occurrence;
  needs: readonly Need[];
}

/** Facts by the key of the need. */
export type Known = Map<string, Fact<unknown>>;

/** Adds what a batch of events needs to what is known of each; each source is read once for the whole batch. */
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
