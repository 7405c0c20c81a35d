import type { ApiContext } from "../src/api/context.ts";
import { pruneHubEvents } from "../src/api/operations/hub.ts";
import { pruneKeyRequests } from "../src/api/operations/signed-keys.ts";
import type { IdWorkerName, PeriodicWorkerName } from "../src/bot-context.ts";
import { contract, operatorContract } from "../src/contract/index.ts";
import { findDueRooms, serveRoom } from "../src/feed/deliver/deliver.ts";
import { endDeadRooms } from "../src/feed/room-changes.ts";
import type { Rooms } from "../src/feed/rooms.ts";
import { findDueWebhooks, hasOutbox, sendOutbox, sendTo } from "../src/outbox/send-outbox.ts";
import { senders } from "./senders.ts";
import { expireBans, hasBansToEnd } from "../src/moderation/cases/expire.ts";
import { applyOpenCases } from "../src/moderation/cases/apply.ts";
import { findDueBulks, runBulk } from "../src/moderation/bulks/run.ts";
import { awaitsEcho, hasEchoesToResolve, resolveEchoes } from "../src/moderation/cases/resolve-echoes.ts";
import { findDueChannels } from "../src/moderation/cases/settle.ts";
import { hasProofs, judgeCodeCasts } from "../src/moderation/proofs/judge-code-casts.ts";
import { becomeModerators, hasUnmoderated } from "../src/moderation/become-moderator.ts";
import { verifyLinks, verifyLinksEvery } from "../src/moderation/verify-links.ts";
import { isHubDue } from "../src/observe/hub/hub-due.ts";
import { pollHub } from "../src/observe/hub/poll-hub.ts";
import { hasParentsToRead, readCastsByParent } from "../src/observe/hub/read-casts-by-parent.ts";
import { pollListings } from "../src/observe/listings/poll-listings.ts";
import { checkBotKey, hasKeyToCheck } from "../src/observe/live/check-bot-key.ts";
import { bulksPurpose, rulesPurpose } from "../src/observe/live/call-limits.ts";
import { inBackground } from "../src/observe/live/live-context.ts";
import { runEvery } from "../src/observe/live/plan-reading.ts";
import { pollChanges, pollFollowersInTurn, pollInTurn, whereLive } from "../src/observe/live/poll-live.ts";
import { pollFollowers, wantsFollowers } from "../src/observe/poll-followers.ts";
import { pollRecords } from "../src/observe/records/poll-records.ts";
import { eachChannel, isBehind } from "../src/observe/sources.ts";
import type { IdWorker, Worker } from "../src/queue/worker.ts";
import { pruneObsolete } from "../src/retention/prune-obsolete.ts";
import { repeatErasures } from "../src/retention/erase-author.ts";
import type { RuleContext } from "../src/rules/context.ts";
import { pruneHistory } from "../src/retention/prune-history.ts";
import { pruneCooldowns } from "../src/rules/limits/cooldown.ts";
import { endLockdowns, hasLockdownsToEnd } from "../src/rules/limits/lockdown.ts";
import { hasHiddenMembers, showMembersAgain } from "../src/moderation/cases/show-members-again.ts";
import { evaluateServer } from "../src/rules/pending/evaluate-pending.ts";
import { hasListsToRefresh, refreshLists } from "../src/rules/links/refresh-lists.ts";
import { findDueServers } from "../src/rules/pending/pending.ts";
import { fireTimers, hasTimers } from "../src/rules/pending/fire-timers.ts";
import { remindOfReviews } from "../src/reviews/remind-of-reviews.ts";
import { announceUnreadable } from "../src/rules/versions/announce-unreadable.ts";

/** The dependencies of every worker of the bot half. */
export type WorkerContext = RuleContext & { rooms: Rooms };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** A limit of a few seconds is waited out exactly; after a longer one, the sweep finds the rows. */
const soon = (again: number | undefined) => (again !== undefined && again < 15 * second ? again : undefined);

/** The hub reports these writes; no record or listing shows them. */
const reportedByHub = [operatorContract.operator.cast, contract.transfers.create];

/** Background work of the bot half for one id's rows at a time. Woken with the id whenever rows are written. */
const tasksById: Record<IdWorkerName, Omit<IdWorker<WorkerContext>, "name">> = {
  /** Posts events in the rooms that want them; one job is one message. */
  "deliver-feed": {
    concurrency: 24,
    // Discord allows one bot 50 calls a second over all its processes, and some are not posts.
    limiter: { max: 8, duration: 200 },
    findDue: findDueRooms,
    run: (context, roomId) => serveRoom(context, context.rooms, roomId),
  },
  /** Evaluates events by a server's rules. */
  "evaluate-rules": {
    // Rules run in fewer threads, but this many can wait for the network at the same time.
    concurrency: 8,
    findDue: findDueServers,
    async run(context, guildId) {
      // Their calls to the network yield to people's, and leave a share for polling.
      const { isMore } = await evaluateServer(inBackground(context, rulesPurpose), guildId);
      return isMore ? 0 : undefined;
    },
  },
  /** Carries out the cases that rules opened in a channel, and those left open by a crash or a silent network. */
  "settle-cases": {
    concurrency: 4,
    findDue: findDueChannels,
    run: async (context, channelId) => soon((await applyOpenCases(context, channelId)).again),
  },
  /** Continues bulks, with lower priority than work that people wait for. */
  "run-bulks": {
    concurrency: 2,
    findDue: findDueBulks,
    async run(context, bulkId, { signal }) {
      const until = performance.now() + 2 * second;
      const again = await runBulk(inBackground(context, bulksPurpose), Number(bulkId), { signal, until });
      return signal.aborted ? undefined : soon(again);
    },
  },
  /** Calls webhooks. Addresses that do not answer take the time of this worker alone. */
  "call-webhooks": {
    concurrency: 16,
    findDue: findDueWebhooks,
    run: async (context, destination, { signal }) =>
      (await sendTo(context, senders, destination, signal)) ? 0 : undefined,
  },
};

/** Background work of the bot half at intervals, if there is any. Some workers are also woken in between. */
const tasks: Record<PeriodicWorkerName, Omit<Worker<WorkerContext>, "name">> = {
  // Reads the network. Woken with a channel's id, the polls read only that channel. On the live network, where each
  // call counts, they take turns within the budget.
  /**
   * Messages that the hub merged: casts of linked channels, and names. If two processes read at once, one stores its page. A remote hub
   * is polled every HUB_SECONDS, and once a minute while nothing depends on it.
   */
  "poll-hub": {
    every: ({ live, settings }) => (live ? settings.hubSeconds * second : second),
    hasNews: (context) => (context.live ? isHubDue(context) : context.networkChanged("poll-hub")),
    isDue: isBehind,
    run: pollHub,
  },
  /** A channel's history from before it was linked. A separate worker, so that new events never wait for old ones. */
  "read-past": { every: second, isDue: hasParentsToRead, run: readCastsByParent },
  /** Who hid and showed which casts. On the live network, one call covers all channels. */
  "poll-records": {
    every: runEvery.changes * second,
    hasNews: (context) => context.networkChanged("poll-records", reportedByHub),
    isDue: (context) => awaitsEcho(context, "records"),
    async run(context, job) {
      await whereLive("changes", pollChanges, eachChannel(pollRecords))(context, job);
      // Whether a cast was already hidden is known once the records are read and nothing new appears.
      if (await hasEchoesToResolve(context)) await context.wake("resolve-echoes");
    },
  },
  /** Bans, restrictions, invites, members, and the channel's own record. */
  "poll-listings": {
    every: runEvery.channels * second,
    hasNews: (context) => context.networkChanged("poll-listings", reportedByHub),
    isDue: (context) => awaitsEcho(context, "listings"),
    run: whereLive(
      "channels",
      pollInTurn,
      eachChannel((context, channelId) => pollListings(context, channelId)),
    ),
  },
  /** New followers, where a rule listens for them. */
  "poll-followers": {
    every: 10 * second,
    isDue: wantsFollowers,
    run: whereLive("followers", pollFollowersInTurn, eachChannel(pollFollowers)),
  },

  // Follows up.
  /** Edits posts, and sends people messages about actions, appeals and proofs. */
  "send-outbox": {
    every: second,
    isDue: hasOutbox,
    run: (context, { signal }) => sendOutbox(context, senders, signal),
  },
  /** Announces rules that this version of Castellan cannot read. */
  "check-rules": { every: minute, run: announceUnreadable },
  /** Checks the bot's key at the hubs every day, and announces problems. */
  "check-key": {
    every: 10 * second,
    isDue: hasKeyToCheck,
    run: (context, { signal }) => checkBotKey(context, signal),
  },
  /** Refreshes the operator's lists of bad links. */
  "refresh-link-lists": {
    every: 10 * second,
    isDue: hasListsToRefresh,
    run: (context, { signal }) => refreshLists(context, signal),
  },
  "fire-timers": { every: 10 * second, isDue: hasTimers, run: fireTimers },

  // Acts.
  /** Resolves cases by what the network shows of them, or no longer will. */
  "resolve-echoes": {
    every: second,
    isDue: hasEchoesToResolve,
    run: resolveEchoes,
  },
  /** Lifts expired bans. */
  "end-timed": { every: 5 * second, isDue: hasBansToEnd, run: expireBans },
  /** Ends expired lockdowns, and shows members' casts that they hid. */
  "end-lockdowns": {
    every: 5 * second,
    isDue: async (context) => (await hasLockdownsToEnd(context)) || hasHiddenMembers(context),
    async run(context) {
      await endLockdowns(context);
      await showMembersAgain(context);
    },
  },
  /** Refreshes who owns and moderates the linked channels. */
  "verify-links": {
    every: verifyLinksEvery,
    run: (context, { key }) => verifyLinks(inBackground(context, "links"), key),
  },
  /** Checks casts by which people prove that they own or moderate a channel. */
  "check-proofs": {
    every: 5 * second,
    isDue: hasProofs,
    async run(context) {
      try {
        await judgeCodeCasts(context);
      } finally {
        await context.wake("send-outbox");
      }
    },
  },
  /** Follows linked channels that Castellan does not moderate, and accepts the invites to them. */
  "become-moderator": {
    every: 10 * second,
    isDue: hasUnmoderated,
    run: (context, job) => becomeModerators(inBackground(context, "roles"), job),
  },
  /** Posts reminders about undecided reviews. */
  "remind-reviews": { every: minute, run: remindOfReviews },

  // Cleans up.
  /** Deletes expired cooldowns. */
  "prune-limits": { every: hour, run: ({ database, clock }) => pruneCooldowns(database.query, clock) },
  /** Deletes events beyond the history's age or number, and obsolete rows. */
  "prune-history": {
    every: 10 * minute,
    async run(context) {
      const events = await pruneHistory(context);
      if (events > 0) context.log.info({ pruned: events }, "old events deleted");
      const rows = await pruneObsolete(context);
      if (rows > 0) context.log.info({ pruned: rows }, "deleted obsolete rows");
    },
  },
  /** Continues what `castellan history erase` began. */
  "erase-authors": { every: 30 * second, run: repeatErasures },
  /** Ends the feeds of rooms that could not be reached for a week. */
  "end-feeds": { every: 10 * minute, run: endDeadRooms },
};

// Each has separate keys.
export const workers: readonly (Worker<WorkerContext> & { name: PeriodicWorkerName })[] = Object.entries(
  tasks,
).map(([name, task]) => ({ name: name as PeriodicWorkerName, ...task }));

export const idWorkers: readonly (IdWorker<WorkerContext> & { name: IdWorkerName })[] = Object.entries(
  tasksById,
).map(([name, task]) => ({ name: name as IdWorkerName, ...task }));

/** Background work of the embedded network. */
export const networkWorkers: readonly Worker<ApiContext>[] = [
  {
    /** Deletes hub events and key requests past their retention. */
    name: "prune-network",
    every: 10 * minute,
    async run(context) {
      const pruned = await pruneHubEvents(context);
      if (pruned > 0) context.log.info({ pruned }, "deleted old hub events");
      const over = await pruneKeyRequests(context);
      if (over > 0) context.log.info({ over }, "deleted expired key requests");
    },
  },
];
