import type { Clock, ClockJump } from "./clock.ts";
import type { Endpoint } from "./contract/endpoint.ts";
import type { Network } from "./contract/index.ts";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";
import type { AppendEvents } from "./observe/events.ts";
import type { LiveReading } from "./observe/live/call-budget.ts";

/** The shared dependencies of the bot half; created once by src/start. */
export interface BotContext {
  database: Database;
  /** The network's time, used for everything that is stored and compared. */
  clock: Clock;
  /** What the machine's own clock reads and how it jumped, for /status. */
  clockStatus(): ClockStatus;
  log: Log;
  /** The network as the bot's fid sees it: in this process, on another machine, or live. */
  network: Network;
  /** How to read a remote network, where each call counts; undefined if the network runs in this process. */
  live?: LiveReading | undefined;
  botFid: number;
  settings: BotSettings;
  /**
   * Wakes a worker early, for everything or for one `key`, such as a channel; or queues work on an id's rows. The rows
   * are the truth, so a lost wake-up loses nothing.
   */
  wake: Wake;
  /** Faults of the queue backend, as sentences, if it is not the database; for /status. */
  queueFaults?(this: void): Promise<string[]>;
  /**
   * Whether the network may have changed, other than through these endpoints, since this worker last called this.
   * Always true for a network that does not run in this process alone.
   */
  networkChanged(this: void, worker: WorkerName, besides?: readonly Endpoint[]): boolean;
  /** The hub shards to follow; one undefined entry means all shards of a hub that names none. */
  hubShards(this: void): Promise<readonly (number | undefined)[]>;
  appendEvents: AppendEvents;
  /** Whether a user has rights in their server according to stored data, without calling the network. */
  hasKnownRights(this: void, actor: Actor): Promise<boolean>;
}

/** Wakes a worker. */
type Wake = (
  ...[worker, key]: [worker: PeriodicWorkerName, key?: string] | [worker: IdWorkerName, id: string]
) => Promise<void>;

/** The background tasks of the bot half, by queue name; workers/index.ts says what each does and how often. */
export type WorkerName = PeriodicWorkerName | IdWorkerName;

/** Workers that process one id's rows at a time: a room's, a server's, a channel's, a bulk action's or a webhook's. */
export type IdWorkerName = "deliver-feed" | "evaluate-rules" | "settle-cases" | "run-bulks" | "call-webhooks";

/** Workers that check at intervals whether there is work. */
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
  | "end-feeds";

export interface ClockStatus {
  /** Milliseconds by which the machine's clock is ahead of the network's, to about a second; negative when behind. */
  machineAhead: number;
  /** The latest jump since this process began. */
  jump: ClockJump | undefined;
}

export interface BotSettings {
  /** Servers that the operator currently allows to link a channel without further proof: `channelId` to guild ids. */
  channelGuilds(this: void): ReadonlyMap<string, ReadonlySet<string>>;
  /** The console's address, once this process serves it. */
  consoleUrl?: string;
  /** Base address for making and reading cast and profile links. */
  linkBase: string;
  /** The hub shard to follow; undefined follows all shards that the hub names. */
  hubShard: number | undefined;
  /** Seconds between polls of a remote hub. */
  hubSeconds: number;
  /** Hub calls that one run may spend on events from before a link. */
  hubCallsForPast: number;
  /** Seconds without a new block after which a shard counts as stalled; absent if blocks come only with merged messages. */
  hubStalledAfter?: number | undefined;
  /** How long the hub stores events, in seconds; if the last good poll is older, there is a gap. */
  hubRetention: number;
  /** Lists of bad links, and how often they are polled. */
  linkLists: { named: readonly NamedLinkList[]; everySeconds: number };
  /** Hosts that webhooks may call: `WebhookHosts` in src/integrations. */
  webhookHosts: readonly string[];
  /** How much history is stored for rehearsals: seconds, and a maximum number of events. */
  history: { seconds: number; events: number };
}

/** A list of bad links, named by the operator. */
export interface NamedLinkList {
  name: string;
  url: string;
  /** Its entries are never bad, even if other lists contain them. */
  allows: boolean;
}

/** The permissions that posting in a room needs, and those missing there, by the names in Discord's settings. */
export interface RoomAccess {
  actorLacks: readonly string[];
  botLacks: readonly string[];
}

/** Who uses a command, and where, according to Discord's interaction. */
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
interface ActingToken {
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
