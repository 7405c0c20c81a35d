import type { Fault } from "../live-faults.ts";
import type { LiveNode } from "../live-hub.ts";
import type { Scene } from "./open-scene.ts";
import type { Random } from "./random.ts";

/** Something that goes wrong for a while. */
export interface FaultKind {
  name: string;
  /** Events may be gone for good: then a gap is to be told. */
  loses?: boolean;
  /** Begins it, and gives what ends it. */
  begin(scene: Scene, random: Random): () => void;
}

/** Milliseconds: within the bot's patience, and beyond it. */
const slowness = { bearable: 60, unbearable: 800 };

const httpFaults: { name: string; make: (random: Random) => Fault }[] = [
  { name: "is slow", make: () => ({ what: "slow", milliseconds: slowness.bearable }) },
  { name: "is too slow", make: () => ({ what: "slow", milliseconds: slowness.unbearable }) },
  { name: "gives half a body", make: () => ({ what: "half" }) },
  { name: "does what it is asked and says nothing", make: () => ({ what: "lost" }) },
  { name: "answers 502", make: () => ({ what: "status", status: 502 }) },
  {
    name: "answers 504 and does it all the same",
    make: () => ({ what: "status", status: 504, performed: true }),
  },
  {
    name: "answers 503 for a while",
    make: (random) => ({ what: "status", status: 503, retryAfter: random.between(1, 60) }),
  },
  {
    name: "answers 429",
    make: (random) => ({ what: "status", status: 429, retryAfter: random.between(1, 90) }),
  },
  { name: "answers HTML", make: () => ({ what: "html" }) },
  { name: "hangs", make: () => ({ what: "hang" }) },
  { name: "drops connections", make: () => ({ what: "drop" }) },
];

/** One node or both, each as likely. */
function pickNodes({ nodes }: Scene, random: Random): LiveNode[] {
  return random.pick([[nodes[0]], [nodes[1]], [...nodes]]);
}

const hubHttp = httpFaults.map(({ name, make }): FaultKind => ({
  name: `the hub ${name}`,
  begin(scene, random) {
    const nodes = pickNodes(scene, random);
    for (const { faults } of nodes) faults.http = make(random);
    return () => {
      for (const { faults } of nodes) faults.http = undefined;
    };
  },
}));

const routes = [
  "/fc/channel-events",
  "/fc/channel-bans",
  "/fc/channel-members",
  "/fc/channel-invites",
  "/fc/channel-restricted-users",
  "/fc/moderated-casts",
  "/fc/pinned-casts",
  "/v1/channel",
];

const clientHttp = httpFaults.flatMap(({ name, make }): FaultKind[] => [
  {
    name: `the client API ${name}`,
    begin({ client }, random) {
      client.fail("*", make(random));
      return () => client.fail("*", undefined);
    },
  },
  {
    name: `one route of the client API ${name}`,
    begin({ client }, random) {
      const route = random.pick(routes);
      client.fail(route, make(random));
      return () => client.fail(route, undefined);
    },
  },
]);

const lastBlock = ({ chain }: Scene, shard: number) => chain.shards.get(shard)?.at(-1);
const shardsOf = ({ chain }: Scene, random: Random) => {
  const shards = [...chain.shards.keys()];
  return random.pick([...shards.map((shard) => [shard]), shards]);
};

const hubState: FaultKind[] = [
  {
    name: "a hub's shard stands still",
    begin(scene, random) {
      const [nodes, shards] = [pickNodes(scene, random), shardsOf(scene, random)];
      for (const { faults } of nodes)
        for (const shard of shards) faults.upTo.set(shard, lastBlock(scene, shard)?.number ?? 0);
      return () => nodes.forEach(({ faults }) => shards.forEach((shard) => faults.upTo.delete(shard)));
    },
  },
  {
    name: "a hub shows a block in parts",
    begin(scene, random) {
      const [nodes, shards] = [pickNodes(scene, random), shardsOf(scene, random)];
      for (const { faults } of nodes)
        for (const shard of shards) {
          const events = lastBlock(scene, shard)?.events ?? [];
          faults.untilId.set(shard, random.pick(events).id);
        }
      return () => nodes.forEach(({ faults }) => shards.forEach((shard) => faults.untilId.delete(shard)));
    },
  },
  {
    name: "a hub repeats events",
    begin(scene, random) {
      const nodes = pickNodes(scene, random);
      for (const { faults } of nodes) faults.repeats = true;
      return () => nodes.forEach(({ faults }) => void (faults.repeats = false));
    },
  },
  {
    name: "a hub cannot write out an event",
    loses: true,
    begin(scene, random) {
      const nodes = pickNodes(scene, random);
      const [shard = 1] = shardsOf(scene, random);
      // The one that comes next, if any does.
      const id = ((lastBlock(scene, shard)?.number ?? 0) + 1) * 16_384 + 1;
      for (const { faults } of nodes) faults.unwritable.add(id);
      return () => nodes.forEach(({ faults }) => faults.unwritable.delete(id));
    },
  },
  {
    name: "a hub's page is too large",
    begin(scene, random) {
      const nodes = pickNodes(scene, random);
      const [shard = 1] = shardsOf(scene, random);
      const block = ((lastBlock(scene, shard)?.number ?? 0) + 1) * 16_384;
      for (const { faults } of nodes) [1, 2, 3].forEach((event) => faults.tooLarge.add(block + event));
      return () => nodes.forEach(({ faults }) => faults.tooLarge.clear());
    },
  },
  {
    name: "a hub is away, and has forgotten what it was told meanwhile",
    loses: true,
    begin(scene, random) {
      const nodes = pickNodes(scene, random);
      for (const { faults } of nodes) faults.down = true;
      return () => nodes.forEach((node) => comeBackEmpty(scene, node, random.between(0, 5)));
    },
  },
  {
    name: "a hub is set up anew and is long in catching up",
    begin(scene, random) {
      const [node, shards] = [random.pick(scene.nodes), [...scene.chain.shards.keys()]];
      for (const shard of shards)
        node.faults.upTo.set(shard, (lastBlock(scene, shard)?.number ?? 0) - random.between(20, 60));
      return () => shards.forEach((shard) => node.faults.upTo.delete(shard));
    },
  },
  {
    name: "all hubs are set up anew and count fewer blocks",
    loses: true,
    begin(scene, random) {
      for (const { faults } of scene.nodes) faults.down = true;
      return () => {
        const [fewer, kept] = [random.between(20, 60), random.between(0, 5)];
        for (const node of scene.nodes) {
          comeBackEmpty(scene, node, kept);
          for (const shard of scene.chain.shards.keys()) {
            const before = node.faults.renumbered.get(shard) ?? 0;
            node.faults.renumbered.set(shard, before + fewer);
          }
        }
      };
    },
  },
];

/** With the latest blocks, and none before. */
function comeBackEmpty(scene: Scene, { faults }: LiveNode, kept: number): void {
  faults.down = false;
  for (const shard of scene.chain.shards.keys()) {
    faults.from.set(shard, (lastBlock(scene, shard)?.number ?? 0) - kept);
  }
}

const clientState: FaultKind[] = [
  {
    name: "the client API gives events of channels no more",
    begin({ client }) {
      client.servesEvents = false;
      return () => void (client.servesEvents = true);
    },
  },
  {
    name: "the client API shows things late",
    begin(scene, random) {
      const { client } = scene;
      scene.showsLate = true;
      client.channels.lateBy = () => random.between(0, 12_000);
      return () => void (client.channels.lateBy = () => 0);
    },
  },
  {
    name: "the client API repeats events",
    begin({ client }) {
      client.channels.repeats = true;
      return () => void (client.channels.repeats = false);
    },
  },
  {
    name: "the client API has rows of tomorrow",
    begin({ client }) {
      client.fail("*", { what: "unknown values" });
      return () => client.fail("*", undefined);
    },
  },
];

const others: FaultKind[] = [
  ...httpFaults.map(({ name, make }): FaultKind => ({
    name: `the registry ${name}`,
    begin({ registry }, random) {
      registry.fault = make(random);
      return () => {
        registry.fault = undefined;
      };
    },
  })),
  {
    name: "the bot's process ends and begins anew",
    begin(scene) {
      scene.restart();
      return () => scene.restart();
    },
  },
  ...[false, true].map((committed): FaultKind => ({
    name: `the bot's database goes away ${committed ? "just after" : "in the middle of"} transactions`,
    begin({ botFaults }, random) {
      botFaults.transactions = { one: random.between(1, 8), committed };
      return () => {
        botFaults.transactions = undefined;
      };
    },
  })),
  ...(["unreachable", "lost_answer"] as const).map((fault): FaultKind => ({
    name: `Discord is ${fault}`,
    begin({ rooms }, random) {
      for (let post = random.between(1, 6); post > 0; post -= 1) rooms.faults.push(fault);
      return () => void rooms.faults.splice(0);
    },
  })),
];

export const faultKinds: readonly FaultKind[] = [
  ...hubHttp,
  ...hubState,
  ...clientHttp,
  ...clientState,
  ...others,
];
