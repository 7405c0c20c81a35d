/** Calls to the live network for linking a channel with many casts, and for reading the replies to them afterwards. */
import { createHubShards } from "../src/observe/hub/shards.ts";
import { readPastProgress, type PastProgress } from "../src/observe/hub/past-progress.ts";
import { usualLimits } from "../src/observe/live/call-limits.ts";
import { linkNow } from "../commands/setup/link-now.ts";
import { createFarClient } from "../test/client/far-client.ts";
import { startLiveClient } from "../test/live/live-client.ts";
import { LiveChain, startLiveNode } from "../test/live/live-hub.ts";
import { runWorkers } from "../test/live/simulated-workers.ts";
import { createObserver, guild } from "../test/support/observer.ts";
import { botFid, commandContext } from "../test/support/world.ts";

export interface LargeChannel {
  /** To the client API, and to the hub for its casts, from the command until all casts are indexed. */
  calls: { client: number; hub: number };
  seconds: number;
  casts: number;
  /** Progress of the replies at each of these times, in seconds from then, and the number of calls for them. */
  progress: { after: number; past: PastProgress | undefined; hubCalls: number }[];
}

const [owner, ownerUser] = [1, "100"];
const url = "https://farcaster.xyz/~/channel/memes";
const names = new Set([
  "poll-hub",
  "poll-listings",
  "poll-records",
  "verify-links",
  "become-moderator",
  "read-past",
]);
/** The same number as on the live network. */
const hubCallsForPast = 2;

/** Links a channel with that many casts, one every ten minutes up to now, with the command that people type. */
export async function linkLargeChannel(count: number, looks: readonly number[]): Promise<LargeChannel> {
  const { context } = await createObserver();
  const { clock, database } = context;
  await database.truncate();
  const chain = new LiveChain();
  const now = Math.floor(clock.now() / 1000);
  for (let index = 0; index < count; index += 1) {
    chain.cast({
      fid: 3 + (index % 500),
      text: `cast ${index}`,
      at: now - 600 * (index + 1),
      parentUrl: url,
    });
  }
  const node = await startLiveNode(chain);
  const client = await startLiveClient(() => clock.now());
  try {
    client.channels.add("memes", owner);
    client.channels.verifications.set(owner, ownerUser);
    client.channels.setStanding("memes", botFid, "moderator");
    clock.advance(60);
    const { hub } = createFarClient(node.url);
    const settings = {
      ...context.settings,
      hubSeconds: 1,
      hubCallsForPast,
      history: { ...context.settings.history, seconds: 90 * 86_400 },
    };
    const world = { ...context, settings, network: { ...context.network, hub } };
    const run = runWorkers(
      { ...world, hubShards: createHubShards(world) },
      { url: client.url, limits: usualLimits, names },
    );
    const began = clock.now();
    const actor = {
      guildId: guild,
      userId: ownerUser,
      roleIds: [],
      managesServer: true,
      roomId: "200000000000000001",
    };
    await linkNow(commandContext(run.context, actor), "memes");
    const isListed = async () =>
      (await database.query.selectFrom("castellan.watched_channels").select("past_page").execute()).some(
        ({ past_page }) => past_page === null,
      );
    do await run.pass(1);
    while (!(await isListed()) && clock.now() < began + 3600_000);
    const casts = (of: string) =>
      node.requests.filter((path) => path.startsWith("/v1/castsByParent") && path.includes(`${of}=`)).length;
    const calls = { client: client.requests.length, hub: casts("url") };
    const seconds = (clock.now() - began) / 1000;
    const progress: LargeChannel["progress"] = [];
    const from = clock.now();
    for (const after of looks) {
      await run.pass(after - (clock.now() - from) / 1000);
      const [past] = await readPastProgress(run.context);
      progress.push({ after, past, hubCalls: casts("hash") });
    }
    return { calls, seconds, casts: count, progress };
  } finally {
    await Promise.all([client.close(), node.close()]);
    await database.close();
  }
}
