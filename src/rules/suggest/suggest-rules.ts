import type { RuleSet } from "../evaluate/rule-set.ts";
import { frozenFacts, type RehearsalContext } from "../rehearse/frozen-facts.ts";
import { readCastEvents, type Past } from "../rehearse/past-events.ts";
import { considerEvents } from "../threads/consider-events.ts";
import { findFreeId, findSame } from "../versions/same-rule.ts";
import type { CommonTrait } from "./common-traits.ts";
import { readRemoved, readRuleHits, readStayed } from "./evidence.ts";
import { conditionOf, nameTrait, type CastData, type Trait } from "./trait.ts";

/** A possible change of the rules, from recent actions of people. */
export type Suggestion = {
  /** Identifies it: a-z, 0-9 and -. */
  id: string;
  trait: Trait;
  /** How many casts support it, of how many. */
  covers: number;
  of: number;
} & (
  | { kind: "rule"; entry: Readonly<Record<string, unknown>> & { id: string } }
  | { kind: "exemption"; ruleId: string }
);

export interface SuggestPlan extends Past {
  /** The queue in RuleThreads. */
  queue: string;
  /** The active rules; undefined for none. */
  rules: RuleSet | undefined;
  /** The channels of a new rule, by id; null for all. */
  channels: readonly string[] | null;
}

/** The minimum number of casts for a new rule, and for an exemption. */
const least = { rule: 3, exemption: 2 } as const;
/** The maximum number of each. */
const most = { rules: 5, exemptions: 3 } as const;

/**
 * From casts that people hid or banned by hand and no active rule hits: the few traits that most have in common and no
 * visible cast has, each as a rule in shadow. From rule hits that were undone: a trait that none of the rule's other hits
 * has, as an exemption. Changes nothing.
 */
export async function suggestRules(context: RehearsalContext, plan: SuggestPlan): Promise<Suggestion[]> {
  return [...(await suggestNew(context, plan)), ...(await suggestExemptions(context, plan))];
}

async function suggestNew(context: RehearsalContext, plan: SuggestPlan): Promise<Suggestion[]> {
  const { query } = context.database;
  const removed = await readRemoved(query, plan);
  const hits = await findHits(context, plan, removed);
  // A rule that hits it is enough, even in shadow; rules may not act on exempt authors.
  const casts = removed.filter(({ hash }) => hits.get(hash)?.size === 0);
  if (casts.length < least.rule) return [];
  const traits = await context.ruleThreads.findTraits(plan.queue, {
    casts,
    others: await readStayed(query, plan),
    kinds: ["address", "phrase", "pattern"],
    least: least.rule,
    most: most.rules,
  });
  return nameEach(traits).flatMap(({ id, trait, casts: places }): Suggestion[] => {
    const banned = places.filter((place) => casts[place]?.banned === true).length;
    const entry = toEntry(trait, findFreeId(plan.rules, id), plan.channels, banned * 2 > places.length);
    if (findSame(plan.rules, entry)) return [];
    return [{ kind: "rule", id, trait, covers: places.length, of: casts.length, entry }];
  });
}

async function suggestExemptions(context: RehearsalContext, plan: SuggestPlan): Promise<Suggestion[]> {
  const acted = await readRuleHits(context.database.query, plan);
  const hits = await findHits(
    context,
    plan,
    acted.filter(({ undone }) => undone),
  );
  const suggestions: Suggestion[] = [];
  for (const { id: ruleId, mode } of plan.rules?.rules ?? []) {
    const own = acted.filter((hit) => hit.ruleId === ruleId);
    // The rule no longer hits these, because it was fixed for them.
    const undone = own.filter(({ undone: isUndone, hash }) => isUndone && hits.get(hash)?.has(ruleId));
    if (mode === "off" || undone.length < least.exemption) continue;
    const [found] = await context.ruleThreads.findTraits(plan.queue, {
      casts: undone,
      others: own.filter((hit) => !hit.undone),
      kinds: ["address", "phrase", "author"],
      least: least.exemption,
      most: 1,
    });
    if (!found) continue;
    const { trait, casts } = found;
    const counts = { covers: casts.length, of: undone.length };
    suggestions.push({ kind: "exemption", id: `exempt-${ruleId}`, ruleId, trait, ...counts });
    if (suggestions.length === most.exemptions) break;
  }
  return suggestions;
}

/**
 * For each of these casts, by hash, the ids of the rules that would hit it now. Empty for a cast from before the link;
 * casts of exempt authors are left out.
 */
async function findHits(
  context: RehearsalContext,
  { queue, rules, guildId, channelIds }: SuggestPlan,
  casts: readonly CastData[],
): Promise<Map<string, Set<string>>> {
  const hits = new Map(casts.map(({ hash }) => [hash, new Set<string>()]));
  const past = { guildId, channelIds, since: 0 };
  const occurrences = await readCastEvents(context.database.query, past, [...hits.keys()]);
  // The exemption is evaluated only if a rule fires, so one does.
  const exempt = rules?.exempt ?? ["owner", "moderators"];
  const anything = {
    id: "any",
    on: ["cast.created"],
    when: { "text.length": { gte: 0 } },
    then: [{ hide: {} }],
  };
  const probe = JSON.stringify({ version: 1, defaults: { exempt }, rules: [anything] });
  const ruleSets = [await context.ruleThreads.read(queue, probe), ...(rules ? [rules] : [])];
  const consider = { ...frozenFacts(context), ruleThreads: context.ruleThreads, botFid: context.botFid };
  const found = await considerEvents(consider, {
    queue,
    ruleSets,
    occurrences,
    tooSlow: ruleSets.map(() => new Set()),
  });
  for (const [index, { cast }] of occurrences.entries()) {
    const [probed, evaluation] = found[index] ?? [];
    const hit = cast && hits.get(cast.hash);
    if (!hit || !probed) continue;
    if (!probed.asked) hits.delete(cast.hash);
    for (const { rule, truth } of evaluation?.asked ? evaluation.verdicts : []) {
      if (truth === true) hit.add(rule.id);
    }
  }
  return hits;
}

function toEntry(trait: Trait, id: string, channels: readonly string[] | null, bans: boolean) {
  const ban = { ban: { for: "7d", reason: "What others were banned for" } };
  return {
    id,
    mode: "shadow",
    ...(channels && { channels }),
    on: ["cast.created"],
    when: conditionOf(trait),
    then: [{ hide: {} }, ...(bans ? [ban] : [])],
    limits: { breaker: { max: 30, per: "1h", then: "review" } },
  };
}

/** The traits with their names, numbered if two are the same. */
function nameEach(traits: readonly CommonTrait[]): (CommonTrait & { id: string })[] {
  const names = traits.map(({ trait }) => nameTrait(trait));
  return traits.map((found, place) => {
    const name = names[place] ?? "";
    const earlier = names.slice(0, place).filter((one) => one === name).length;
    return { ...found, id: earlier === 0 ? name : `${name}-${earlier + 1}` };
  });
}
