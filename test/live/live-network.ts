import { Wallet } from "ethers";
import { startLiveClient, type LiveClient } from "./live-client.ts";
import { LiveChain, startLiveNode, type LiveNode } from "./live-hub.ts";
import { LiveKeys } from "./live-keys.ts";
import { applicationKey } from "./live-messages.ts";
import { describeChannel } from "./live-pages.ts";
import { startLiveRegistry, type LiveRegistry } from "./live-registry.ts";
import type { Json } from "./live-server.ts";

/** The live network's services, which know of each other's people, names and casts; each has an address of its own. */
export interface LiveNetwork {
  chain: LiveChain;
  hub: LiveNode;
  client: LiveClient;
  registry: LiveRegistry;
  keys: LiveKeys;
  /** Seconds by which its clocks are ahead of the machine's. */
  clock: { ahead: number };
  /** Somebody with a wallet and an application key, each made of the fid; with a wallet that is given, no key yet. */
  join: (fid: number, person?: { name?: string; custody?: string }) => void;
  /** A cast in a channel, or a reply to another cast; gives its hash. */
  cast: (input: NewCast) => string;
  /** The hub has no newer blocks than of so many hours ago; undefined: it has all. */
  fallBehind: (hours: 1 | 2 | undefined) => void;
  /** The next block of each shard, with nothing in it. */
  tick: () => void;
  close(): Promise<void>;
}

export interface NewCast {
  fid: number;
  text: string;
  channelId?: string;
  /** The hash of what it replies to. */
  parent?: string;
}

/** When the first blocks were confirmed, hours ago. */
const firstBlocks = [2, 1, 0];

/** `channels`: how many there are besides those that a test adds, and /farcaster. */
export async function startLiveNetwork({ channels = 0 } = {}): Promise<LiveNetwork> {
  const clock = { ahead: 0 };
  const now = () => Date.now() + clock.ahead * 1000;
  const seconds = () => Math.floor(now() / 1000);
  const chain = new LiveChain();
  for (const shard of chain.shards.keys()) {
    for (const hours of firstBlocks)
      chain.confirm(shard, seconds() - hours * 3600, [], firstBlocks.length - hours);
  }
  const keys = new LiveKeys(now, chain);
  const merge = (proof: Json) => {
    for (const shard of chain.shards.keys()) chain.confirm(shard, seconds(), [proof]);
  };
  const [hub, client, registry] = await Promise.all([
    startLiveNode(chain, now),
    startLiveClient(now, channels, keys),
    startLiveRegistry(now, chain, merge),
  ]);
  client.channels.add("farcaster", 1);

  function join(fid: number, { name, custody }: { name?: string; custody?: string } = {}): void {
    chain.custody.set(fid, custody ?? new Wallet(`0x${fid.toString(16).padStart(64, "0")}`).address);
    if (custody === undefined) keys.add(applicationKey(fid).key, fid);
    if (name === undefined) return;
    registry.give(name, fid, seconds());
    const shown = chain.userData(fid, "USER_DATA_TYPE_USERNAME", name, seconds());
    chain.confirm(chain.shardOf(fid), seconds(), [shown]);
  }

  function cast({ fid, text, channelId, parent }: NewCast): string {
    const above = parent === undefined ? undefined : chain.casts.get(parent);
    const channel = client.channels.all.get(
      channelId ?? client.channels.casts.get(parent ?? "")?.channelId ?? "",
    );
    const { hash, merged } = chain.cast({
      fid,
      text,
      at: seconds(),
      ...(above
        ? { parent: { fid: above.data.fid, hash: above.hash } }
        : channel && { parentUrl: String(describeChannel(channel)["url"]) }),
    });
    chain.confirm(chain.shardOf(fid), seconds(), [merged]);
    if (channel) client.channels.cast(channel.id, hash, fid);
    return hash;
  }

  function fallBehind(hours: 1 | 2 | undefined): void {
    hub.faults.upTo.clear();
    if (hours === undefined) return;
    for (const shard of chain.shards.keys()) hub.faults.upTo.set(shard, firstBlocks.length - hours);
  }

  const tick = () => chain.shards.forEach((_, shard) => chain.confirm(shard, seconds()));
  const close = async () => void (await Promise.all([hub.close(), client.close(), registry.close()]));
  return { chain, hub, client, registry, keys, clock, join, cast, fallBehind, tick, close };
}
