import { expect, test } from "vitest";
import { pollHub } from "../../src/observe/hub/poll-hub.ts";
import { readPastProgress } from "../../src/observe/hub/past-progress.ts";
import { readCastsByParent } from "../../src/observe/hub/read-casts-by-parent.ts";
import { useLiveHub } from "../live/live-scene.ts";

const scene = useLiveHub();

test("how far a channel's replies reach: the newest casts first, until they are all known", async () => {
  const roots = Array.from({ length: 5 }, (_, index) =>
    scene.castIn(`old ${index}`, scene.now() - 500 + 100 * index),
  );
  for (const shard of [1, 2]) scene.chain.confirm(shard, scene.now());
  await scene.observer.link("memes");
  await pollHub(scene.context);
  expect(await readPastProgress(scene.context)).toMatchObject([{ channelId: "memes", isListing: true }]);
  const slow = { ...scene.context, settings: { ...scene.context.settings, hubCallsForPast: 1 } };
  const seen: object[] = [];
  for (let run = 0; run < 12; run += 1) {
    await readCastsByParent(slow);
    const [progress] = await readPastProgress(slow);
    if (progress && !progress.isListing) seen.push(progress);
  }
  const at = (index: number) => (roots[index]?.message.data.timestamp ?? 0) + 1_609_459_200;
  expect(seen).toEqual(
    [0, 1, 2, 3, 4].map((known) => ({
      channelId: "memes",
      isListing: false,
      known,
      left: 5 - known,
      knownFrom: at(4 - known) + 1,
    })),
  );
  expect(await readPastProgress(slow)).toEqual([]);
});
