import type { ConditionNode, Leaf } from "../evaluate/condition.ts";
import type { Fault } from "./explain-issue.ts";

type Range = NonNullable<Leaf["range"]>;

/** What a condition can be, whatever happens. */
interface Outlook {
  never: boolean;
  always: boolean;
}

const both = "both cannot be true of one event: use any in place of all, or correct one of them";

/**
 * Why a rule can never fire as it is written, or parts of it never count: each with its place, and how to write what is
 * probably meant. What is merely unlikely is not named.
 */
export function findNeverFiring(when: ConditionNode): Fault[] {
  const faults: Fault[] = [];
  const report = (path: PropertyKey[], message: string) => faults.push({ path, message, at: undefined });
  look(when, ["when"], report);
  return faults;
}

function look(
  node: ConditionNode,
  path: PropertyKey[],
  report: (path: PropertyKey[], message: string) => void,
): Outlook {
  if (node.kind === "leaf") {
    const { never, hints = [], range } = node.leaf;
    const place = [...path, node.name];
    for (const hint of hints) report(place, hint);
    const why = never ?? explainRange(range);
    if (why !== undefined) report(place, why);
    const always = range !== undefined && range.from <= range.least && range.to >= range.most;
    return { never: why !== undefined, always };
  }
  if (node.kind === "not") {
    const inner: [PropertyKey[], string][] = [];
    const { never, always } = look(node.part, [...path, "not"], (...one) => inner.push(one));
    // That a part of it never holds makes the whole hold always, which may be meant; hints are worth saying all the same.
    if (!never) for (const one of inner) report(...one);
    if (always) report([...path, "not"], "never holds: what stands under not is true of every event");
    return { never: always, always: never };
  }
  const outlooks = node.parts.map((part, index) => look(part, [...path, node.kind, index], report));
  if (node.kind === "any") {
    return { never: outlooks.every(({ never }) => never), always: outlooks.some(({ always }) => always) };
  }
  const clash = findClash(node.parts);
  if (clash !== undefined) report([...path, "all", clash], both);
  return {
    never: clash !== undefined || outlooks.some(({ never }) => never),
    always: outlooks.length > 0 && outlooks.every(({ always }) => always),
  };
}

function explainRange(range: Range | undefined): string | undefined {
  if (!range || (range.from <= range.to && range.to >= range.least && range.from <= range.most))
    return undefined;
  const bounds =
    range.to < range.least || range.most === Infinity
      ? `never below ${range.least}`
      : `from ${range.least} to ${range.most}`;
  return `never holds: ${range.of} is ${bounds}`;
}

/** The place of a part that asks for what an earlier one rules out. */
function findClash(parts: readonly ConditionNode[]): number | undefined {
  const ranges = new Map<string, { from: number; to: number }>();
  const asked = new Map<string, boolean>();
  for (const { part, place } of parts.flatMap((one, at) => leavesOf(one, at))) {
    const leaf = leafOf(part);
    if (!leaf) continue;
    const isTrue = part.kind === "leaf";
    if ((asked.get(leaf.sentence) ?? isTrue) !== isTrue) return place;
    asked.set(leaf.sentence, isTrue);
    if (!isTrue || !leaf.range || explainRange(leaf.range) !== undefined) continue;
    const { of, from, to } = leaf.range;
    const known = ranges.get(of) ?? { from: -Infinity, to: Infinity };
    const met = { from: Math.max(known.from, from), to: Math.min(known.to, to) };
    if (met.from > met.to) return place;
    ranges.set(of, met);
  }
  return undefined;
}

/** What must be true for all of a part to be, however deep: each with the place of the part. */
function leavesOf(part: ConditionNode, place: number): { part: ConditionNode; place: number }[] {
  return part.kind === "all" ? part.parts.flatMap((one) => leavesOf(one, place)) : [{ part, place }];
}

/** A leaf, or that which stands under not. */
function leafOf(node: ConditionNode): Leaf | undefined {
  if (node.kind === "not") return node.part.kind === "leaf" ? node.part.leaf : undefined;
  return node.kind === "leaf" ? node.leaf : undefined;
}
