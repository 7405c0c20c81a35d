import { commands, menuCommands } from "../../commands/index.ts";
import { idWorkers, workers } from "../../workers/index.ts";
import type { Api } from "../api/create-api.ts";
import type { BotContext, WorkerName } from "../bot-context.ts";
import type { NetworkClock } from "../client/network-clock.ts";
import type { Network } from "../contract/index.ts";
import { openBotProcesses } from "../discord/bot-processes.ts";
import { connectDiscord } from "../discord/connect.ts";
import { countRefusals, type Refusals } from "../discord/count-refusals.ts";
import { createMembers, type Members } from "../discord/members.ts";
import { createRooms } from "../discord/rooms.ts";
import { createDrawer } from "../drawing/drawer.ts";
import { describeRefusedCalls } from "../feed/refused-calls.ts";
import type { Rooms } from "../feed/rooms.ts";
import { readCalls, readQueues } from "../metrics/collectors.ts";
import type { LiveReading } from "../observe/live/call-budget.ts";
import { openQueues, type Queues } from "../queue/queues.ts";
import { startWorkers } from "../queue/start-workers.ts";
import { createRuleThreads } from "../rules/threads/rule-threads.ts";
import { readBotSettings } from "./bot-settings.ts";
import { checkBotKey, checkDatabase, checkToken, checkWorkers, createReadiness } from "./health.ts";
import type { Resources } from "./resources.ts";
import { createServerChanges } from "./server-changes.ts";
import type { StartContext } from "./start-context.ts";
import { wireBot, type BotHalf } from "./wire-bot.ts";

export interface BotHalfOptions extends Pick<
  StartContext,
  "config" | "clock" | "clockWatch" | "log" | "database" | "health" | "metrics" | "onFatal"
> {
  /** The network as the bot's fid sees it. */
  network: Network;
  /** Counts the network's writes, if only this process can write to it. */
  networkWrites?: Api["writes"] | undefined;
  /** The time of a network outside this process. The bot uses it instead of the machine's. */
  networkClock?: NetworkClock | undefined;
  /** Reads the network in the background, where each call counts. */
  live?: LiveReading | undefined;
  /** Discord, or the sandbox, which may still be opening. `api` is the REST API's base address, without version. */
  discord: DiscordPlace | Promise<DiscordPlace>;
  /** Whether this process answers commands over the gateway. */
  gateway: boolean;
  /** Whether this process runs the background jobs. */
  workers: boolean;
  /** Ends the attempts to connect. */
  signal?: AbortSignal;
}

interface DiscordPlace {
  token: string;
  api: string;
}

/** The bot half and, if this process has the gateway, its servers' members. */
type RunningBotHalf = BotHalf & { members?: Members; refusals: Refusals };

/** Starts the bot half on a network and a chat. Any number of processes can run its workers on one database. */
export async function startBotHalf(options: BotHalfOptions, resources: Resources): Promise<RunningBotHalf> {
  const { config, log, database, health, metrics, onFatal, clockWatch } = options;
  const allWorkers = [...workers, ...idWorkers];
  const names = allWorkers.map(({ name }) => name);
  const openAllQueues = async () => resources.use(await openQueues(names, { database, log, redis: config }));
  const [queues, place] = await Promise.all([openAllQueues(), options.discord]);
  const refusals = resources.use(
    countRefusals({ database, clock: options.networkClock ?? options.clock, log }),
  );
  const countRefused = () => refusals.count();
  const discord = { ...place, onRefused: onFatal, clockWatch, refusals };
  const stopping = options.signal && { signal: options.signal };
  const context = createContext(options, queues, createRooms(discord));
  metrics?.addCollector("queues", async () => readQueues(await queues.status()));
  metrics?.addCollector("discord", () => [["castellan_discord_refused_calls", countRefused()]]);
  const { live } = context;
  if (live) metrics?.addCollector("calls", () => readCalls({ ...context, live }));
  resources.use(context.ruleThreads);
  resources.use(context.drawer);
  health.add("Discord's bot", checkToken(context), "readiness");
  health.add("The bot's key", checkBotKey(context), "readiness");
  health.add("Discord:", () => describeRefusedCalls(countRefused()), "readiness");
  const runWorkers = async () => {
    const running = await startWorkers(queues, allWorkers, context, { log, clock: context.clock, onFatal });
    health.add("The workers", checkWorkers(resources.use(running).status, checkDatabase(database)));
  };
  const openGateway = async () => {
    const settings = { ...discord, servers: createServerChanges(context), ...stopping };
    // An embedded database has no second process that could answer instead.
    const processes = database.engine === "server" ? await openBotProcesses({ database, log }) : undefined;
    const isReady = processes && createReadiness(checkDatabase(database));
    const answering = { ...context, commands, menuCommands, processes, isReady };
    const connection = resources.use(await connectDiscord(answering, settings));
    if (processes) {
      health.describe = () => describeShare(processes.shards());
      metrics?.addCollector("gateway", () => [["castellan_gateway_shards", processes.shards().length]]);
    }
    health.add("Discord's gateway", () => describeAbsence(connection.downFor()), "readiness");
    return createMembers(connection.client, context);
  };
  // One waits for the database, the other for Discord. If one fails, the other is closed as soon as it opens.
  const [members] = await Promise.all([
    options.gateway ? openGateway() : undefined,
    options.workers && runWorkers(),
  ]);
  return { ...context, refusals, ...(members && { members }) };
}

function createContext(
  {
    config,
    clock: machine,
    clockWatch,
    networkClock,
    networkWrites,
    live,
    log,
    database,
    network,
  }: BotHalfOptions,
  queues: Queues<WorkerName>,
  rooms: Rooms,
): BotHalf {
  return wireBot({
    database,
    clock: networkClock ?? machine,
    clockStatus: () => ({ machineAhead: networkClock?.machineAhead() ?? 0, jump: clockWatch.latest() }),
    log,
    network,
    live,
    networkChanged: noteChanges(networkWrites),
    botFid: config.BOT_FID,
    settings: readBotSettings(config, log),
    wake: queues.wake,
    queueFaults: queues.faults,
    ruleThreads: createRuleThreads(),
    drawer: createDrawer(),
    rooms,
  });
}

/** Implements `BotContext.networkChanged` with the number of writes at each caller's last call. */
export function noteChanges(writes: Api["writes"] | undefined): BotContext["networkChanged"] {
  if (!writes) return () => true;
  const seen = new Map<string, number>();
  return (worker, besides) => {
    const now = writes(besides);
    const changed = seen.get(worker) !== now;
    seen.set(worker, now);
    return changed;
  };
}

function describeShare(shards: readonly number[]) {
  return { gateway: shards.length === 0 ? "standby" : "active", shards };
}

function describeAbsence(downFor: number): string | undefined {
  return downFor === 0 ? undefined : `has been unreachable for ${Math.ceil(downFor / 1000)} s`;
}
