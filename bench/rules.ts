import { evaluate } from "../src/rules/evaluate.ts";
import { Facts, type Fact } from "../src/rules/fact.ts";
import { askChannelRoles } from "../src/rules/facts/channel-roles.ts";
import { askMembership } from "../src/rules/facts/membership.ts";
import { parseRules } from "../src/rules/language/parse-rules.ts";
import type { Occurrence } from "../src/rules/occurrence.ts";
import { readText } from "../src/rules/rule-text.ts";

/** Casts a second through evaluation on one core, facts in memory: `npm run bench:rules`. */

const seconds = 3;
const words =
  "gm the new drop is live claim your free airdrop today with friends onchain art frames builders".split(" ");

/** Rules of mixed kinds, one in ten of which can fit a cast at all. */
function makeRules(count: number): string {
  const kinds = [
    (index: number) => ({ text: { contains: `offer ${index}` } }),
    (index: number) => ({ text: { matches: `(?i)claim.{0,20}prize ${index}` } }),
    (index: number) => ({
      all: [{ text: { contains: `code ${index}` } }, { not: { "author.is_member": true } }],
    }),
    (index: number) => ({
      any: [{ text: { matches: `\\bwin ${index}\\b` } }, { text: { contains: `gift ${index}` } }],
    }),
  ];
  const rules = Array.from({ length: count }, (_, index) => ({
    id: `rule-${index}`,
    mode: "enforce",
    on: ["cast.created"],
    when:
      index % 10 === 9
        ? { text: { matches: "(?i)free.{0,5}airdrop" } }
        : kinds[index % kinds.length]?.(index),
    then: [{ hide: {} }],
  }));
  return JSON.stringify({ version: 1, rules });
}

function makeCast(index: number): Occurrence {
  const text = Array.from(
    { length: 20 },
    (_, word) => words[(index * 7 + word * (1 + (index % 5))) % words.length],
  ).join(" ");
  const castHash = `0x${index.toString(16).padStart(40, "0")}`;
  const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
  const kind = { sourceKey: castHash, kind: "cast.created" as const, channelId: "memes", subjectFid: index };
  const event = { ...kind, id: index, occurredAt: 0, observedAt: 0, depth: 0, caseId: null, data };
  const about = { guildId: "1", channelId: "memes", authorFid: 1000 + index, name: null, causedByRule: null };
  const cast = { hash: castHash, embeds: [], threadDepth: 0, mentions: 0 };
  return { ...about, event, text: readText(text), cast };
}

const read = { known: true as const, source: "memory", at: 0 };
const facts = new Facts(
  new Map<string, Fact<unknown>>([
    [askChannelRoles.key, { ...read, value: { owner: 1, moderators: [2] } }],
    [askMembership.key, { ...read, value: false }],
  ]),
);

for (const count of [10, 100]) {
  const ruleSet = parseRules(makeRules(count));
  let [casts, hits] = [0, 0];
  const started = performance.now();
  while (performance.now() - started < seconds * 1000) {
    // Reading the text is part of a cast's cost, so each is made anew.
    const evaluation = evaluate(ruleSet, makeCast(casts), facts, 99);
    if (evaluation.asked) hits += evaluation.verdicts.length;
    casts += 1;
  }
  const rate = Math.round((casts / (performance.now() - started)) * 1000);
  process.stdout.write(`${count} rules: ${rate} casts/s (${hits} hits in ${casts} casts)\n`);
}
