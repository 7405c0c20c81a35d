import type { Clock, ClockJump } from "./clock.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import type { Network } from "./contract/index.ts";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";
import type { AppendEvents } from "./observe/events.ts";
import type { LiveReading } from "./observe/live/call-budget.ts";

/** What every part of the bot half works with; made once by src/start. */
export interface BotContext {
  database: Database;
  /** The network's time, by which everything is stored and compared. */
  clock: Clock;
  /** What the machine's own clock shows and did, for /status. */
  clockStatus(): ClockStatus;
  log: Log;
  /** The network as the bot's fid sees it: in this process, on another machine, or the live one. */
  network: Network;
  /** How a network that is elsewhere is read, where each call counts; undefined where it is in this process. */
  live?: LiveReading | undefined;
  botFid: number;
  settings: BotSettings;
  /**
   * Lets a worker run early, for everything or for what `key` names, such as a channel; or gives work to do on an id's rows. The
   * rows are the truth, so a lost wake-up loses nothing.
   */
  wake: Wake;
  /** What is wrong with what keeps the queues, in sentences, where that is not the database; for /status. */
  queueFaults?(this: void): Promise<string[]>;
  /**
   * Whether the network may have changed since the same worker asked last, otherwise than by these endpoints: always, of one
   * that is not in this process alone.
   */
  networkChanged(this: void, worker: WorkerName, besides?: readonly Endpoint[]): boolean;
  /** The shards of the hub that are followed; undefined stands for all of a hub that names none. */
  hubShards(this: void): Promise<readonly (number | undefined)[]>;
  appendEvents: AppendEvents;
  /** Whether somebody has rights in their server by what is known without asking the network. */
  hasKnownRights(this: void, actor: Actor): Promise<boolean>;
}

/** Lets a worker run soon. */
type Wake = (
  ...[worker, key]: [worker: PeriodicWorkerName, key?: string] | [worker: IdWorkerName, id: string]
) => Promise<void>;

/** The background tasks of the bot half, by the names of their queues; workers/index.ts says what each does and how often. */
export type WorkerName = PeriodicWorkerName | IdWorkerName;

/** Those that work on one id's rows at a time: a room's, a server's, a channel's, a bulk's. */
export type IdWorkerName = "deliver-feed" | "evaluate-rules" | "settle-cases" | "run-bulks";

/** Those that look at intervals whether there is something to do. */
export type PeriodicWorkerName =
  | "poll-hub"
  | "read-past"
  | "poll-records"
  | "poll-listings"
  | "poll-followers"
  | "refresh-link-lists"
  | "check-rules"
  | "check-key"
  | "fire-timers"
  | "resolve-echoes"
  | "end-timed"
  | "end-lockdowns"
  | "verify-links"
  | "check-proofs"
  | "become-moderator"
  | "remind-reviews"
  | "send-outbox"
  | "prune-limits"
  | "prune-history"
  | "erase-authors"
  | "end-feeds"
  | "find-foreign-messages";

export interface ClockStatus {
  /** Milliseconds by which the machine's clock is ahead of the network's, to about a second; negative when behind. */
  machineAhead: number;
  /** The latest jump since this process began. */
  jump: ClockJump | undefined;
}

export interface BotSettings {
  /** Servers that the operator allows to link a channel without further proof, as of now: `channelId` to guild ids. */
  channelGuilds(this: void): ReadonlyMap<string, ReadonlySet<string>>;
  /** Base address that cast and profile links are made with, and read from. */
  linkBase: string;
  /** Shard of the hub to follow, where it is not to be all that the hub names. */
  hubShard: number | undefined;
  /** How often a hub that is elsewhere is asked for news, in seconds. */
  hubSeconds: number;
  /** Calls to the hub that one run spends on what was before a link. */
  hubCallsForPast: number;
  /** Seconds without a new block after which a shard counts as stalled; absent where blocks come only with what is merged. */
  hubStalledAfter?: number | undefined;
  /** How long the hub keeps events, in seconds; an older last good poll is a gap. */
  hubRetention: number;
  /** Lists of bad links, and how often they are asked for news. */
  linkLists: { named: readonly NamedLinkList[]; everySeconds: number };
  /** How much of what happened is kept for rehearsals: for how many seconds, and at most how many events. */
  history: { seconds: number; events: number };
}

/** A list of bad links as the operator names it. */
export interface NamedLinkList {
  name: string;
  url: string;
  /** What it lists is not bad, whatever other lists say. */
  allows: boolean;
}

/** What posting in a room takes and is missing there: permissions by the names of Discord's settings. */
export interface RoomAccess {
  actorLacks: readonly string[];
  botLacks: readonly string[];
}

/** Who uses a command, and where; as Discord says in the interaction itself. */
export interface Actor {
  userId: string;
  guildId: string;
  roomId: string;
  roleIds: readonly string[];
  /** Has Discord's "Manage Server" permission. */
  managesServer: boolean;
  /** The API token that acts in this person's name. It limits what they may do. */
  token?: ActingToken | undefined;
}

/** An API token at work. */
export interface ActingToken {
  name: string;
  /** Of its owner's capabilities those that it may use. */
  capabilities: readonly string[];
  /** The stored request, of one that changes something. */
  requestId?: number | undefined;
}

/** In whose name something is done, for the case. */
export interface Doer {
  userId: string;
  fid?: number | undefined;
  token?: ActingToken | undefined;
}
