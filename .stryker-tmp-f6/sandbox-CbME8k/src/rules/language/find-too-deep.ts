// @ts-nocheck
import { Parser, type CST, type LineCounter } from "yaml";

/**
 * Where a text is nested deeper than `limit`; undefined where it nowhere is. Counts its lines on the way. Asked before the text is made into values:
 * that goes down as deep as the text does, and a stack that is nearly full is more than the engine always survives.
 */
export function findTooDeep(text: string, limit: number, lines: LineCounter): number | undefined {
  const open: { token: CST.Token; depth: number }[] = [];
  for (const token of new Parser(lines.addNewLine).parse(text)) open.push({ token, depth: 0 });
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > limit) return token.offset;
    if (token.type === "document" && token.value) open.push({ token: token.value, depth: depth + 1 });
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) open.push({ token: key, depth: depth + 1 });
      if (value) open.push({ token: value, depth: depth + 1 });
    }
  }
  return undefined;
}
