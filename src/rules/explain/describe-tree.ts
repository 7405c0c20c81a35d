import { describeTime, escapeText, inlineCode } from "../../text/message-text.ts";
import type { EvaluatedNode, Truth } from "../evaluate/condition.ts";

/** Discord indents lists no further; deeper parts are shown at this depth. */
const deepest = 5;

function nameCombination(kind: "all" | "any" | "not"): string {
  if (kind === "not") return "not this";
  return kind === "all" ? "all of these" : "at least one of these";
}

/** A truth value as a mark. */
export function markOf(truth: Truth): string {
  if (truth === "unknown") return "❔";
  return truth ? "✅" : "❌";
}

/**
 * An evaluated condition as a list with a line for each part, short enough for a phone. A leaf shows its condition, the
 * value found, the source, and the reason if it is unknown.
 */
export function describeTree(node: EvaluatedNode, depth = 0): string[] {
  const indent = `${"  ".repeat(Math.min(depth, deepest))}- `;
  if (node.kind === "leaf") return [`${indent}${markOf(node.truth)} ${describeLeaf(node)}`];
  const head = `${indent}${markOf(node.truth)} ${nameCombination(node.kind)}`;
  return [head, ...node.parts.flatMap((part) => describeTree(part, depth + 1))];
}

function describeLeaf({
  sentence,
  value,
  why,
  readAs,
  source,
  at,
}: Extract<EvaluatedNode, { kind: "leaf" }>): string {
  const found = why === undefined ? describeValue(value) : `not known: ${escapeText(why, 150)}`;
  // A value that is part of the event has no source.
  const origin = source === undefined ? "" : ` (${source}${at ? `, ${describeTime(at / 1000)}` : ""})`;
  const reading = readAs === undefined ? "" : `, read with ${readAs}`;
  return `${escapeText(sentence, 150)} → ${found}${reading}${origin}`;
}

function describeValue(value: string | number | boolean | null): string {
  if (value === null) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? `**${value}**` : inlineCode(value, 120);
}
