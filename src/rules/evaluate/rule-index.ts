import type { ConditionNode, Needs } from "./condition.ts";
import { domainsOf, withParents } from "../text/links.ts";
import { LiteralSearch } from "./literal-search.ts";
import type { Occurrence, RuleEvent } from "./occurrence.ts";
import type { CompiledRule, CompiledRules } from "./rule-set.ts";

/** The rules of one kind of event, by what an event must have in it for them to apply. */
interface Shelf {
  rules: readonly CompiledRule[];
  /** Rules that need nothing in particular, by their place. */
  always: readonly number[];
  literals: LiteralSearch<number>;
  domains: ReadonlyMap<string, readonly number[]>;
}

const shelves = new WeakMap<CompiledRules, Map<RuleEvent, Shelf>>();

/**
 * The rules that listen to an event's kind, in order, without those of which one look at the event shows that they do not
 * apply. It is only quicker: what it leaves out would have come out as false.
 */
export function findCandidates(ruleSet: CompiledRules, occurrence: Occurrence): readonly CompiledRule[] {
  const { rules, always, literals, domains } = shelfFor(ruleSet, occurrence.event.kind);
  const text = occurrence.text ?? occurrence.name;
  // What was not read may have anything in it.
  if (always.length === rules.length || !text || text.cut || (occurrence.text && !occurrence.cast))
    return rules;
  const places = new Set(always);
  const add = (place: number) => void places.add(place);
  literals.find(text.folded, add);
  if (text.latin !== text.folded) literals.find(text.latin, add);
  // As (?i) folds it: ſ is an s.
  if (text.raw !== text.plain) literals.find(text.raw.toLowerCase().replaceAll("ſ", "s"), add);
  if (domains.size > 0) {
    for (const domain of domainsOf(occurrence).flatMap(withParents)) domains.get(domain)?.forEach(add);
  }
  return [...places].toSorted((one, other) => one - other).flatMap((place) => rules[place] ?? []);
}

function shelfFor(ruleSet: CompiledRules, kind: RuleEvent): Shelf {
  const known = shelves.get(ruleSet) ?? new Map<RuleEvent, Shelf>();
  shelves.set(ruleSet, known);
  const shelf = known.get(kind) ?? makeShelf(ruleSet, kind);
  known.set(kind, shelf);
  return shelf;
}

function makeShelf(ruleSet: CompiledRules, kind: RuleEvent): Shelf {
  const rules = ruleSet.rules.filter(({ mode, on }) => mode !== "off" && on.includes(kind));
  const always: number[] = [];
  const literals: { literal: string; value: number }[] = [];
  const domains = new Map<string, number[]>();
  for (const [place, { when }] of rules.entries()) {
    const needs = needsOf(when);
    if (!needs) always.push(place);
    for (const literal of needs?.literals ?? []) literals.push({ literal, value: place });
    for (const domain of needs?.domains ?? []) domains.set(domain, [...(domains.get(domain) ?? []), place]);
  }
  return { rules, always, literals: new LiteralSearch(literals), domains };
}

/** What an event must have in it, one of it at least, for a condition to be anything but false. */
function needsOf(node: ConditionNode): Needs | undefined {
  if (node.kind === "not") return undefined;
  if (node.kind === "leaf") return node.leaf.needs;
  const needs = node.parts.map(needsOf);
  if (node.kind === "all") {
    return needs.filter((one) => one !== undefined).toSorted((one, other) => weigh(other) - weigh(one))[0];
  }
  const known = needs.filter((one) => one !== undefined);
  if (known.length < needs.length) return undefined;
  return {
    literals: known.flatMap(({ literals = [] }) => literals),
    domains: known.flatMap(({ domains = [] }) => domains),
  };
}

/** How much a need leaves out: long literals are rare, and so are domains. */
function weigh({ literals = [] }: Needs): number {
  return literals.reduce((least, { length }) => Math.min(least, length), 20);
}
