import { unknown, type ConditionKind, type Leaf, type Reading } from "../evaluate/condition.ts";
import type { Ask, Facts } from "../evaluate/fact.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { cutText } from "../../text/cut-text.ts";
import type { RuleText } from "../text/rule-text.ts";
import { oneOf, type TextTest, type TextTestKind } from "../comparisons/text-test.ts";

/** Of a text that was looked at, in code points. */
const mostShown = 300;

interface Declaration {
  name: string;
  /** What it is called in a sentence: "the text". */
  called: string;
  events: ConditionKind["events"];
  tests: readonly TextTestKind[];
  asks?: readonly Ask<unknown>[];
  /** The texts, any of which may pass, or why they are not known; `source` and `at` where they are facts. */
  read: (occurrence: Occurrence, facts: Facts) => Texts | Reading;
  /** The texts are those that the prefilter looks at. */
  indexed?: boolean;
}

export interface Texts {
  texts: readonly RuleText[];
  source?: string;
  at?: number;
}

/** A condition that puts exactly one of several tests to a text. */
export function textCondition(declaration: Declaration): ConditionKind {
  const { name, events, tests } = declaration;
  return { name, events, schema: oneOf(tests, (test) => toLeaf(declaration, test)) };
}

function toLeaf({ called, asks = [], read, indexed }: Declaration, test: TextTest): Leaf {
  return {
    asks: [...asks, ...(test.asks ?? [])],
    cost: test.cost,
    sentence: `${called} ${test.sentence}`,
    ...(indexed && test.literals && { needs: { literals: test.literals } }),
    read: (occurrence, facts) => {
      const found = read(occurrence, facts);
      return "texts" in found ? judge(called, test, found, occurrence, facts) : found;
    },
  };
}

function judge(
  called: string,
  test: TextTest,
  { texts, ...from }: Texts,
  occurrence: Occurrence,
  facts: Facts,
): Reading {
  let why: string | undefined;
  for (const text of texts) {
    const held = test.holds(text, occurrence, facts);
    if (held === true) return { truth: true, value: cutText(text.raw, mostShown), ...from };
    if (held !== false) why ??= held.why;
    else if (text.cut) why ??= `${called} is long, and only its first part was read`;
  }
  if (why !== undefined) return unknown(why);
  const [first] = texts;
  return {
    truth: false,
    value: first ? cutText(texts.map((text) => text.raw).join(", "), mostShown) : null,
    ...from,
  };
}
