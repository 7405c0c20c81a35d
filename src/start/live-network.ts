import { createClient } from "../client/create-client.ts";
import { createNetworkClock, type NetworkClock } from "../client/network-clock.ts";
import type { Network } from "../contract/index.ts";
import type { StartContext } from "./start-context.ts";

export interface LiveNetwork {
  network: Network;
  clock: NetworkClock;
}

/** How long the start waits for the network's time, in milliseconds. */
const patience = 5_000;

/**
 * The live network, or ours on another machine, as the bot's fid sees it (NETWORK=live), and its time. The time is asked
 * for before anything is done by it; a network that does not answer now is believed when it does.
 */
export async function openLiveNetwork({
  config,
  clock: machine,
  log,
}: Pick<StartContext, "config" | "clock" | "log">): Promise<LiveNetwork> {
  // parseConfig has made sure that both are given with NETWORK=live.
  const { BOT_APP_KEY: appKey = "", HUB_URL: hubUrl = [] } = config;
  const clock = createNetworkClock(machine, log);
  const network = createClient({
    clientUrl: config.CLIENT_API_URL,
    registryUrl: config.REGISTRY_URL,
    hubUrl,
    ...(config.HUB_SHARD === undefined ? {} : { hubShard: config.HUB_SHARD }),
    signer: { fid: config.BOT_FID, privateKey: Buffer.from(appKey.replace(/^0x/, ""), "hex") },
    clock,
    log,
    hearTime: (answer, began) => clock.hear(answer, began),
  });
  const signal = AbortSignal.timeout(patience);
  // Any answer names the time, a refusal too.
  await network.channels.get({ channelId: "farcaster" }, { signal }).catch((error: unknown) => {
    log.debug({ err: error }, "the network was asked for its time");
  });
  return { network, clock };
}
