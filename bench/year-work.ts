import { sql } from "kysely";
import { pruneHubEvents } from "../src/api/operations/hub.ts";
import { contract } from "../src/contract/index.ts";
import { asAppError } from "../src/errors.ts";
import { silentLog } from "../src/log.ts";
import type { NewChannelEvent } from "../src/observe/events.ts";
import { parseRules } from "../src/rules/language/parse-rules.ts";
import { saveRules } from "../src/rules/versions/rules-of-server.ts";
import { conditionSamples, rule, ruleFile } from "../test/support/rules.ts";
import { working } from "../test/support/seed-rights.ts";
import { people, type World } from "../test/support/world.ts";
import { idWorkers, networkWorkers, workers } from "../workers/index.ts";
import { yearSeconds } from "./year-rows.ts";

/** Something that the program does, by name. */
export type Path = [name: string, run: () => Promise<unknown>];

/** The largest channel. */
export const channel = "memes";

/** What the program does without a person: calls of its network, what follows from events, and background work. */
export const listWork = (bot: World): Path[] => [...listCalls(bot), ...listEvents(bot), ...listWorkers(bot)];

/** Every listing of the network, and its lookups, as somebody without rights and as the owner. */
function listCalls(bot: World): Path[] {
  const input = {
    channelId: channel,
    fid: 1_000_005,
    castHash: `0x5${"64".padStart(39, "0")}`,
    hash: `0x5${"64".padStart(39, "0")}`,
    name: "user5",
    username: "user5",
    platform: "x",
    id: "artists",
    protocol: "ethereum",
    token: "t5",
    limit: 100,
    list: "top",
    fids: [7, 1_000_005],
    address: "0x5",
    event_type: "EVENT_TYPE_SIGNER",
    url: `https://castle.test/~/channel/${channel}`,
  };
  const callers = bot.net.as(people.owner) as unknown as Record<
    string,
    Record<string, (given: unknown) => Promise<unknown>>
  >;
  return Object.entries(contract).flatMap(([group, endpoints]) =>
    Object.entries(
      endpoints as Record<string, (typeof contract.channels)[keyof typeof contract.channels]>,
    ).flatMap(([name, { method, input: shape, paginated }]): Path[] => {
      if (method !== "GET") return [];
      const fields = Object.keys(shape.shape);
      const given = Object.fromEntries(Object.entries(input).filter(([field]) => fields.includes(field)));
      const call = (of: object) =>
        callers[group]?.[name]?.({ ...of, ...(paginated && { limit: 100 }) }) ?? Promise.resolve();
      // A lookup may need more than one of them.
      const attempt = (of: object) => call(of).catch((error: unknown) => ignoreMissing(error));
      const one = (field: string): Path[] =>
        field in given
          ? [[`network ${group}.${name} by ${field}`, () => attempt({ [field]: given[field] })]]
          : [];
      return [
        [`network ${group}.${name}`, () => call(given)],
        [`network ${group}.${name} of all`, () => attempt({})],
        ...fields.flatMap(one),
      ];
    }),
  );
}

function ignoreMissing(error: unknown): void {
  if (!asAppError(error)) throw error;
}

/** Casts and actions, with a rule for each condition. */
function listEvents(bot: World): Path[] {
  const now = Math.floor(bot.clock.now() / 1000);
  const event = (index: number) => ({
    sourceKey: `year:${index}`,
    channelId: channel,
    subjectFid: index % 2 === 0 ? 7 : 1_000_005,
    occurredAt: now,
    observedAt: now * 1000,
    depth: 0,
    caseId: null,
  });
  const hash = (index: number) => `0x4${String(index).padStart(39, "0")}`;
  const cast = (index: number): NewChannelEvent => ({
    ...event(index),
    kind: "cast.created",
    data: {
      castHash: hash(index),
      text: `gm look at https://site42.example/${index % 5}`,
      rootHash: hash(index),
      threadDepth: 0,
      mentions: [],
      embeds: [],
    },
  });
  const rules = conditionSamples.map(({ when, on }, index) =>
    rule({ id: `year-${index}`, mode: "shadow", on: [on], when, then: [{ alert: {} }] }),
  );
  return [
    ["rules with every condition", () => saveAll(bot, ruleFile(rules))],
    ["events", () => bot.happen(...Array.from({ length: 50 }, (_, index) => cast(index)))],
    [
      "other events",
      () =>
        bot.happen(
          { ...event(100), kind: "user.banned", data: { at: now } },
          { ...event(101), kind: "member.joined", data: { at: now } },
          { ...event(102), kind: "record.hidden", data: { castHash: hash(1) } },
          { ...event(103), kind: "pin.changed", data: { castHash: hash(1), previousHash: null } },
          {
            ...event(104),
            channelId: null,
            kind: "username_proof.merged",
            data: { name: "user5", owner: "0x", change: "transferred", previousFid: 7 },
          },
        ),
    ],
  ];
}

/** Longer than what somebody can type. */
async function saveAll({ database, clock }: World, source: string): Promise<void> {
  const { version } = await database.query
    .selectFrom("castellan.rule_sets")
    .select((row) => row.fn.max("version").as("version"))
    .where("guild_id", "=", working)
    .executeTakeFirstOrThrow();
  const change = { change: "import", savedBy: "1", savedAt: clock.now() };
  const rules = { guildId: working, ruleSet: parseRules(source), baseVersion: version, ...change };
  await database.transaction((tx) => saveRules(tx, rules));
}

/** All background work: first by id, and then each worker once, the channels' for one of them. */
function listWorkers(bot: World): Path[] {
  const job = (key?: string) => ({ key, attempt: 1, signal: new AbortController().signal, log: silentLog });
  const byChannel = new Set([
    "poll-records",
    "poll-listings",
    "poll-followers",
    "become-moderator",
    "verify-links",
  ]);
  return [
    ...idWorkers.flatMap((worker): Path[] => [
      [`${worker.name}: what is due`, () => worker.findDue(bot, 200).execute(bot.database.query)],
      [
        worker.name,
        async () => {
          const due = await worker.findDue(bot, 3).execute(bot.database.query);
          for (const { id } of due.rows) await worker.run(bot, id, job());
        },
      ],
    ]),
    ...workers.flatMap((worker): Path[] => [
      ...(worker.isDue
        ? [[`${worker.name}: is due`, () => worker.isDue?.(bot) ?? Promise.resolve()] as Path]
        : []),
      [worker.name, () => worker.run(bot, job(byChannel.has(worker.name) ? channel : undefined))],
    ]),
    ...networkWorkers.map((worker): Path => [worker.name, () => worker.run(bot.net.context, job())]),
    ["prune-network", () => pruneHubEvents(bot.net.context)],
    [
      "a month later",
      async () => {
        bot.clock.advance(86_400);
        await sql`analyze castellan.events`.execute(bot.database.query);
        const pruning = workers.find(({ name }) => name === "prune-history");
        // The history has one day too many.
        const history = { ...bot.settings.history, seconds: yearSeconds - 3600 };
        await pruning?.run({ ...bot, settings: { ...bot.settings, history } }, job());
      },
    ],
  ];
}
