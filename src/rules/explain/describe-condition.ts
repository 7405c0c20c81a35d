import type { ConditionNode } from "../evaluate/condition.ts";

/** Of longer choices the first are named, and how many more there are. */
const maxAlternatives = 3;

/** A condition in one sentence: 'the text contains "airdrop", unless the author is a member'. Empty for one that always holds. */
export function describeCondition(node: ConditionNode): string {
  if (node.kind === "leaf") return node.leaf.sentence;
  if (node.kind === "not") return `it is not so that ${within(node.part)}`;
  if (node.kind === "any") return describeAny(node.parts);
  const wanted = node.parts.filter(({ kind }) => kind !== "not");
  const unwanted = node.parts.flatMap((part) => (part.kind === "not" ? [part.part] : []));
  // "Unless" needs something that it is an exception to.
  if (wanted.length === 0) return node.parts.map(describeCondition).join(", and ");
  const exceptions = unwanted.length === 0 ? "" : `, unless ${unwanted.map(within).join(", or ")}`;
  return `${wanted.map((part) => (part.kind === "any" ? within(part) : describeCondition(part))).join(", and ")}${exceptions}`;
}

function describeAny(parts: readonly ConditionNode[]): string {
  const shown = parts.length > maxAlternatives ? parts.slice(0, maxAlternatives - 1) : parts;
  const rest = parts.length - shown.length;
  return `${shown.map(within).join(", or ")}${rest > 0 ? `, or one of ${rest} more` : ""}`;
}

/** As a part of a longer sentence, in which it must stay one. */
function within(node: ConditionNode): string {
  const sentence = describeCondition(node);
  const isOne = node.kind === "leaf" || (node.kind !== "not" && node.parts.length < 2);
  return isOne ? sentence : `(${sentence})`;
}
