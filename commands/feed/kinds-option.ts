import { type Option, parsed } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { feedKinds, type FeedKind } from "../../src/feed/feed-kinds.ts";
import { inlineCode } from "../../src/text/message-text.ts";

/** Kinds of events, separated by commas, in the order in which they are offered; undefined when left out. */
export function kindsOption(description: string): Option<FeedKind[] | undefined> {
  return parsed({ description, maxLength: 200, suggest: suggestKinds }, readKinds);
}

function readKinds(typed: string): FeedKind[] {
  const words = typed
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const unknown = words.filter((word) => !isKind(word));
  if (unknown.length > 0 || words.length === 0) {
    const named = unknown.map((word) => inlineCode(word, 40)).join(", ");
    throw new AppError("invalid_input", `Unknown kind: ${named}. Choose from ${feedKinds.join(", ")}.`);
  }
  return feedKinds.filter((kind) => words.includes(kind));
}

function isKind(word: string): boolean {
  return feedKinds.some((kind) => kind === word);
}

async function suggestKinds(typed: string) {
  const parts = typed.split(",").map((part) => part.trim());
  const last = parts.pop() ?? "";
  const chosen = parts.filter(isKind);
  const prefix = chosen.map((kind) => `${kind},`).join("");
  return feedKinds
    .filter((kind) => kind.startsWith(last) && !chosen.includes(kind))
    .map((kind) => ({ name: prefix + kind, value: prefix + kind }));
}
