import type { ConditionNode, Leaf } from "../evaluate/condition.ts";
import type { Fault } from "./explain-issue.ts";

type Range = NonNullable<Leaf["range"]>;

/** The possible results of a condition over all events. */
interface Outlook {
  never: boolean;
  always: boolean;
}

const both = "both cannot be true for one event: use any instead of all, or correct one of them";

/**
 * Why a rule can never fire as written, or why parts of it never matter: each with its place, and a suggested correction.
 * Merely unlikely conditions are not reported.
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
    // If the inner condition never holds, `not` always holds, which may be intended. Other findings are worth reporting.
    if (!never) for (const one of inner) report(...one);
    if (always) report([...path, "not"], "never holds: the condition under not is true for every event");
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

/** The index of a part that contradicts an earlier one. */
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

/** The parts that must all be true, at any depth: each with its place. */
function leavesOf(part: ConditionNode, place: number): { part: ConditionNode; place: number }[] {
  return part.kind === "all" ? part.parts.flatMap((one) => leavesOf(one, place)) : [{ part, place }];
}

/** A leaf, or the leaf under not. */
function leafOf(node: ConditionNode): Leaf | undefined {
  if (node.kind === "not") return node.part.kind === "leaf" ? node.part.leaf : undefined;
  return node.kind === "leaf" ? node.leaf : undefined;
}
