import type { BotContext } from "../bot-context.ts";
import { commands } from "../../commands/index.ts";
import { workers, type WorkerContext } from "../../workers/index.ts";
import type { NetworkClock } from "../client/network-clock.ts";
import type { Network } from "../contract/index.ts";
import type { Database } from "../database/database.ts";
import { connectDiscord } from "../discord/connect.ts";
import { createRooms, type RoomSettings } from "../discord/rooms.ts";
import type { AppError } from "../errors.ts";
import { queueFeedRows } from "../feed/queue-rows.ts";
import { claimEvents, recordClaims } from "../moderation/claim-events.ts";
import { createProposeRuleAction } from "../moderation/propose-case.ts";
import { createAppendEvents } from "../observe/append-events.ts";
import { openQueues } from "../queue/queues.ts";
import { startWorkers } from "../queue/start-workers.ts";
import { createRuleContext } from "../rules/context.ts";
import { storeFingerprints } from "../rules/conditions/duplicate.ts";
import { createRuleThreads } from "../rules/threads/rule-threads.ts";
import { queueEvaluations } from "../rules/pending/queue-evaluations.ts";
import { defaultSettings } from "../api/context.ts";
import { checkToken, checkWorkers } from "./health.ts";
import { openAll, type OpenedParts } from "./opened-parts.ts";
import type { Parts } from "./parts.ts";
import { createServerChanges } from "./server-changes.ts";

/** Where the bot half speaks: Discord, or the sandbox that stands in for it. */
export interface Chat {
  token: string;
  /** Base address of the REST API, without version. */
  api: string;
  /** Hears why the process cannot go on: Discord refuses it, or a worker has stopped for good. */
  onRefused: (error: AppError) => void;
  /** Ends the attempts to connect. */
  signal?: AbortSignal;
}

export interface BotHalf {
  context: WorkerContext;
  close(): Promise<void>;
}

export interface BotRoles {
  /** Answers commands over the gateway. */
  gateway: boolean;
  /** Runs the background jobs. */
  workers: boolean;
}

export interface BotParts extends Pick<Parts, "config" | "clock" | "clockWatch" | "log" | "health"> {
  /** The time of a network that is not in this process: then the bot goes by it, and not by the machine's. */
  networkClock?: NetworkClock | undefined;
}

/** Starts the bot half on a network and a chat; any number of processes may run its workers over one database. */
export function startBotHalf(
  parts: BotParts,
  database: Database,
  network: Network,
  chat: Chat,
  roles: BotRoles,
): Promise<BotHalf> {
  return openAll((opened) => openBotHalf(opened, parts, database, network, chat, roles));
}

async function openBotHalf(
  { keep, close }: OpenedParts,
  parts: BotParts,
  database: Database,
  network: Network,
  chat: Chat,
  roles: BotRoles,
): Promise<BotHalf> {
  const { clockWatch, networkClock, log, config, health } = parts;
  const clock = networkClock ?? parts.clock;
  const names = workers.map(({ name }) => name);
  const queues = keep(await openQueues(names, { database, log, redisUrl: config.REDIS_URL }));
  const context: BotContext = {
    database,
    clock,
    clockStatus: () => ({ machineAhead: networkClock?.machineAhead() ?? 0, jump: clockWatch.latest() }),
    log,
    network,
    botFid: config.BOT_FID,
    settings: {
      channelGuilds: config.CHANNEL_GUILDS,
      linkBase: config.LINK_BASE,
      hubShard: config.HUB_SHARD,
      hubRetention: defaultSettings.hubRetention,
      history: { seconds: config.HISTORY_DAYS * 86_400, events: config.HISTORY_EVENTS },
    },
    wake: (worker, key) => queues.wake(worker, key),
  };
  const discord = { ...chat, clockWatch };
  const work = createWorkerContext(context, discord);
  keep(work.ruleThreads);
  health.add("Discord's bot", checkToken(context), "readiness");
  if (roles.workers) {
    const { status } = keep(
      await startWorkers(queues, workers, work, { log, clock, onFatal: chat.onRefused }),
    );
    health.add("The workers", checkWorkers(status));
  }
  if (roles.gateway) {
    const settings = { ...discord, servers: createServerChanges(work) };
    const { downFor } = keep(await connectDiscord({ ...work, commands }, settings));
    health.add("Discord's gateway", () => describeAbsence(downFor()), "readiness");
  }
  return { context: work, close };
}

function describeAbsence(downFor: number): string | undefined {
  return downFor === 0 ? undefined : `is away for ${Math.ceil(downFor / 1000)} s`;
}

/** Who hears of events: first the cases that caused them, then rules and rooms. */
function createWorkerContext(context: BotContext, chat: RoomSettings): WorkerContext {
  const appendEvents = createAppendEvents(context, {
    claim: claimEvents,
    fanOut: [recordClaims, storeFingerprints, queueEvaluations, queueFeedRows],
  });
  const rules = createRuleContext(context, {
    appendEvents,
    ruleThreads: createRuleThreads(),
    propose: createProposeRuleAction(context.clock),
  });
  return { ...rules, rooms: createRooms(chat) };
}
