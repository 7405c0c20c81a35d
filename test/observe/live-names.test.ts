import { describe, expect, test } from "vitest";
import { mergeProofs } from "../../src/observe/hub/merge-proofs.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { readNames } from "../../src/observe/people.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { useLiveHub } from "../live/live-scene.ts";
import { hasServer } from "../support/services.ts";
import { meetAtLock } from "../support/test-cases.ts";

const scene = useLiveHub();
const poll = () => pollHub(scene.context);
const shards = [1, 2];
const proofOf = (name: string, fid: number) => ({
  name,
  fid,
  owner: `0x${"1".repeat(40)}`,
  signature: "",
  type: "USERNAME_TYPE_FNAME" as const,
});

describe("names", () => {
  const told = async () =>
    (await scene.observer.events("username_proof.merged")).map(({ data, subjectFid }) => [
      "name" in data && data.name,
      "change" in data && data.change,
      subjectFid,
    ]);
  const held = () =>
    scene.observer.context.database.query
      .selectFrom("castellan.names")
      .select(["name", "fid"])
      .orderBy("name")
      .execute();

  test("that every shard proves are told once, and what a shard tells late changes nothing", async () => {
    await scene.observer.link("memes");
    for (const shard of shards) scene.chain.confirm(shard, scene.now());
    const [first, second] = [
      scene.chain.proof("rose", 5, scene.now()),
      scene.chain.proof("rose", 6, scene.now() + 10),
    ];
    const released = {
      type: "HUB_EVENT_TYPE_MERGE_USERNAME_PROOF",
      mergeUsernameProofBody: {
        deletedUsernameProof: (
          scene.chain.proof("tulip", 7, scene.now())["mergeUsernameProofBody"] as object &
            Record<"usernameProof", object>
        )["usernameProof"],
      },
    };
    const all = [first, scene.chain.proof("tulip", 7, scene.now()), second, released];
    for (const proof of all) scene.chain.confirm(1, scene.now(), [proof]);
    await poll();
    const afterOne = [await told(), await held()];
    expect(afterOne).toEqual([
      [
        ["rose", "registered", 5],
        ["tulip", "registered", 7],
        ["rose", "transferred", 6],
        ["tulip", "released", 7],
      ],
      [{ name: "rose", fid: 6 }],
    ]);
    for (const proof of all) {
      scene.chain.confirm(2, scene.now(), [proof]);
      await poll();
      expect([await told(), await held()]).toEqual(afterOne);
    }
  });

  test("that a late shard says were given up stay with whoever got them since", async () => {
    await scene.observer.link("memes");
    const at = scene.now();
    const proofs = [
      scene.chain.proof("a", 5, at),
      scene.chain.proof("b", 5, at + 1, { name: "a", fid: 5, at }),
      scene.chain.proof("a", 9, at + 2),
    ];
    for (const proof of proofs) scene.chain.confirm(1, at, [proof]);
    await poll();
    const afterOne = [await told(), await held()];
    expect(afterOne).toEqual([
      [
        ["a", "registered", 5],
        ["b", "replaced", 5],
        ["a", "registered", 9],
      ],
      [
        { name: "a", fid: 9 },
        { name: "b", fid: 5 },
      ],
    ]);
    for (const proof of proofs) {
      scene.chain.confirm(2, at, [proof]);
      await poll();
      expect([await told(), await held()]).toEqual(afterOne);
    }
  });

  test("that an earlier version told of are not told again when shards are read from their beginning", async () => {
    await scene.observer.link("memes");
    const proof = scene.chain.proof("rose", 5, scene.now());
    for (const shard of shards) scene.chain.confirm(shard, scene.now(), [proof]);
    await poll();
    const { query } = scene.context.database;
    // As it stored them: by the hub's id.
    await query.updateTable("castellan.events").set({ source_key: "hub:1638401" }).execute();
    await query.deleteFrom("castellan.sources").where("source", "like", "hub/%").execute();
    await poll();
    expect(await told()).toEqual([["rose", "registered", 5]]);
  });

  test.runIf(hasServer)(
    "that two shards store at the same moment are those of the newest proof",
    async () => {
      const { database } = scene.observer.context;
      const at = scene.now();
      const merge = (fid: number, timestamp: number) => () =>
        database.transaction((tx) =>
          mergeProofs(tx, [
            {
              order: 1,
              mergedAt: timestamp,
              proof: { ...proofOf("rose", fid), timestamp },
              replaced: undefined,
            },
          ]),
        );
      await merge(4, at)();
      await meetAtLock(database, "castellan.names where name = 'rose'", [merge(6, at + 2), merge(5, at + 1)]);
      expect(await held()).toEqual([{ name: "rose", fid: 6 }]);
    },
  );

  test("that both shards prove at the same moment are told once, without a failure", async () => {
    await scene.observer.link("memes");
    const proofs = Array.from({ length: 200 }, (_, index) =>
      scene.chain.proof(`name-${index}`, 10 + index, scene.now()),
    );
    scene.chain.confirm(1, scene.now(), proofs);
    scene.chain.confirm(2, scene.now(), proofs.toReversed());
    await poll();
    expect(await told()).toHaveLength(200);
    const { sources } = await observeStatus(scene.context);
    expect(sources.flatMap(({ error }) => error ?? [])).toEqual([]);
  });

  test("that a user says they go by is the one that is shown, the latest word of it", async () => {
    await scene.observer.link("memes");
    const say = (value: string, at: number) => scene.chain.userData(5, "USER_DATA_TYPE_USERNAME", value, at);
    const at = scene.now();
    scene.chain.confirm(1, at, [
      scene.chain.proof("rose", 5, at - 20),
      scene.chain.proof("rose.base.eth", 5, at - 10),
      scene.chain.userData(5, "USER_DATA_TYPE_BIO", "rose.base.eth", at),
      say("rose", at - 5),
      say("rose.base.eth", at - 8),
    ]);
    await poll();
    const shown = async () => (await readNames(scene.context.database.query, [5])).get(5);
    expect(await shown()).toBe("rose");
    scene.chain.confirm(1, at, [say("rose.base.eth", at - 6)]);
    await poll();
    expect(await shown()).toBe("rose");
    scene.chain.confirm(1, at, [say("rose.base.eth", at)]);
    await poll();
    expect(await shown()).toBe("rose.base.eth");
  });
});
