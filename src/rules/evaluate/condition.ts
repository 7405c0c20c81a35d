import type { z } from "zod";
import type { Facts, FactSource, Need } from "../facts/fact.ts";
import type { RuleLists } from "../language/rule-list.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";

/** What a condition can say. `unknown` is never guessed away. */
export type Truth = boolean | "unknown";

/** What a leaf found. */
export interface Reading {
  truth: Truth;
  /** What it read, for people. */
  value: string | number | boolean | null;
  /** Why the truth is unknown. */
  why?: string;
  /** How a disguised text was read to find that: "accents left out". */
  readAs?: string;
  /** Where a value that is not part of the event came from, and when (UNIX milliseconds). */
  source?: string;
  at?: number;
}

/** A condition with its parameters. */
export interface Leaf {
  needs: readonly Need[];
  /** Cheap leaves are read first; reading a field costs 1. */
  cost: number;
  read(occurrence: Occurrence, facts: Facts): Reading;
  /** The sentence that says what is asked for. */
  sentence: string;
  /** What the event must have in it, one of it at least, for the leaf to be anything but false. */
  clues?: Clues;
  /** The lists of the file that it names. */
  lists?: readonly string[];
  /** Why it can never hold. */
  never?: string;
  /** What of it probably does not do what is meant, and how to write it. */
  hints?: readonly string[];
  /** For which numbers it holds, and which there are; where what it asks is a number. */
  range?: { of: string; from: number; to: number; least: number; most: number };
}

export interface Clues {
  /** Texts in its text or name: folded, or with borrowed letters read as Latin or as those of their word. */
  literals?: readonly string[];
  /** Domains that it links to, or what is below them. */
  domains?: readonly string[];
  /** Any link at all, as hostsOf or addressesOf find them. */
  links?: true;
  /** That it is a reply. */
  reply?: true;
}

/** A kind of condition. */
export interface ConditionKind {
  name: string;
  /** Events on which it can be asked. */
  events: readonly RuleEvent[];
  /** Where its facts come from. */
  sources?: readonly FactSource[];
  /** Its parameters, which may name lists of the file and hold conditions of their own, made into the leaf. */
  schema: (lists: RuleLists, conditions: z.ZodType<ConditionNode>) => z.ZodType<Leaf>;
}

export type ConditionNode =
  | { kind: "all" | "any"; parts: readonly ConditionNode[]; cheapestFirst: readonly ConditionNode[] }
  | { kind: "not"; part: ConditionNode }
  | { kind: "leaf"; name: string; leaf: Leaf };

/** How a condition came out, leaf by leaf: stored with a decision. */
export type EvaluatedNode =
  | { kind: "all" | "any" | "not"; truth: Truth; parts: EvaluatedNode[] }
  | ({ kind: "leaf"; name: string; sentence: string } & Reading);

/**
 * Reads leaves for one event with its facts, each once: rules ask the same ("the author is a member") again and again, and
 * those that fire are explained after.
 */
export type LeafReader = (leaf: Leaf) => Reading;

export function createLeafReader(occurrence: Occurrence, facts: Facts): LeafReader {
  const readings = new Map<Leaf, Reading>();
  return (leaf) => {
    const known = readings.get(leaf);
    if (known) return known;
    const reading = leaf.read(occurrence, facts);
    readings.set(leaf, reading);
    return reading;
  };
}

/** The truth alone: stops at the first part that settles it. */
export function truthOf(node: ConditionNode, read: LeafReader): Truth {
  if (node.kind === "leaf") return read(node.leaf).truth;
  if (node.kind === "not") return negate(truthOf(node.part, read));
  return combine(node.kind === "any", node.cheapestFirst, (part) => truthOf(part, read));
}

/** The truth with that of every part. */
export function explain(node: ConditionNode, read: LeafReader): EvaluatedNode {
  if (node.kind === "leaf") {
    const { name, leaf } = node;
    return { kind: "leaf", name, sentence: leaf.sentence, ...read(leaf) };
  }
  if (node.kind === "not") {
    const part = explain(node.part, read);
    return { kind: "not", truth: negate(part.truth), parts: [part] };
  }
  const parts = node.parts.map((part) => explain(part, read));
  return { kind: node.kind, truth: combine(node.kind === "any", parts, (part) => part.truth), parts };
}

/** The leaves of a condition, from left to right. */
export function leavesOf(node: ConditionNode): Extract<ConditionNode, { kind: "leaf" }>[] {
  if (node.kind === "leaf") return [node];
  return node.kind === "not" ? leavesOf(node.part) : node.parts.flatMap(leavesOf);
}

export function negate(truth: Truth): Truth {
  return truth === "unknown" ? truth : !truth;
}

/** Combines truths: `decisive` (false for all, true for any) beats unknown, unknown beats the rest. */
export function combine<T>(decisive: boolean, parts: readonly T[], truthOfPart: (part: T) => Truth): Truth {
  let truth: Truth = !decisive;
  for (const part of parts) {
    const found = truthOfPart(part);
    if (found === decisive) return decisive;
    if (found === "unknown") truth = "unknown";
  }
  return truth;
}

/** The reading of something that cannot be known. */
export function unknown(why: string, from?: { source?: string; at?: number }): Reading {
  return { truth: "unknown", value: null, why, ...from };
}
