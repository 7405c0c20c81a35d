// @ts-nocheck
import type { z } from "zod";
import type { Ask, Facts } from "./fact.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";
import type { NeedsLists } from "../language/rule-list.ts";
import { combine, negate, type Truth } from "./truth.ts";

/** What a leaf found. */
export interface Reading {
  truth: Truth;
  /** What it looked at, for people. */
  value: string | number | boolean | null;
  /** Why the truth is unknown. */
  why?: string;
  /** Where a value that is not part of the event came from, and when (UNIX milliseconds). */
  source?: string;
  at?: number;
}

/** A condition with its parameters. */
export interface Leaf {
  asks: readonly Ask<unknown>[];
  /** Cheap leaves are looked at first; a look at a field is 1. */
  cost: number;
  read(occurrence: Occurrence, facts: Facts): Reading;
  /** The sentence that says what is asked for. */
  sentence: string;
  /** What the event must have in it, one of it at least, for the leaf to be anything but false. */
  needs?: Needs;
  /** The lists of the file that it names. */
  lists?: readonly string[];
}

export interface Needs {
  /** Texts in its text or name: in lower case, or read as Latin. */
  literals?: readonly string[];
  /** Domains that it links to, or what is below them. */
  domains?: readonly string[];
}

/** A kind of condition: one file each in conditions/. */
export interface ConditionKind {
  name: string;
  /** Events on which it can be asked. */
  events: readonly RuleEvent[];
  /** Its parameters, made into the leaf. */
  schema: z.ZodType<Leaf | NeedsLists<Leaf>>;
}

export type ConditionNode =
  | { kind: "all" | "any"; parts: readonly ConditionNode[]; cheapestFirst: readonly ConditionNode[] }
  | { kind: "not"; part: ConditionNode }
  | { kind: "leaf"; name: string; leaf: Leaf };

/** A condition as it came out, leaf by leaf: what a decision keeps. */
export type EvaluatedNode =
  | { kind: "all" | "any" | "not"; truth: Truth; parts: EvaluatedNode[] }
  | ({ kind: "leaf"; name: string; sentence: string } & Reading);

/** Only the outcome: stops at the first part that settles it. */
export function truthOf(node: ConditionNode, occurrence: Occurrence, facts: Facts): Truth {
  if (node.kind === "leaf") return node.leaf.read(occurrence, facts).truth;
  if (node.kind === "not") return negate(truthOf(node.part, occurrence, facts));
  return combine(node.kind === "any", node.cheapestFirst, (part) => truthOf(part, occurrence, facts));
}

/** The outcome with every part's own. */
export function explain(node: ConditionNode, occurrence: Occurrence, facts: Facts): EvaluatedNode {
  if (node.kind === "leaf") {
    const { name, leaf } = node;
    return { kind: "leaf", name, sentence: leaf.sentence, ...leaf.read(occurrence, facts) };
  }
  if (node.kind === "not") {
    const part = explain(node.part, occurrence, facts);
    return { kind: "not", truth: negate(part.truth), parts: [part] };
  }
  const parts = node.parts.map((part) => explain(part, occurrence, facts));
  return { kind: node.kind, truth: combine(node.kind === "any", parts, (part) => part.truth), parts };
}

/** The leaves of a condition, from left to right. */
export function leavesOf(node: ConditionNode): Extract<ConditionNode, { kind: "leaf" }>[] {
  if (node.kind === "leaf") return [node];
  return node.kind === "not" ? leavesOf(node.part) : node.parts.flatMap(leavesOf);
}

/** What a reading of something that cannot be known says. */
export function unknown(why: string, source?: { source: string; at: number }): Reading {
  return { truth: "unknown", value: null, why, ...source };
}
