import type { z } from "zod";
import type { Facts, FactSource, Need } from "../facts/fact.ts";
import type { RuleLists } from "../language/rule-list.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";

/** A condition's result. `unknown` is never replaced by a guess. */
export type Truth = boolean | "unknown";

/** A leaf's result. */
export interface Reading {
  truth: Truth;
  /** The value it read, for people. */
  value: string | number | boolean | null;
  /** Why the truth is unknown. */
  why?: string;
  /** How a disguised text was read to find it: "accents left out". */
  readAs?: string;
  /** The source and time (UNIX milliseconds) of a value that is not part of the event. */
  source?: string;
  at?: number;
}

/** A condition with its parameters. */
export interface Leaf {
  needs: readonly Need[];
  /** Cheap leaves are read first; reading a field costs 1. */
  cost: number;
  read(occurrence: Occurrence, facts: Facts): Reading;
  /** The condition as a sentence. */
  sentence: string;
  /** The same for a list of rules, if the sentence is hard to read. */
  plain?: string;
  /** The event must contain one of these for the leaf to be anything but false. */
  clues?: Clues;
  /** The file's lists that it uses. */
  lists?: readonly string[];
  /** Why it can never hold. */
  never?: string;
  /** Parts that probably do not do what is meant, and how to write them. */
  hints?: readonly string[];
  /** For a leaf on a number: the numbers for which it holds, and the possible numbers. */
  range?: { of: string; from: number; to: number; least: number; most: number };
}

export interface Clues {
  /** Texts in the event's text or name: folded, or with borrowed letters read as Latin or as the word's own script. */
  literals?: readonly string[];
  /** Domains that the event links to, or their parent domains. */
  domains?: readonly string[];
  /** Any link at all, as hostsOf or addressesOf find them. */
  links?: true;
  /** That it is a reply. */
  reply?: true;
}

/** A kind of condition. */
export interface ConditionKind {
  name: string;
  /** Events that it applies to. */
  events: readonly RuleEvent[];
  /** The sources of its facts. */
  sources?: readonly FactSource[];
  /** Its parameters, which may name lists of the file and hold conditions of their own, made into the leaf. */
  schema: (lists: RuleLists, conditions: z.ZodType<ConditionNode>) => z.ZodType<Leaf>;
}

export type ConditionNode =
  | { kind: "all" | "any"; parts: readonly ConditionNode[]; cheapestFirst: readonly ConditionNode[] }
  | { kind: "not"; part: ConditionNode }
  | { kind: "leaf"; name: string; leaf: Leaf };

/** A condition's result, leaf by leaf: stored with a decision. */
export type EvaluatedNode =
  | { kind: "all" | "any" | "not"; truth: Truth; parts: EvaluatedNode[] }
  | ({ kind: "leaf"; name: string; sentence: string } & Reading);

/**
 * Reads leaves for one event with its facts, each once: rules often repeat a leaf ("the author is a member"), and those
 * that fire are explained afterwards.
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

/** The truth alone: stops at the first part that determines it. */
export function truthOf(node: ConditionNode, read: LeafReader): Truth {
  if (node.kind === "leaf") return read(node.leaf).truth;
  if (node.kind === "not") return negate(truthOf(node.part, read));
  return combine(node.kind === "any", node.cheapestFirst, (part) => truthOf(part, read));
}

/** The truth, with that of every part. */
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

/** The reading for an unknowable value. */
export function unknown(why: string, from?: { source?: string; at?: number }): Reading {
  return { truth: "unknown", value: null, why, ...from };
}
