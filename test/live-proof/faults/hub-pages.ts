import type { Point } from "../fault.ts";

const readEvents = "test/client/read-events.test.ts";
const live = "test/observe/live-hub.test.ts";
const liveFaults = "test/observe/live-faults.test.ts";
const liveNames = "test/observe/live-names.test.ts";
const gap = "test/observe/gap.test.ts";

/** H6 to H9: a hub's answers. */
export const hubPages: readonly Point[] = [
  {
    id: "H6",
    holds: "Names of ENS and Base are names like others. A user is shown by the name that they chose.",
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
        broken: "a user's earlier choice counts as much as the latest",
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
      "Pages are requested in the hubs' own terms: from an id, inclusive; backwards by keyword; a single event by its id and shard.",
    faults: [
      {
        broken: "the first event after the position is skipped",
        file: "src/observe/hub/fetch-events.ts",
        from: "from: position + 1 - known, size: wanted + known",
        to: "from: position + 2, size: wanted + known",
        tests: {
          [live]: ["a gap > is none in a block that takes more than one page, nor after a long silence"],
        },
      },
      {
        broken: "pages backwards are requested with a number that hubs do not know",
        file: "src/client/create-caller.ts",
        from: 'return typeof value === "object" ? JSON.stringify(value) : String(value);',
        to: 'return typeof value === "object" ? JSON.stringify(value) : String(value === true ? 1 : value);',
        tests: {
          [readEvents]: [
            "pages of hub events > are requested in reverse with the hubs' parameter, and then have no next id",
          ],
        },
      },
      {
        broken: "a single event is requested with a parameter that hubs do not know",
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
      "A hub's error is parsed in every form. A failing event is isolated, tried again, then skipped and reported.",
    faults: [
      {
        broken: "a connection that one page drops counts as a failure of the whole hub",
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
        broken: "an event that failed once is skipped at once",
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
        broken: "a skipped event is not reported",
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
        broken: "a missing event counts as an invalid request",
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
      "Without block data, a silence longer than the hub's retention (HUB_HOURS) is a gap. The embedded hub drops old events.",
    faults: [
      {
        broken: "events that the hub dropped meanwhile are not noticed",
        file: "src/observe/hub/read-hub-page.ts",
        from: "const silent = now - lastGood > settings.hubRetention;",
        to: "const silent = false;",
        tests: { [gap]: ["a gap > is found after a silence that is longer than what the hub keeps"] },
      },
      {
        broken: "an event that the hub dropped because of its age counts as a gap",
        file: "src/observe/hub/read-hub-page.ts",
        from: "if (!silent && (!isAnchorGone || grewOld)) return undefined;",
        to: "if (!silent && !isAnchorGone) return undefined;",
        tests: { [gap]: ["a gap > is none when the last seen event grew old while nothing else happened"] },
      },
      {
        broken: "the embedded hub stores events permanently",
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
