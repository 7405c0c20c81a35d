import type { ApiContext } from "../src/api/context.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import type { Worker } from "../src/queue/worker.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { checkRules } from "./check-rules.ts";
import { deliverFeed } from "./deliver-feed.ts";
import { endFeeds } from "./end-feeds.ts";
import { endTimed } from "./end-timed.ts";
import { eraseAuthors } from "./erase-authors.ts";
import { evaluateRules } from "./evaluate-rules.ts";
import { findForeignMessages } from "./find-foreign-messages.ts";
import { fireTimers } from "./fire-timers.ts";
import { pollFollowers } from "./poll-followers.ts";
import { pollHub } from "./poll-hub.ts";
import { pollListings } from "./poll-listings.ts";
import { pollRecords } from "./poll-records.ts";
import { pruneLimits } from "./prune-limits.ts";
import { pruneHistory } from "./prune-history.ts";
import { pruneNetwork } from "./prune-network.ts";
import { remindReviews } from "./remind-reviews.ts";
import { settleCases } from "./settle-cases.ts";
import { verifyLinks } from "./verify-links.ts";

/** What main.ts gives to every worker. */
export type WorkerContext = RuleContext & { rooms: Rooms };

/** Every background task of the bot half. */
export const workers: readonly Worker<WorkerContext>[] = [
  pollHub,
  pollRecords,
  pollListings,
  pollFollowers,
  deliverFeed,
  evaluateRules,
  checkRules,
  fireTimers,
  settleCases,
  endTimed,
  verifyLinks,
  remindReviews,
  pruneLimits,
  pruneHistory,
  eraseAuthors,
  endFeeds,
  findForeignMessages,
];

/** Every background task of the embedded network. */
export const networkWorkers: readonly Worker<ApiContext>[] = [pruneNetwork];
