import type { Point } from "../fault.ts";

const hubShards = "test/api/operations/hub-shards.test.ts";
const live = "test/observe/live-hub.test.ts";
const liveFaults = "test/observe/live-faults.test.ts";
const liveNames = "test/observe/live-names.test.ts";
const shards = "test/observe/shards.test.ts";
const toldOnce = "test/observe/told-once.test.ts";
const events = "test/observe/events.test.ts";
const readEvents = "test/client/read-events.test.ts";

/** H1 to H5: a hub's shards, ids and blocks. */
export const hubEvents: readonly Point[] = [
  {
    id: "H1",
    holds: "Each shard has its own position. The shards are those that the hub names, or those that answer.",
    faults: [
      {
        broken: "all shards share one position",
        file: "src/observe/hub/poll-hub.ts",
        from: "const shards = await context.hubShards().catch((error: unknown) => failAll(context, error));",
        to: "const shards = [undefined];\n  await context.hubShards().catch((error: unknown) => failAll(context, error));",
        tests: {
          [live]: ["shards > are followed each by itself: nothing of the one that is behind is passed over"],
        },
      },
      {
        broken: "block shard 0, which has no events, is followed, and fails",
        file: "src/observe/hub/shards.ts",
        from: ".filter((shard) => shard > 0);",
        to: ";",
        tests: {
          [live]: [
            "shards > are followed as soon as the hub says which there are, and until then it is told that it does not",
          ],
        },
      },
      {
        broken: "a hub that does not name its shards counts as having one",
        file: "src/observe/hub/shards.ts",
        from: "  return probeShards(network, signal);",
        to: "  return [1];",
        tests: {
          [shards]: [
            "the shards of a hub that has no /v1/info > are found by trying, and each is read by itself",
            "the shards of a hub that has no /v1/info > are asked for by a sentence where the hub takes any number for one",
          ],
        },
      },
      {
        broken: "one shard that cannot be read fails the run for all",
        file: "src/observe/hub/poll-hub.ts",
        from: "if (failures.size === shards.length) throw failure;",
        to: "if (failures.size > 0) throw failure;",
        tests: { [live]: ["shards > that cannot be read hold up no other, and are told of"] },
      },
      {
        broken: "shards take turns, and the slowest delays the next one",
        file: "src/observe/hub/poll-hub.ts",
        from: "    while (!stop.aborted) {",
        to: "    for (let turns = 0; turns < 1; turns += 1) {",
        tests: {
          [liveFaults]: [
            "a shard whose pages never come > holds up no other, and is not asked for ever smaller ones",
          ],
        },
      },
    ],
  },
  {
    id: "H2",
    holds:
      "Events without a time have their block's time. Pages without a next id continue after their last event.",
    faults: [
      {
        broken: "an event without a time gets the present time",
        file: "src/observe/hub/blocks.ts",
        from: "    times.push(newestAt ?? now);\n  }",
        to: "    times.push(now);\n  }",
        tests: {
          [live]: ["time > is the block's: what was merged before the link is no news, what was since is"],
        },
      },
      {
        broken: "the next page begins with the last event of this one",
        file: "src/client/read-result.ts",
        from: "Math.max(...events.map(({ id }) => id)) + 1 : from",
        to: "Math.max(...events.map(({ id }) => id)) : from",
        tests: {
          [readEvents]: ["pages of hub events > go on from the largest id + 1 where the hub does not say it"],
        },
      },
    ],
  },
  {
    id: "H3",
    holds:
      "If ids start over, as on a reinstalled node, they are followed from there, and known events are not announced again.",
    faults: [
      {
        broken: "a node with lower blocks always counts as lagging",
        file: "src/observe/hub/read-hub-page.ts",
        from: '? "reset" : "behind";',
        to: '? "behind" : "behind";',
        tests: {
          [live]: ["a gap > is told when a node begins anew, with lower blocks, which is read from there"],
        },
      },
      {
        broken: "a node that lags counts as starting over",
        file: "src/observe/hub/read-hub-page.ts",
        from: '? "reset" : "behind";',
        to: '? "reset" : "reset";',
        tests: { [live]: ["a gap > is none while a node is behind the one that answered before"] },
      },
      {
        broken: "a cast is identified by its hub id, which belonged to another cast",
        file: "src/observe/hub/index-casts.ts",
        from: "sourceKey: `cast:${hash}`",
        to: "sourceKey: `cast:${arrived.order}`",
        tests: {
          [toldOnce]: [
            "What comes with an id that was another's, since the hub's ids began anew, is told all the same",
          ],
        },
      },
    ],
  },
  {
    id: "H4",
    holds:
      "Missing blocks, or blocks with fewer events than they declare, are a gap, which is announced with its times; others are not.",
    faults: [
      {
        broken: "missing blocks are not noticed",
        file: "src/observe/hub/blocks.ts",
        from: "(left !== 0 || own !== block + 1)",
        to: "left !== 0",
        tests: {
          [live]: ["a gap > is where blocks are missing, from the last one to the next, and is told once"],
        },
      },
      {
        broken: "a block with fewer events than it declares counts as complete",
        file: "src/observe/hub/blocks.ts",
        from: "(left !== 0 || own !== block + 1)",
        to: "own !== block + 1",
        tests: { [live]: ["a gap > is where a block holds less than it says"] },
      },
      {
        broken: "a block on two pages counts as a gap",
        file: "src/observe/hub/blocks.ts",
        from: "let left = source.block_left;",
        to: "let left = source.block_left && 0;",
        tests: {
          [live]: ["a gap > is none in a block that takes more than one page, nor after a long silence"],
        },
      },
      {
        broken: "the embedded hub does not count a block's confirmation among its events",
        file: "src/api/store/hub-events.ts",
        from: `"totalEvents":' || total + 1 ||`,
        to: `"totalEvents":' || total ||`,
        tests: {
          [hubShards]: [
            "two shards, as live hubs tell them > take each what their users say, and both every name; each block is confirmed first",
          ],
        },
      },
    ],
  },
  {
    id: "H5",
    holds:
      "A name's proof, which every shard reports, is announced once. It is identified by name, fid and time.",
    faults: [
      {
        broken: "a proof that is not newer than the known one is applied again",
        file: "src/observe/hub/merge-proofs.ts",
        from: "  if (!isNewer(proof, known)) return undefined;\n",
        to: "",
        tests: {
          [liveNames]: [
            "names > that every shard proves are told once, and what a shard tells late changes nothing",
          ],
        },
      },
      {
        broken: "two shards compare a name at the same time, each with the earlier state",
        file: "src/observe/hub/merge-proofs.ts",
        from: "  await sql`lock table castellan.names in share row exclusive mode`.execute(tx);\n",
        to: "",
        tests: {
          [liveNames]: ["names > that two shards store at the same moment are those of the newest proof"],
        },
        needsServer: true,
      },
      {
        broken: "an event that two workers store at the same time fails for the second",
        file: "src/database/transactions.ts",
        from: 'new Set(["40001", "40P01", "23505"])',
        to: 'new Set(["40001", "40P01"])',
        tests: {
          [events]: ["appending events > stores an event once that two transactions append at once"],
        },
        needsServer: true,
      },
      {
        broken: "the embedded hub reports a transfer in only one shard",
        file: "src/api/store/hub-events.ts",
        from: "const parts = listShards(shape).map((shard) => {",
        to: "const parts = listShards({ ...shape, shards: 1 }).map((shard) => {",
        tests: {
          [hubShards]: [
            "two shards, as live hubs tell them > bring the proof of a transfer both, in a block of each",
          ],
        },
      },
      {
        broken: "the embedded hub reports an imported name in only one shard",
        file: "src/api/network-file/encode-plan.ts",
        from: "const own = author === undefined ? shards : [shardOf(author, context.settings.hub)];",
        to: "const own = [shardOf(author ?? 0, context.settings.hub)];",
        tests: {
          [hubShards]: [
            "two shards, as live hubs tell them > take each what their users say, and both every name; each block is confirmed first",
          ],
        },
      },
    ],
  },
];
