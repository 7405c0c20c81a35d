import { defaultSettings, type NetworkSettings } from "../api/context.ts";
import type { Config } from "../config.ts";
import { liveNameDomain } from "../contract/name-claim.ts";
import type { ListeningPlace } from "../listening.ts";

const hour = 3600;
/** Seconds for which a name cannot be transferred again at the live registry. */
const liveThrottle = 28 * 24 * hour;

/** Names that the live registry assigns only by hand. */
const liveReserved = `
adidas amazon apple arbitrum barackobama bbc billgates binance bitcoin blockchain bmw cia cloud cnn coinbase consensys
context crypto data dell disney drake elonmusk ethereum f1 facebook farcaster farcaster-client farcaster-xyz
farcasterxyz fashion fbi fifa finance fitness food fwb fwbdao gallery games ge gem gm gnosis gnosissafe google health
hp hyperverse ibm intel invest jpmorgan kraken kucoin lebronjames lionelmessi luxury messi metamask microsoft
midjourney miniapp miniapps mirror ml money nasa nba netflix news nfl nike nounsdao obsidian openai opensea optimism
oracle ourzora pga poap polygon privacy rainbow rarible ronaldo samsung sony starknet stripe sudoswap superrare
sushiswap syndicate tesla tezos travel twitter uber un uniswap urbit viamirror vitalik warpcast youtube zora zoraco
`;

/** The embedded network's configuration. */
export function readNetworkSettings(config: Config): NetworkSettings {
  return {
    ...defaultSettings,
    ...(config.REGISTRY_RULES === "live" && {
      reservedNames: new Set(liveReserved.trim().split(/\s+/)),
      transferThrottle: liveThrottle,
      directTransfers: false,
    }),
    ...(config.NAME_DOMAIN === "live" && { nameDomain: liveNameDomain }),
    hubRetention: config.HUB_HOURS * hour,
  };
}

/** The address of the embedded network; in a process that serves none, the address of its health checks. */
export function networkPlace({ HOST: host, PORT: port }: Config): ListeningPlace {
  return { host, port, hostSetting: "HOST", portSetting: "PORT" };
}

/** The address of the metrics; undefined if they are off. */
export function metricsPlace({ METRICS_HOST: host, METRICS_PORT: port }: Config): ListeningPlace | undefined {
  if (port === undefined) return undefined;
  return { host, port, hostSetting: "METRICS_HOST", portSetting: "METRICS_PORT" };
}
