import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { ClientOptions } from "../../src/client/create-client.ts";
import { createHubShards } from "../../src/observe/hub/shards.ts";
import { createCallBudget } from "../../src/observe/live/call-budget.ts";
import { usualLimits } from "../../src/observe/live/call-limits.ts";
import { createFarClient } from "../client/far-client.ts";
import { LiveChain, startLiveNode, type LiveNode } from "./live-hub.ts";
import { createObserver, type Observer } from "../support/observer.ts";
import { channelUrl } from "../support/seed.ts";
import type { World } from "../support/world.ts";
import { witnessesOf } from "./witnesses.ts";

/** An observer of the live hub's double; each test begins with /memes alone and a chain of two empty shards. */
export interface LiveScene {
  observer: Observer;
  chain: LiveChain;
  node: LiveNode;
  /** The observer, whose hub is the node. */
  context: World;
  /** What is read from now on is read from this node, by a process that knows nothing of others. */
  follow(node: LiveNode, options?: Partial<ClientOptions>): void;
  /** UNIX seconds. */
  now(): number;
  castIn(text: string, at?: number): ReturnType<LiveChain["cast"]>;
  /** What was cast, as it was told. */
  texts(): Promise<string[]>;
  gaps(): Promise<object[]>;
}

export function useLiveHub(): LiveScene {
  // Its parts are there when the first test begins.
  const scene = {
    follow({ url }, options) {
      const network = createFarClient(url, options);
      const { context } = scene.observer;
      const { database, clock } = context;
      const budget = createCallBudget({ database, clock, limits: usualLimits });
      const live = { background: () => network, budget, witnesses: witnessesOf([{ hub: network.hub }]) };
      const own = { ...context, network: { ...context.network, hub: network.hub }, live };
      scene.context = { ...own, hubShards: createHubShards(own) };
    },
    now: () => Math.floor(scene.context.clock.now() / 1000),
    castIn: (text, at = scene.now()) =>
      scene.chain.cast({ fid: 3, text, at, parentUrl: channelUrl("memes") }),
    texts: async () =>
      (await scene.observer.events("cast.created")).map(({ data }) => ("text" in data ? data.text : "")),
    gaps: async () => (await scene.observer.events("gap.found")).map(({ data }) => data),
  } as LiveScene;
  beforeAll(async () => {
    scene.observer = await createObserver();
  });
  afterAll(() => scene.observer.context.database.close());
  beforeEach(async () => {
    await scene.observer.context.database.truncate();
    await scene.observer.network.seed.channel("memes");
    scene.chain = new LiveChain();
    scene.node = await startLiveNode(scene.chain);
    scene.follow(scene.node);
  });
  afterEach(() => scene.node.close());
  return scene;
}
