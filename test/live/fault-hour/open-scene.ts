import { createBreakers } from "../../../src/client/breakers.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { Database } from "../../../src/database/database.ts";
import { AppError } from "../../../src/errors.ts";
import { addFeed } from "../../../src/feed/feeds.ts";
import { feedKinds } from "../../../src/feed/feed-kinds.ts";
import { createLog } from "../../../src/log.ts";
import { createCallBudget } from "../../../src/observe/live/call-budget.ts";
import { usualLimits } from "../../../src/observe/live/call-limits.ts";
import type { LiveContext } from "../../../src/observe/live/live-context.ts";
import { parseRules } from "../../../src/rules/language/parse-rules.ts";
import { saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { wireBot } from "../../../src/start/wire-bot.ts";
import type { WorkerContext } from "../../../workers/index.ts";
import { seed as appKey } from "../../client/far-client.ts";
import { createStrictRooms, type StrictRooms } from "../../support/discord.ts";
import { createObserver, guild, type Observer } from "../../support/observer.ts";
import { ruleFile } from "../../support/rules.ts";
import { botFid, ruleThreads, type TestClock } from "../../support/world.ts";
import { startLiveClient, type LiveClient } from "../live-client.ts";
import { misbehave, spoil, type Fault } from "../live-faults.ts";
import { LiveChain, startLiveNode, type LiveNode } from "../live-hub.ts";
import { serve, type Json } from "../live-server.ts";
import type { Random } from "./random.ts";
import { witnessesOf } from "../witnesses.ts";

export const linkedChannels = ["memes", "art"] as const;
export const room = "200000000000000001";

/** Casts with these words are hidden, or their author is banned for ten minutes. */
export const words = { hide: "airdrop", ban: "drainer" };
const rules = [
  {
    id: "hide",
    mode: "enforce",
    on: ["cast.created"],
    when: { text: { contains: words.hide } },
    then: [{ hide: {} }],
  },
  {
    id: "ban",
    mode: "enforce",
    on: ["cast.created"],
    when: { text: { contains: words.ban } },
    then: [{ ban: { for: "10m" } }],
  },
  // What makes the bot read followers.
  {
    id: "newcomers",
    mode: "enforce",
    on: ["follower.added"],
    when: { "author.fid": { gte: 1 } },
    then: [{ strike: { points: 1, ttl: "1h" } }],
  },
];

/** What goes wrong with the bot itself, from now on. */
export interface BotFaults {
  /** Of so many transactions one fails: at its end, so that nothing is committed, or just after its commit. */
  transactions: { one: number; committed: boolean } | undefined;
}

/** A whole bot but for its processes, on both doubles; its clock is the scene's own. */
export interface Scene {
  observer: Observer;
  clock: TestClock;
  chain: LiveChain;
  nodes: [LiveNode, LiveNode];
  client: LiveClient;
  registry: {
    fault: Fault | undefined;
    names: Map<string, number>;
    /** "name fid" of whoever holds or held one. */
    holders: Set<string>;
  };
  rooms: StrictRooms;
  botFaults: BotFaults;
  context: WorkerContext & LiveContext;
  /** What workers were told to look at, as "poll-listings memes". */
  woken: string[];
  /** Lines of the log that no operator should ever read. */
  bugs: string[];
  /** What happened, in order, for whoever looks for the cause of a failure. */
  trace: string[];
  note(line: string): void;
  /** UNIX milliseconds. */
  begun: number;
  /** At some time the client API showed things later than they were done. */
  showsLate: boolean;
  /** A new process: it remembers nothing. */
  restart(): void;
  close(): Promise<void>;
}

/** What an injected failure of the database says. */
export const databaseFault = "the database went away";

export async function openScene(random: Random): Promise<Scene> {
  const observer = await createObserver();
  const { clock } = observer.context;
  await observer.context.database.truncate();
  const chain = new LiveChain();
  const client = await startLiveClient(() => clock.now(), 20);
  for (const id of linkedChannels) {
    client.channels.add(id, 1);
    client.channels.setStanding(id, botFid, "moderator");
  }
  clock.advance(200);
  const begun = clock.now();
  const registry: Scene["registry"] = { fault: undefined, names: new Map(), holders: new Set() };
  const names = await startRegistry(registry);
  const scene: Scene = {
    observer,
    clock,
    chain,
    nodes: [await startLiveNode(chain, () => clock.now()), await startLiveNode(chain, () => clock.now())],
    client,
    registry,
    rooms: createStrictRooms(clock),
    botFaults: { transactions: undefined },
    // As `restart` makes it.
    context: undefined as unknown as Scene["context"],
    woken: [],
    bugs: [],
    trace: [],
    begun,
    showsLate: false,
    note(line) {
      scene.trace.push(`${String(Math.round((clock.now() - begun) / 1000)).padStart(5)} s  ${line}`);
    },
    restart: () => void (scene.context = createBot(scene, names.url, random)),
    async close() {
      await Promise.all([client.close(), names.close(), ...scene.nodes.map((node) => node.close())]);
      await observer.context.database.close();
    },
  };
  scene.restart();
  await linkAll(scene);
  return scene;
}

async function linkAll({ observer, context, clock }: Scene): Promise<void> {
  for (const channelId of linkedChannels) await observer.link(channelId);
  for (const channelId of linkedChannels) {
    await context.database.query
      .updateTable("castellan.links")
      .set({ channel_url: urlOf(channelId) })
      .where("channel_id", "=", channelId)
      .execute();
  }
  await addFeed(context, {
    guildId: guild,
    roomId: room,
    channelIds: null,
    kinds: [...feedKinds],
    namePattern: null,
    peopleOnly: false,
    createdBy: "1",
  });
  const save = { guildId: guild, ruleSet: parseRules(ruleFile(rules)), change: "import", savedBy: "1" };
  await context.database.transaction((tx) =>
    saveRules(tx, { ...save, savedAt: clock.now(), baseVersion: 0 }),
  );
}

function createBot(scene: Scene, registryUrl: string, random: Random): Scene["context"] {
  const { clock, client, nodes } = scene;
  const database = failing(scene.observer.context.database, scene.botFaults, random);
  const log = createLog("warn", {}, { write: (line: string) => readLog(scene, line) });
  const pause = async (milliseconds: number) => clock.advance(milliseconds / 1000);
  const budget = createCallBudget({ database, clock, limits: usualLimits, pause });
  const breakers = createBreakers({ clock, log, random: () => 1 });
  const openAs = (purpose: string | undefined) =>
    createClient({
      clientUrl: client.url,
      registryUrl,
      hubUrl: nodes.map(({ url }) => ({ address: url })),
      signer: { fid: botFid, privateKey: appKey },
      clock,
      log,
      timeouts: { attempt: patience, deadline: 0 },
      random: () => 0,
      breakers,
      budget,
      purpose,
    });
  const { observer } = scene;
  const bot = wireBot({
    ...observer.context,
    database,
    log,
    network: openAs(undefined),
    live: { background: openAs, budget, witnesses: witnessesOf() },
    settings: {
      ...observer.context.settings,
      channelGuilds: () => new Map(linkedChannels.map((id) => [id, new Set([guild])])),
      hubStalledAfter: 120,
      hubSeconds: 1,
      hubCallsForPast: 2,
    },
    wake: async (...told) => void scene.woken.push(told.join(" ")),
    rooms: scene.rooms,
    ruleThreads,
  });
  // wireBot hands on what it was given.
  return bot as Scene["context"];
}

/** Milliseconds of real time until an answer counts as none. */
export const patience = 500;

/** Keeps the log's lines for the trace; errors that nobody injected are bugs. */
function readLog(scene: Scene, line: string): void {
  const { level, msg, err, worker } = JSON.parse(line) as Record<string, unknown>; // as pino writes it
  const about = err as { message?: string; stack?: string } | undefined;
  scene.note(
    `log: ${worker === undefined ? "" : `${String(worker)}: `}${String(msg)}${about ? `: ${about.message}` : ""}`,
  );
  if (Number(level) >= 50 && about?.message !== databaseFault)
    scene.bugs.push(`${String(msg)} ${about?.stack ?? line}`);
}

/** A database that fails now and then, as one that goes away and comes back. */
function failing<T extends Database>(database: T, faults: BotFaults, random: Random): T {
  const transaction: Database["transaction"] = async (work) => {
    const fault = faults.transactions;
    const fails = fault !== undefined && random.chance(1 / fault.one);
    const fail = () => {
      throw new AppError("database_unavailable", databaseFault);
    };
    const result = await database.transaction(async (tx) => {
      const done = await work(tx);
      if (fails && !fault.committed) fail();
      return done;
    });
    if (fails) fail();
    return result;
  };
  return { ...database, transaction };
}

/** Who holds which name, and nothing else. */
function startRegistry(registry: Scene["registry"]) {
  return serve(async (request, response) => {
    const write = (status: number, json: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
    const { fault } = registry;
    if (await misbehave(fault, request, response, write)) return;
    const { searchParams } = new URL(request.url ?? "", "http://registry");
    const [name, fid] = [searchParams.get("name"), searchParams.get("fid")];
    const found = [...registry.names].findLast(([own, holder]) => own === name || String(holder) === fid);
    const json: Json = found
      ? { transfers: [transferOf(...found)] }
      : { error: "Could not resolve current name" };
    spoil(fault, { status: found ? 200 : 404, json }, { request, response, send: write });
  });
}

function transferOf(username: string, to: number): Json {
  return {
    id: 1,
    timestamp: 1,
    username,
    owner: `0x${"0".repeat(40)}`,
    from: 0,
    to,
    user_signature: `0x${"1".repeat(130)}`,
    server_signature: `0x${"2".repeat(130)}`,
  };
}

/** As the client API shows a channel's address. */
export function urlOf(channelId: string): string {
  return `https://farcaster.xyz/~/channel/${channelId}`;
}
