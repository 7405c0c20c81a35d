import { afterAll, beforeEach } from "vitest";
import type { ChannelEvent, NewChannelEvent } from "../../src/observe/events.ts";
import { createRuleContext, type RuleContext } from "../../src/rules/context.ts";
import { saveLockdown } from "../../src/rules/limits/lockdown.ts";
import { findRules, saveRules } from "../../src/rules/versions/rules-of-server.ts";
import type { SeedChannel } from "./seed.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { createWorld, linkGuild, type TestNetwork } from "./world.ts";
import { author, ruleFile } from "./rules.ts";

export const botFid = 99;
export const guild = "900";

/** The rules half on a real database and network, with moderation's own cases behind it. */
export interface RuleEngine {
  network: TestNetwork;
  /** Another one from each `begin` on: what workers remember goes with it. */
  context: RuleContext;
  /** Names of the workers that were woken. */
  woken: string[];
  /** Empties the database, forgets, and makes a linked /memes with these people. */
  begin(people: SeedChannel): Promise<void>;
  link(channelId: string, guildId?: string): Promise<void>;
  /** Puts rules in force. */
  save(...rules: unknown[]): Promise<number>;
  saveFile(source: string): Promise<number>;
  /** Starts a lockdown of /memes for an hour. */
  lockDown(): Promise<void>;
  append: (...events: NewChannelEvent[]) => Promise<ChannelEvent[]>;
  /** A new cast of `author` in /memes, now; changes must fit the kind. */
  cast(text: string, change?: Partial<NewChannelEvent>): NewChannelEvent;
  /** What waits to be evaluated, or was not and says why. */
  evaluations(): Promise<{ note: string | null }[]>;
  hits(): Promise<Record<string, unknown>[]>;
  decisions(): Promise<Record<string, unknown>[]>;
  cases(): Promise<Record<string, unknown>[]>;
}

export async function createRuleEngine(): Promise<RuleEngine> {
  const world = await createWorld(botFid);
  const { net: network, database, clock, woken } = world;
  let casts = 0;
  const engine: RuleEngine = {
    network,
    context: createRuleContext(world, world),
    woken,

    async begin(people) {
      await database.truncate();
      woken.length = 0;
      engine.context = createRuleContext(world, world);
      await network.seed.channel("memes", people);
      await engine.link("memes");
    },

    link: (channelId, guildId = guild) => linkGuild(world, channelId, guildId),

    save: (...rules) => engine.saveFile(ruleFile(rules)),

    async saveFile(source) {
      const baseVersion = (await findRules(engine.context, guild))?.version ?? 0;
      const ruleSet = parseRules(source);
      const save = {
        guildId: guild,
        ruleSet,
        change: "import",
        savedBy: "1",
        savedAt: clock.now(),
        baseVersion,
      };
      return database.transaction((tx) => saveRules(tx, save));
    },

    async lockDown() {
      const place = { guild_id: guild, channel_id: "memes", rule_id: "lockdown-memes" };
      const times = { begun_at_ms: clock.now(), until_ms: clock.now() + 3600_000 };
      const lockdown = { ...place, ...times, reason: null, begun_by: "1" };
      await database.transaction((tx) => saveLockdown(tx, lockdown));
    },

    append: world.happen,

    cast(text, change = {}) {
      casts += 1;
      const castHash = `0x${casts.toString(16).padStart(40, "0")}`;
      const now = clock.now();
      const data = { castHash, text, rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
      return {
        sourceKey: `cast:${castHash}`,
        kind: "cast.created",
        channelId: "memes",
        subjectFid: author,
        occurredAt: Math.floor(now / 1000),
        observedAt: now,
        depth: 0,
        caseId: null,
        data,
        ...change,
        // A change keeps the kind, or comes with data of its own.
      } as NewChannelEvent;
    },

    evaluations: () =>
      database.query
        .selectFrom("castellan.rule_evaluations")
        .selectAll()
        .orderBy("event_id")
        .orderBy("guild_id")
        .execute(),

    hits: () =>
      database.query
        .selectFrom("castellan.events")
        .selectAll()
        .where("kind", "=", "rule.hit")
        .orderBy("id")
        .execute(),

    decisions: () =>
      database.query.selectFrom("castellan.rule_decisions").selectAll().orderBy("id").execute(),

    cases: () => database.query.selectFrom("castellan.cases").selectAll().orderBy("id").execute(),
  };
  return engine;
}

/** The same for a whole test file: each test begins with /memes alone. */
export async function useRuleEngine(people: SeedChannel = { owner: 1 }): Promise<RuleEngine> {
  const engine = await createRuleEngine();
  afterAll(() => engine.network.context.database.close());
  beforeEach(() => engine.begin(people));
  return engine;
}
