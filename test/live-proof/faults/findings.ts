import type { Point } from "../fault.ts";

const liveFaults = "test/observe/live-faults.test.ts";
const past = "test/observe/read-casts-by-parent.test.ts";
const pollListings = "test/observe/poll-listings.test.ts";
const toldOnce = "test/observe/told-once.test.ts";
const setup = "test/cli/setup.test.ts";
const rotate = "test/cli/rotate-key.test.ts";

/** Faults that reviews found, which must not come back. */
export const findings: readonly Point[] = [
  {
    id: "R1",
    holds: "A hub that has stalled is reported, and never called up to date.",
    faults: [
      {
        broken: "no news is always accepted, regardless of the newest block's age",
        file: "src/observe/hub/read-hub-page.ts",
        from: '  if (page === "nothing new" || page === "lagging") await assertNotStalled(context, shard, source);\n',
        to: "",
        tests: { [liveFaults]: ["a hub that has stalled > is reported, until it continues"] },
      },
      {
        broken: "of several hubs, the stalled one is still used",
        file: "src/observe/hub/fetch-events.ts",
        from: "(answer.events.length > 0 && !isStalled(source, { clock, settings })),",
        to: "answer.events.length > 0,",
        tests: {
          [liveFaults]: ["a hub that has stalled > is left for another of several, and tried again later"],
        },
      },
    ],
  },
  {
    id: "R2",
    holds: "A row that cannot be read says nothing about its user: it does not count as an unban.",
    faults: [
      {
        broken: "a user whose row cannot be read has left the listing",
        file: "src/observe/listings/poll-listings.ts",
        from: "if (pages === 1 && unreadable.length === 0)",
        to: "if (pages === 1)",
        tests: {
          [pollListings]: [
            "listings > of which a row cannot be read keep whom it is about, and still show who left",
          ],
        },
      },
      {
        broken: "a lookup that returns an unreadable row finds nobody",
        file: "src/observe/listings/poll-listings.ts",
        from: 'return "unreadable";',
        to: 'return "none";',
        tests: {
          [pollListings]: [
            "listings > of which a row cannot be read keep whom it is about, and still show who left",
          ],
        },
      },
    ],
  },
  {
    id: "R3",
    holds: "A reply waits for its parent until every shard has reported that time, even the slowest one.",
    faults: [
      {
        broken: "the fastest shard decides when replies are dropped",
        file: "src/observe/hub/drop-waiting-replies.ts",
        from: "Math.min(...times)",
        to: "Math.max(...times)",
        tests: {
          [toldOnce]: [
            "a reply that is told of before its parent > waits for the shard of its parent, however late that is",
          ],
        },
      },
      {
        broken: "a shard that answers without news counts as read until now",
        file: "src/observe/hub/drop-waiting-replies.ts",
        from: "when block_left is not null or behind then newest_at",
        to: "when behind then newest_at",
        tests: {
          [toldOnce]: [
            "a reply that is told of before its parent > waits for the shard of its parent, however late that is",
          ],
        },
      },
      {
        broken: "a waiting reply that its author deletes is forgotten together with the replies to it",
        file: "src/observe/hub/cast-removals.ts",
        from: "  await removeWaitingReplies(tx, [...byHash.values()]);\n",
        to: "  await sql`delete from castellan.waiting_replies where hash = any(${hashes}::text[])`.execute(tx);\n",
        tests: {
          [toldOnce]: [
            "a reply that is told of before its parent > and taken away meanwhile, is told no more; what replies to it is",
          ],
        },
      },
    ],
  },
  {
    id: "R4",
    holds: "A channel's past is read to its end, even from a hub whose pages always name a next one.",
    faults: [
      {
        broken: "after a page without older casts another one is requested",
        file: "src/observe/hub/parent-bookmark.ts",
        from: "return isOver ? undefined : toText(nextPageToken);",
        to: "return isOver && !first ? undefined : toText(nextPageToken);",
        tests: {
          [past]: [
            "a channel's past > is read to its end from a hub whose pages have none, and which numbers them",
          ],
        },
      },
      {
        broken: "a token that leads back is followed",
        file: "src/observe/hub/parent-bookmark.ts",
        from: "  if (sent && Buffer.compare(newest, sent) >= 0) return undefined;\n",
        to: "",
        tests: {
          [past]: [
            "a channel's past > is read to its end from a hub whose pages have none, and which shows each shard's place",
          ],
        },
      },
    ],
  },
  {
    id: "R5",
    holds: "A reply and its parent that arrive from two shards at the same time find each other.",
    faults: [
      {
        broken: "two shards index at the same time, and do not see each other's rows",
        file: "src/observe/hub/index-casts.ts",
        from: "  await lockWaitingReplies(tx);\n",
        to: "",
        tests: {
          [toldOnce]: [
            "a reply that is told of before its parent > is told though both are stored at the same moment",
          ],
        },
        needsServer: true,
      },
    ],
  },
  {
    id: "R6",
    holds:
      "A setup that was killed continues with the same request and requests no second key; two cannot run at once.",
    faults: [
      {
        broken: "each run makes its own key and request",
        file: "src/cli/setup/request-key.ts",
        from: "if (kept !== undefined && of === whose && Number(until) > now) {",
        to: "if (kept !== undefined && of === whose && Number(until) < now) {",
        tests: {
          [setup]: ["castellan setup > killed while it waits, goes on with the same request"],
          [rotate]: ["castellan key rotate > killed while it waits, goes on with the same request"],
        },
      },
      {
        broken: "a key that was approved just before the end is forgotten",
        file: "src/cli/setup/request-key.ts",
        from: "  folder.save({ KEY_APPROVED: encryptKey(privateKey, secret) });\n",
        to: "",
        tests: {
          [rotate]: [
            "castellan key rotate > killed between the approval and the settings, needs no second approval",
          ],
        },
      },
      {
        broken: "two setups run at once",
        file: "src/start/setup-folder.ts",
        from: "const release = await lockDirectory(folder).catch((cause: unknown) => {\n    throw describeHolder(cause, folder);\n  });",
        to: "const release = async () => {};",
        tests: { [setup]: ["castellan setup > of two at once the second is refused, and the first goes on"] },
      },
    ],
  },
];
