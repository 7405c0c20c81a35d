import { AppError } from "../../src/errors.ts";
import type { ConditionNode } from "../../src/rules/evaluate/condition.ts";
import { Facts, type Need, type Fact } from "../../src/rules/facts/fact.ts";
import { channelRoles } from "../../src/rules/facts/channel-roles.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import type { Occurrence } from "../../src/rules/evaluate/occurrence.ts";
import { readText } from "../../src/rules/text/rule-text.ts";
import type { CompiledRules } from "../../src/rules/evaluate/rule-set.ts";

export const author = 7;
const base = {
  sourceKey: "test:1",
  id: 1,
  channelId: "memes",
  subjectFid: author,
  occurredAt: 1_700_000_000,
  observedAt: 1_700_000_000_000,
  depth: 0,
  caseId: null,
};
const about = { guildId: "900", channelId: "memes", authorFid: author, causedByRule: null };
export const castHash = `0x${"a".repeat(40)}`;

export function castCreated(text: string, change: Partial<Occurrence> = {}): Occurrence {
  const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
  return {
    ...about,
    event: { ...base, kind: "cast.created", data },
    text: readText(text),
    cast: { hash: castHash, embeds: [], threadDepth: 0, mentions: 0 },
    name: null,
    ...change,
  };
}

export function nameTaken(name: string, change: Partial<Occurrence> = {}): Occurrence {
  const data = { name, owner: `0x${"b".repeat(40)}`, change: "registered" as const };
  const event = { ...base, channelId: null, kind: "username_proof.merged" as const, data };
  return { ...about, event, text: null, cast: null, name: readText(name), ...change };
}

export function recordHidden(change: Partial<Occurrence> = {}): Occurrence {
  return {
    ...about,
    event: { ...base, kind: "record.hidden", data: { castHash } },
    text: null,
    cast: null,
    name: null,
    ...change,
  };
}

const read = { source: "test", at: 1_700_000_000_000 };

export function known<T>(need: Need<T>, value: T): [string, Fact<T>] {
  return [need.key, { known: true, value, ...read }];
}

export function notKnown(need: Need, why: string): [string, Fact<unknown>] {
  return [need.key, { known: false, why, ...read }];
}

/** Facts of a channel owned by 1 and moderated by 2, besides those given. */
export function factsOf(...facts: [string, Fact<unknown>][]): Facts {
  return new Facts(new Map([known(channelRoles, { owner: 1, moderators: [2] }), ...facts]));
}

/** A rule as one writes it, in force and about casts unless said otherwise. */
export function rule(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "scam",
    mode: "enforce",
    on: ["cast.created"],
    when: { text: { contains: "airdrop" } },
    then: [{ hide: {} }],
    ...change,
  };
}

export function ruleFile(rules: unknown[], defaults: Record<string, unknown> = {}): string {
  return JSON.stringify({ version: 1, defaults, rules }, null, 2);
}

export function ruleSetOf(...rules: unknown[]): CompiledRules {
  return parseRules(ruleFile(rules));
}

/** The condition of a rule that listens to these events. */
export function conditionOf(when: unknown, ...on: string[]): ConditionNode {
  const [parsed] = ruleSetOf(rule({ when, on, then: [{ ban: {} }] })).rules;
  if (!parsed) throw new Error("no rule was read");
  return parsed.when;
}

/** "line 2, column 3: what is wrong", for each mistake. */
export function mistakesIn(text: string): string[] {
  try {
    parseRules(text);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_file") throw error;
    const { mistakes, message } = error;
    return mistakes.length === 0 ? [message] : mistakes.map(({ path, message }) => `${path}: ${message}`);
  }
}
