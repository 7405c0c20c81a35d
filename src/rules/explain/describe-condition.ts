import type { ConditionNode, Leaf } from "../evaluate/condition.ts";

/** Of longer choices the first are named, and how many more there are. */
const maxAlternatives = 3;

type Say = (leaf: Leaf) => string;

/** A condition in one sentence: 'the text contains "airdrop", unless the author is a member'. Empty for one that always holds. */
export function describeCondition(node: ConditionNode, say: Say = ({ sentence }) => sentence): string {
  if (node.kind === "leaf") return say(node.leaf);
  if (node.kind === "not") return `it is not so that ${within(node.part, say)}`;
  if (node.kind === "any") return describeAny(node.parts, say);
  const wanted = node.parts.filter(({ kind }) => kind !== "not");
  const unwanted = node.parts.flatMap((part) => (part.kind === "not" ? [part.part] : []));
  // "Unless" needs something that it is an exception to.
  if (wanted.length === 0) return node.parts.map((part) => describeCondition(part, say)).join(", and ");
  const exceptions =
    unwanted.length === 0 ? "" : `, unless ${unwanted.map((part) => within(part, say)).join(", or ")}`;
  return `${wanted.map((part) => (part.kind === "any" ? within(part, say) : describeCondition(part, say))).join(", and ")}${exceptions}`;
}

/** The same without patterns, which hardly anybody can read. */
export function describePlainly(node: ConditionNode): string {
  return describeCondition(node, ({ plain, sentence }) => plain ?? sentence);
}

function describeAny(parts: readonly ConditionNode[], say: Say): string {
  const sentences = listSentences(parts, say);
  const shown = sentences.length > maxAlternatives ? sentences.slice(0, maxAlternatives - 1) : sentences;
  const rest = sentences.length - shown.length;
  return `${shown.join(", or ")}${rest > 0 ? `, or one of ${rest} more` : ""}`;
}

/** "The text matches a pattern" said several times is "matches one of 19 patterns". */
function listSentences(parts: readonly ConditionNode[], say: Say): string[] {
  const sentences = parts.map((part) => within(part, say));
  return [...new Set(sentences)].map((sentence) => {
    const count = sentences.filter((other) => other === sentence).length;
    return count === 1 ? sentence : sentence.replace(/ a pattern$/, ` one of ${count} patterns`);
  });
}

/** As a part of a longer sentence, in which it must stay one. */
function within(node: ConditionNode, say: Say): string {
  const sentence = describeCondition(node, say);
  return node.kind === "leaf" || (node.kind !== "not" && isOne(node, say)) ? sentence : `(${sentence})`;
}

function isOne({ kind, parts }: Extract<ConditionNode, { parts: unknown }>, say: Say): boolean {
  return (kind === "any" ? listSentences(parts, say) : parts).length < 2;
}
