import type { Point } from "../fault.ts";

const readEvents = "test/client/read-events.test.ts";
const live = "test/observe/live-hub.test.ts";
const liveFaults = "test/observe/live-faults.test.ts";
const liveNames = "test/observe/live-names.test.ts";
const gap = "test/observe/gap.test.ts";

/** H6 to H9: what a hub gives when it is asked. */
export const hubPages: readonly Point[] = [
  {
    id: "H6",
    holds: "Names of ENS and Base are names as others; a user is shown by the one that they say is theirs.",
    faults: [
      {
        broken: "only proofs of the name registry are read",
        file: "src/contract/hub.ts",
        from: "  fid: z.int(),\n  type: z.string(),\n});\nexport type UsernameProof",
        to: '  fid: z.int(),\n  type: z.literal("USERNAME_TYPE_FNAME"),\n});\nexport type UsernameProof',
        tests: {
          [liveNames]: [
            "names > that a user says they go by is the one that is shown, the latest word of it",
          ],
        },
      },
      {
        broken: "a user is shown by the name with the newest proof",
        file: "src/observe/people.ts",
        from: '    .orderBy((is) => is("shown.fid", "is not", null), "desc")\n',
        to: "",
        tests: {
          "test/observe/people.test.ts": [
            "somebody with several names > goes by the one that they say is theirs, while they hold it",
          ],
          [liveNames]: [
            "names > that a user says they go by is the one that is shown, the latest word of it",
          ],
        },
      },
      {
        broken: "what a user said before counts as much as what they said last",
        file: "src/observe/hub/merge-proofs.ts",
        from: "    where known.since <= excluded.since\n",
        to: "",
        tests: {
          [liveNames]: [
            "names > that a user says they go by is the one that is shown, the latest word of it",
          ],
        },
      },
    ],
  },
  {
    id: "H7",
    holds:
      "Pages are asked for as hubs understand it: from an id, itself included; backwards by the word; one by itself by its id and shard.",
    faults: [
      {
        broken: "the first event behind the position is passed over",
        file: "src/observe/hub/fetch-events.ts",
        from: "from: position + 1 - known, size: wanted + known",
        to: "from: position + 2, size: wanted + known",
        tests: {
          [live]: ["a gap > is none in a block that takes more than one page, nor after a long silence"],
        },
      },
      {
        broken: "pages backwards are asked for by a number that hubs do not know",
        file: "src/client/create-caller.ts",
        from: 'return typeof value === "object" ? JSON.stringify(value) : String(value);',
        to: 'return typeof value === "object" ? JSON.stringify(value) : String(value === true ? 1 : value);',
        tests: {
          [readEvents]: [
            "pages of hub events > are asked for backwards by the word that hubs know, and name no next id then",
          ],
        },
      },
      {
        broken: "one event by itself is asked for by a name that hubs do not know",
        file: "src/observe/hub/fetch-events.ts",
        from: "const input = { event_id: id, shard_index: shard };",
        to: "const input = { id, shard_index: shard };",
        tests: {
          [live]: [
            "an event that the hub cannot give > in a page is asked for by itself, and then nothing is missing",
          ],
        },
      },
    ],
  },
  {
    id: "H8",
    holds:
      "A refusal of a hub is read, whatever its form. What the hub cannot write out is narrowed down to one event, tried again, then passed over and told of.",
    faults: [
      {
        broken: "a connection that a page drops is the whole hub's failure",
        file: "src/observe/hub/classify-hub-error.ts",
        from: "  if (mayBePage(error)) {\n",
        to: '  if (mayBePage(error)) {\n    if (failure === "dropped") return "hub";\n',
        tests: {
          [liveFaults]: [
            "an event that the hub cannot give > is passed over when it fails alone twice, reported once, and everything else is told",
          ],
        },
      },
      {
        broken: "an event that failed once is passed over at once",
        file: "src/observe/hub/fetch-events.ts",
        from: "const hasFailedBefore = await isSecondTry(context, source);",
        to: "const hasFailedBefore = (await isSecondTry(context, source)) || true;",
        tests: {
          [liveFaults]: [
            "an event that the hub cannot give > is no less told than others when it can be given after all",
          ],
        },
      },
      {
        broken: "that an event was passed over is told to nobody",
        file: "src/observe/hub/read-hub-page.ts",
        from: 'unreadable: [{ id, type: "", reason: notReturned }],',
        to: "unreadable: [],",
        tests: {
          [liveFaults]: [
            "an event that the hub cannot give > is passed over when it fails alone twice, reported once, and everything else is told",
          ],
        },
      },
      {
        broken: "an event that is not there is a question that the hub refuses",
        file: "src/client/read-refusal.ts",
        from: '["Failed to get event", "NotFound"].includes(error)',
        to: '["NotFound"].includes(error)',
        tests: {
          [liveFaults]: [
            "an event that the hub cannot give > is passed over also where nothing was read before it, or behind it is nothing",
          ],
        },
      },
    ],
  },
  {
    id: "H9",
    holds:
      "A silence that is longer than what a hub keeps (HUB_HOURS) is a gap where no blocks tell; the embedded hub drops what is old.",
    faults: [
      {
        broken: "what the hub dropped meanwhile is not missed",
        file: "src/observe/hub/read-hub-page.ts",
        from: "const silent = now - lastGood > settings.hubRetention;",
        to: "const silent = false;",
        tests: { [gap]: ["a gap > is found after a silence that is longer than what the hub keeps"] },
      },
      {
        broken: "an event that the hub dropped for its age is a gap",
        file: "src/observe/hub/read-hub-page.ts",
        from: "if (!silent && (!isAnchorGone || grewOld)) return undefined;",
        to: "if (!silent && !isAnchorGone) return undefined;",
        tests: { [gap]: ["a gap > is none when the last seen event grew old while nothing else happened"] },
      },
      {
        broken: "the embedded hub keeps events for good",
        file: "src/api/store/hub-events.ts",
        from: "where merged_at < ${before} order by merged_at",
        to: "where merged_at < ${before} - 1e9 order by merged_at",
        tests: {
          "test/api/operations/hub-shards.test.ts": [
            "two shards, as live hubs tell them > lose what is old, and only that, though ids are the same in both",
          ],
        },
      },
    ],
  },
];
