import { judge, write } from "./figures.ts";
import { evaluate } from "../src/rules/evaluate/evaluate.ts";
import { Facts, type Fact } from "../src/rules/facts/fact.ts";
import { channelRoles } from "../src/rules/facts/channel-roles.ts";
import { membership } from "../src/rules/conditions/author-in-channel.ts";
import { castsUpTo } from "../src/rules/conditions/author-casts.ts";
import { renamings } from "../src/rules/conditions/author-renamed.ts";
import { authorsOfAddress } from "../src/rules/conditions/same-address.ts";
import { peopleAnswered } from "../src/rules/conditions/same-reply.ts";
import { createPrefilter } from "../src/rules/evaluate/prefilter.ts";
import { parseRules } from "../src/rules/language/parse-rules.ts";
import type { Occurrence } from "../src/rules/evaluate/occurrence.ts";
import type { CompiledRules } from "../src/rules/evaluate/rule-set.ts";
import { readText } from "../src/rules/text/rule-text.ts";

/** Casts per second evaluated on one core, facts in memory, with and without the prefilter: `npm run bench:rules`. */

const seconds = 3;
const words =
  "gm the new drop is live claim your free airdrop today with friends onchain art frames builders".split(" ");

/** Rules about accounts' behaviour: one in twenty-five. */
const behaviour = [
  { all: [{ "author.casts": { eq: 1 } }, { "text.links": { gte: 1 } }] },
  { all: [{ same_address: { of: "address", within: "10m", gte: 3 } }, { "author.is_member": false }] },
  { all: [{ same_reply: { within: "1h", gte: 5 } }, { "text.length": { gte: 20 } }] },
  { all: [{ "author.renamed": { within: "1d" } }, { "text.links": { gte: 1 } }] },
];

/** Rules of mixed kinds, one in fifty of which matches many casts. */
function makeRules(first: number, count: number): string {
  const kinds = [
    (index: number) => ({ text: { contains: `offer ${index}` } }),
    (index: number) => ({ text: { matches: `(?i)claim.{0,20}prize ${index}` } }),
    (index: number) => ({
      all: [{ text: { contains: `code ${index}` } }, { not: { "author.is_member": true } }],
    }),
    (index: number) => ({
      any: [{ text: { matches: `\\bwin ${index}\\b` } }, { text: { contains: `gift ${index}` } }],
    }),
    (index: number) => ({ "embed.domain": { in: [`mint-${index}.example`, `drop-${index}.example`] } }),
    (index: number) => ({ all: [{ "embed.domain": { in_list: "scams" } }, { "author.fid": { gt: index } }] }),
    (index: number) => ({ text: { starts_with: `@bot ${index}` } }),
    (index: number) => ({ text: { in: [`gm ${index}`, `gn ${index}`] } }),
  ];
  const indexes = Array.from({ length: count }, (_, index) => first + index);
  const rules = indexes.map((index) => ({
    id: `rule-${index}`,
    mode: "enforce",
    on: ["cast.created"],
    when:
      index % 50 === 9
        ? { all: [{ text: { matches: "(?i)free.{0,5}airdrop" } }, { "author.is_member": false }] }
        : index % 25 === 3
          ? behaviour[((index - 3) / 25) % behaviour.length]
          : kinds[index % kinds.length]?.(index),
    then: [{ hide: {} }],
  }));
  const scams = Array.from({ length: 1000 }, (_, index) => `scam-${index}.example`);
  return JSON.stringify({ version: 1, lists: { scams: { type: "domain", values: scams } }, rules });
}

function makeCast(index: number): Occurrence & { raw: string } {
  const raw = Array.from(
    { length: 20 },
    (_, word) => words[(index * 7 + word * (1 + (index % 5))) % words.length],
  ).join(" ");
  const castHash = `0x${index.toString(16).padStart(40, "0")}`;
  const data = { castHash, text: raw, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
  const kind = { sourceKey: castHash, kind: "cast.created" as const, channelId: "memes", subjectFid: index };
  const event = { ...kind, id: index, occurredAt: 0, observedAt: 0, depth: 0, caseId: null, data };
  const about = { guildId: "1", channelId: "memes", authorFid: 1000 + index, name: null, causedByRule: null };
  const embeds = index % 4 === 0 ? [`https://site-${index % 500}.example/page`] : [];
  const cast = { hash: castHash, embeds, threadDepth: index % 2, mentions: 0 };
  return { ...about, event, raw, text: null, cast };
}

/** Created beforehand, because creating one takes longer than evaluating a hundred rules. */
const casts = Array.from({ length: 2000 }, (_, index) => makeCast(index));

const read = { known: true as const, source: "memory", at: 0 };
const facts = new Facts(
  new Map<string, Fact<unknown>>([
    [channelRoles.key, { ...read, value: { owner: 1, moderators: [2] } }],
    [membership.key, { ...read, value: false }],
    [castsUpTo.key, { ...read, value: 20 }],
    [renamings(86_400).key, { ...read, value: 0 }],
    [authorsOfAddress(600, "address").key, { ...read, value: 1 }],
    [peopleAnswered(3600).key, { ...read, value: 1 }],
  ]),
);

/** More rules than one file can have come from several. */
function makeRuleSet(count: number, prefiltered: boolean): CompiledRules {
  const most = 500;
  const files = Array.from({ length: Math.ceil(count / most) }, (_, file) =>
    parseRules(makeRules(file * most, Math.min(most, count - file * most))),
  );
  const rules = files.flatMap((file) => file.rules);
  const findCandidates = prefiltered ? createPrefilter(rules) : () => rules;
  return {
    source: "",
    exempt: ["owner", "moderators"],
    lists: new Map(),
    remarks: [],
    rules,
    findCandidates,
  };
}

/** Casts per second, over a few seconds. */
function measure(ruleSet: CompiledRules): number {
  let rounds = 0;
  const started = performance.now();
  while (performance.now() - started < seconds * 1000) {
    for (const cast of casts) {
      // Reading the text is part of a cast's cost.
      cast.text = readText(cast.raw);
      evaluate(ruleSet, cast, facts, 99);
    }
    rounds += 1;
  }
  return ((rounds * casts.length) / (performance.now() - started)) * 1000;
}

for (const count of [10, 50, 100, 500, 1000]) {
  const rate = measure(makeRuleSet(count, true));
  const bare = measure(makeRuleSet(count, false));
  write(`${count} rules: ${Math.round(rate)} casts/s, without the prefilter ${Math.round(bare)}`);
  judge(`${count} rules, with the prefilter to without`, rate / bare, { least: 1 });
}
