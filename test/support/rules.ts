import type { Insertable } from "kysely";
import type { BotTables } from "../../src/database/tables/bot.ts";
import { AppError } from "../../src/errors.ts";
import type { ConditionNode } from "../../src/rules/evaluate/condition.ts";
import type { Occurrence } from "../../src/rules/evaluate/occurrence.ts";
import type { CompiledRules } from "../../src/rules/evaluate/rule-set.ts";
import { channelRoles } from "../../src/rules/facts/channel-roles.ts";
import { Facts, type Fact, type FactContext, type Need } from "../../src/rules/facts/fact.ts";
import { addFacts, type Known, type Question } from "../../src/rules/facts/load-facts.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { readText } from "../../src/rules/text/rule-text.ts";

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

type CastRow = Insertable<BotTables["castellan.casts"]>;

/** A cast as it stands in the index: one of `author` in /memes that begins a thread. */
export function castRow(hash: string, change: Partial<CastRow> = {}): CastRow {
  return {
    hash,
    channel_id: "memes",
    fid: author,
    text: "gm",
    parent_hash: null,
    root_hash: hash,
    thread_depth: 0,
    embeds: "[]",
    cast_at: 0,
    removed_at: null,
    ...change,
  };
}

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

/** A sample of every condition, with an event that it goes with. */
export const conditionSamples: { when: Record<string, unknown>; on: string }[] = [
  { when: { text: { starts_with: "gm" } }, on: "cast.created" },
  { when: { "text.length": { lt: 5 } }, on: "cast.removed" },
  { when: { "text.links": { gte: 3 } }, on: "record.unhidden" },
  { when: { "embed.pictures": { gte: 1 } }, on: "cast.created" },
  { when: { "mentions.count": { gt: 10 } }, on: "cast.created" },
  { when: { "embed.domain": { in: ["free-mint.example"] } }, on: "record.hidden" },
  { when: { "links.look_alike": true }, on: "cast.created" },
  { when: { "links.known_bad": true }, on: "cast.created" },
  { when: { is_reply: true }, on: "pin.changed" },
  { when: { "thread.depth": { between: [1, 3] } }, on: "cast.created" },
  { when: { "author.fid": { in: [7, 8] } }, on: "member.left" },
  { when: { "author.name": { confusable_with: ["members"] } }, on: "member.joined" },
  { when: { "author.is_member": false }, on: "user.restricted" },
  { when: { "author.is_moderator": true }, on: "user.banned" },
  { when: { "author.follows_channel": true }, on: "invite.created" },
  { when: { "author.restricted": false }, on: "follower.added" },
  { when: { "author.strikes": { gte: 5 } }, on: "strike.added" },
  { when: { "author.cases": { eq: 0 } }, on: "user.unbanned" },
  { when: { "author.name_age": { lt: "7d" } }, on: "cast.created" },
  { when: { "author.name_changes": { within: "30d", gte: 3 } }, on: "username_proof.merged" },
  { when: { "author.verification": { platform: "x" } }, on: "cast.created" },
  { when: { "author.in_starter_pack": { id: "artists" } }, on: "cast.created" },
  { when: { "author.reward_rank": { lte: 100 } }, on: "cast.created" },
  { when: { "author.has_primary_address": false }, on: "cast.created" },
  { when: { "author.blocked_by": { gte: 2 } }, on: "cast.created" },
  { when: { name: { ne: "alice" } }, on: "username_proof.merged" },
  { when: { rate: { of: "cast.created", by: "channel", within: "1m", gte: 30 } }, on: "cast.created" },
  { when: { duplicate: { of: "text", by: "author", within: "1h", gte: 3 } }, on: "cast.created" },
  { when: { same_address: { of: "domain", within: "10m", gte: 3 } }, on: "cast.created" },
  { when: { same_reply: { within: "1h", gte: 5 } }, on: "cast.created" },
  { when: { "author.casts": { eq: 1 } }, on: "cast.created" },
  { when: { "author.renamed": { within: "1d" } }, on: "member.joined" },
  { when: { history: { event: "member.left", by: "author", within: "30d", gte: 2 } }, on: "member.joined" },
  { when: { time: { between: ["22:00", "06:00"], zone: "Europe/Berlin" } }, on: "cast.created" },
];

/** What each of a batch of events needs, in order. */
export async function loadFacts(context: FactContext, questions: readonly Question[]): Promise<Facts[]> {
  const known = questions.map((): Known => new Map());
  await addFacts(context, questions, known);
  return known.map((facts) => new Facts(facts));
}
