import type { Point } from "../fault.ts";

const liveFaults = "test/observe/live-faults.test.ts";
const past = "test/observe/read-casts-by-parent.test.ts";
const pollListings = "test/observe/poll-listings.test.ts";
const toldOnce = "test/observe/told-once.test.ts";
const setup = "test/cli/setup.test.ts";
const rotate = "test/cli/rotate-key.test.ts";

/** What reviews found, and what must not come back. */
export const findings: readonly Point[] = [
  {
    id: "R1",
    holds: "A hub that has stalled is reported, and never called up to date.",
    faults: [
      {
        broken: "that nothing is new is believed, however long ago the newest block was",
        file: "src/observe/hub/read-hub-page.ts",
        from: '  if (page === "nothing new" || page === "lagging") await assertNotStalled(context, shard, source);\n',
        to: "",
        tests: { [liveFaults]: ["a hub that has stalled > is reported, until it continues"] },
      },
      {
        broken: "of several hubs the one that has stalled is asked on",
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
    holds: "A row that cannot be read says nothing of its user: nobody is told to be unbanned by it.",
    faults: [
      {
        broken: "whose row cannot be read has left the listing",
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
        broken: "a lookup that gives a row nobody can read finds nobody",
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
    holds: "A reply waits for its parent until every shard has told of that time, however late one is.",
    faults: [
      {
        broken: "the shard that is furthest decides when replies are dropped",
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
        broken: "a shard that answers, and has nothing new, counts as read until now",
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
        broken: "one that its author takes away meanwhile is forgotten, and with it what replies to it",
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
    holds: "A channel's past is read to its end, also from a hub whose pages always name a next one.",
    faults: [
      {
        broken: "a page that leads to no older casts is followed by another",
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
    holds: "A reply and its parent that two shards bring at the same moment find each other.",
    faults: [
      {
        broken: "two shards index at the same moment, and see nothing of each other",
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
      "A setup that was killed goes on with the same request and asks for no second key; two at once do not meet.",
    faults: [
      {
        broken: "each run makes a key, and a request, of its own",
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
        broken: "two setups are at work at once",
        file: "src/start/setup-folder.ts",
        from: "const release = await lockDirectory(folder).catch((cause: unknown) => {\n    throw describeHolder(cause, folder);\n  });",
        to: "const release = async () => {};",
        tests: { [setup]: ["castellan setup > of two at once the second is refused, and the first goes on"] },
      },
    ],
  },
];
