// @ts-nocheck
import { z } from "zod";
import { unknown, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import type { Ask, Facts } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";

interface Declaration {
  name: string;
  events: ConditionKind["events"];
  /** Sentences: "the author is a member". */
  yes: string;
  no: string;
  asks?: readonly Ask<unknown>[];
  read: (occurrence: Occurrence, facts: Facts) => Flag | Reading;
}

export interface Flag {
  flag: boolean;
  source?: string;
  at?: number;
}

/** A condition that is asked for with true or false. */
export function flagCondition({ name, events, yes, no, ...asked }: Declaration): ConditionKind {
  const schema = z.boolean();
  return { name, events, schema: schema.transform((wanted) => askFlag(asked, wanted ? yes : no, wanted)) };
}

/** The leaf that wants a flag set, or not. */
export function askFlag(
  { asks = [], read }: Pick<Declaration, "asks" | "read">,
  sentence: string,
  wanted = true,
): Leaf {
  return {
    asks,
    cost: 1,
    sentence,
    read: (occurrence, facts) => {
      const found = read(occurrence, facts);
      if (!("flag" in found)) return found;
      const { flag, ...from } = found;
      return { ...from, truth: flag === wanted, value: flag };
    },
  };
}

/** A flag that a fact gives as it is. */
export function readFlag(ask: Ask<boolean>) {
  return (_occurrence: Occurrence, facts: Facts): Flag | Reading => {
    const fact = facts.read(ask);
    const { source, at } = fact;
    return fact.known ? { flag: fact.value, source, at } : unknown(fact.why, { source, at });
  };
}
