import { createClient } from "../client/create-client.ts";
import type { Network } from "../contract/index.ts";
import type { Parts } from "./parts.ts";

/** The live network, or ours on another machine, as the bot's fid sees it (NETWORK=live). */
export function openLiveNetwork({ config, clock, log }: Pick<Parts, "config" | "clock" | "log">): Network {
  // parseConfig has made sure that both are given with NETWORK=live.
  const { BOT_APP_KEY: appKey = "", HUB_URL: hubUrl = "" } = config;
  return createClient({
    clientUrl: config.CLIENT_API_URL,
    registryUrl: config.REGISTRY_URL,
    hubUrl,
    ...(config.HUB_SHARD === undefined ? {} : { hubShard: config.HUB_SHARD }),
    signer: { fid: config.BOT_FID, privateKey: Buffer.from(appKey.replace(/^0x/, ""), "hex") },
    clock,
    log,
  });
}
