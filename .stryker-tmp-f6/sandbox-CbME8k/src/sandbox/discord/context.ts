// @ts-nocheck
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Gateway } from "./gateway/gateway.ts";
import type { Interactions } from "./interactions/interactions.ts";
import type { Listeners } from "./listeners.ts";
import type { Faults } from "./rest/faults.ts";
import type { RateLimits } from "./rest/rate-limits.ts";
import type { Exchange, Violation } from "./rest/exchange.ts";
import type { Snowflakes } from "./snowflake.ts";
import type { RoomEvent } from "./room-event.ts";
import type { Change, World } from "./world/world.ts";

/** What every part of the stand-in works on. */
export interface Context {
  world: World;
  record: (change: Change) => void;
  nextId: Snowflakes;
  clock: Clock;
  log: Log;
  /** The bot's token, without "Bot ". */
  token: () => string;
  /** Where this server is reached, without a slash at its end. */
  origin: () => string;
  /** Privileged intents that the application was granted. */
  grantedIntents: number;
  gateway: Gateway;
  interactions: Interactions;
  rateLimits: RateLimits;
  faults: Faults;
  violations: Violation[];
  /** Whatever people see: told to the page and to tests. */
  happened: Listeners<RoomEvent>;
  /** Each request of the bot with its answer. */
  exchanged: Listeners<Exchange>;
}
