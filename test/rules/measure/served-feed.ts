import { once } from "node:events";
import { createServer } from "node:http";
import { boundTo } from "../../../src/listening.ts";
import { allNeeds, evaluate } from "../../../src/rules/evaluate/evaluate.ts";
import { Facts, type FactContext } from "../../../src/rules/facts/fact.ts";
import { TtlCache } from "../../../src/rules/facts/ttl-cache.ts";
import { refreshLists } from "../../../src/rules/links/refresh-lists.ts";
import { starterRules } from "../../../src/rules/starter/starter-rules.ts";
import { readSources, type Part } from "../../support/corpus.ts";
import { createRandom } from "../../support/random.ts";
import { castCreated, loadFacts, ruleSetOf } from "../../support/rules.ts";
import { createTestNetwork } from "../../support/world.ts";
import { expandLures } from "./lures.ts";
import type { Share } from "./score.ts";

/** What the starter rule about listed addresses hits, where an operator names a feed. */
export interface FeedScore {
  /** Casts that are an address of the feed, as people write it, or of what belongs to one. */
  addresses: Share;
  /** Lures that lead there. */
  lures: Share;
  /** Casts with an address that the feed does not have. */
  others: Share;
}

const counts = { addresses: 1000, lures: 300, others: 1000 };
/** What public lists of phishing sites are made of; none of it is anybody's. */
const words = "claim airdrop wallet connect rewards mint verify bridge stake portal drop bonus".split(" ");
const brands = "nightmarket gardenswap owlet tidewallet ambernft lanternbank".split(" ");
const ends = ["example", "test.example", "pages.example", "co.example"];

/** How people write an address: plain, with what comes before and after it, and broken. */
const ways: readonly ((host: string) => string)[] = [
  (host) => `https://${host}`,
  (host) => `http://www.${host}/claim?ref=7#now`,
  (host) => host,
  (host) => `HTTPS://${host.toUpperCase()}/`,
  (host) => `https://user:pass@${host}:8443/a/b`,
  (host) => `hxxps://${host.replaceAll(".", "[.]")}/start`,
  (host) => `https://login.app.${host}.`,
];

function makeHosts(prefix: string, count: number, random: () => number): string[] {
  const one = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const hosts = new Set<string>();
  while (hosts.size < count) {
    hosts.add(`${prefix}${one(words)}-${one(brands)}${Math.floor(random() * 10_000)}.${one(ends)}`);
  }
  return [...hosts];
}

/** Serves a wallet's list on this machine, reads it as the bot does, and asks the starter rule about casts of this part. */
export async function scoreFeed(part: Part, seed: number): Promise<FeedScore> {
  const random = createRandom(seed);
  const listed = makeHosts(part === "open" ? "a" : "b", counts.addresses, random);
  const unlisted = makeHosts("n", counts.others, random);
  const body = JSON.stringify({ version: 2, fuzzylist: ["fine.example"], whitelist: [], blacklist: listed });
  const server = createServer((_, response) => response.end(body)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { context, public: network, seed: world } = await createTestNetwork();
  try {
    await world.channel("memes");
    const named = [{ name: "wallets", url: `http://127.0.0.1:${boundTo(server).port}/`, allows: false }];
    await refreshLists({ ...context, settings: { linkLists: { named, everySeconds: 3600 } } });
    const facts = { ...context, network, cache: new TtlCache(context.clock) };
    const share = async (texts: readonly string[]) => ({
      of: texts.length,
      hit: await countHits(facts, texts),
    });
    return {
      addresses: await share(listed.map(write)),
      lures: await share(makeLures(part, seed, listed)),
      others: await share(unlisted.map(write)),
    };
  } finally {
    await context.database.close();
    server.closeAllConnections();
    server.close();
  }
}

const write = (host: string, index: number) => ways[index % ways.length]?.(host) ?? host;

/** Lures of this part that lead to one of the hosts each. */
function makeLures(part: Part, seed: number, hosts: readonly string[]): string[] {
  const link = /https?:\/\/\S+/;
  const all = [...readSources(part, "lures").values()].flatMap((templates) =>
    expandLures(templates, counts.lures, seed).filter((text) => link.test(text)),
  );
  // Of each kind of lure about as many.
  const every = Math.max(1, Math.floor(all.length / counts.lures));
  const chosen = all.filter((_, index) => index % every === 0).slice(0, counts.lures);
  return chosen.map((text, index) => text.replace(link, write(hosts[index] ?? "", index)));
}

async function countHits(context: FactContext, texts: readonly string[]): Promise<number> {
  const { entry } = starterRules.find(({ id }) => id === "known-bad-links") ?? {};
  const rules = ruleSetOf({ ...entry, mode: "enforce" });
  const occurrences = texts.map((text) => castCreated(text));
  const facts = await loadFacts(
    context,
    occurrences.map((occurrence) => ({ occurrence, needs: allNeeds(rules, occurrence) })),
  );
  const hits = occurrences.filter((occurrence, index) => {
    const evaluation = evaluate(rules, occurrence, facts[index] ?? new Facts(), 99);
    return evaluation.asked && evaluation.verdicts[0]?.truth === true;
  });
  return hits.length;
}
