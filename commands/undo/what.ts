import { parsed, type Option } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { findCast, findUser, readHash, type FoundCast } from "../../src/moderation/find-target.ts";
import type { User } from "../../src/observe/people.ts";
import { findNumber, kindOfNumber, readNumber } from "../../src/text/numbered.ts";
import { suggestUndoable } from "../shared/suggest-numbers.ts";

/** What can be undone. */
export type What =
  | { kind: "case" | "bulk" | "review" | "strike" | "note"; number: number }
  | { kind: "cases"; numbers: number[] }
  | { kind: "rule"; ruleId: string }
  | { kind: "cast"; cast: FoundCast }
  /** Somebody who is banned. */
  | { kind: "person"; user: User };

export const whatOption: Option<What> = parsed(
  {
    description:
      "C-12 (or several: C-12 C-13), B-3, R-4, S-5, N-6, a banned person, a hidden cast, or rule:name",
    required: true,
    maxLength: 300,
    suggest: suggestUndoable,
  },
  readWhat,
);

/** A number without a letter is a case. A fid is written with the word. */
async function readWhat(typed: string, context: CommandContext): Promise<What> {
  const ruleId = /^rule[\s:]+(\S+)$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (ruleId !== undefined) return { kind: "rule", ruleId };
  const of = kindOfNumber(typed);
  // An event's number, read as a case's, gets an error that explains it.
  if (of === "event") return { kind: "case", number: readNumber("case", typed) };
  if (of !== undefined) return { kind: of, number: readNumber(of, typed) };
  const numbers = readCaseNumbers(typed);
  if (numbers.length > 1) return { kind: "cases", numbers };
  if (readHash(typed.trim()) !== undefined) return { kind: "cast", cast: await findCast(context, typed) };
  return { kind: "person", user: await findUser(context, typed) };
}

/** The numbers in "C-12 C-13" or "C-12 13"; none if it is anything else. */
function readCaseNumbers(typed: string): number[] {
  const words = typed.trim().split(/[\s,;]+/);
  const isCases = /^c/i.test(typed.trim()) && words.every((word) => findNumber("case", word) !== undefined);
  return isCases ? [...new Set(words.map((word) => readNumber("case", word)))] : [];
}
