import { afterAll, expect, it } from "vitest";
import { createHubShards } from "../../src/observe/hub/shards.ts";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { observeStatus } from "../../src/observe/observe-status.ts";
import { createObserver } from "../support/observer.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";

const observer = await createObserver({ hub: { shards: 2, asLive: true } });
afterAll(() => observer.context.database.close());

it("The bot reads the embedded hub as if it were the live one: both shards, each thing once, no gap", async () => {
  const context = { ...observer.context, hubShards: createHubShards(observer.context) };
  const { api, seed } = observer.network;
  const poll = async () => {
    await pollHub(context);
    context.clock.advance(60);
  };
  const fids = [1, 2, 3, 7, 8, 11];
  await api.operator.importNetwork({
    accounts: fids.map((fid) => ({ fid, custodyAddress: custodyOf(fid).address })),
  });
  await seed.channel("memes");
  await observer.link("memes");
  await poll();
  const told: string[] = [];
  const removed: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    for (const fid of fids) {
      const { hash } = await api.operator.cast({ fid, text: `${round} of ${fid}`, channelId: "memes" });
      told.push(hash);
      if (fid === 3 * round + 2) {
        await api.operator.removeCast({ hash });
        removed.push(hash);
      }
      const { hash: reply } = await api.operator
        .cast({ fid: 1, text: `re ${hash}`, parentHash: hash })
        .catch(() => ({ hash: "" }));
      if (reply) told.push(reply);
      // In the middle of a block, as it were.
      if (fid % 2 === 0) await poll();
    }
  }
  const timestamp = Math.floor(context.clock.now() / 1000);
  await observer.network.public.transfers.create(
    await signTransfer({ name: "alice", from: 0, to: 7, timestamp }),
  );
  await poll();
  await poll();
  const hashes = async (kind: "cast.created" | "cast.removed") =>
    (await observer.events(kind)).map(({ data }) => String("castHash" in data && data.castHash)).toSorted();
  expect(await hashes("cast.created")).toEqual(told.toSorted());
  expect(await hashes("cast.removed")).toEqual(removed.toSorted());
  const others = (await observer.events()).filter(({ kind }) => !kind.startsWith("cast."));
  // The name, which both shards bring; and no gap.
  expect(others.map(({ subjectFid }) => subjectFid)).toEqual([7]);
  const { sources } = await observeStatus(context);
  const hubs = sources.filter(({ source }) => source.startsWith("hub"));
  expect(hubs).toMatchObject([
    { source: "hub/1", error: null },
    { source: "hub/2", error: null },
  ]);
});
