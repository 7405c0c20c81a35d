import type { Config } from "../../config.ts";
import { eventsPerBlock, messageEpoch } from "../../contract/hub.ts";
import { amount } from "../../text/amount.ts";
import { checkService, hostOf, readOwnName, trim } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe } from "./probe.ts";

type Hub = NonNullable<Config["HUB_URL"]>[number];
type HubConfig = Pick<Config, "HUB_URL" | "HUB_SHARD" | "CLIENT_API_URL" | "REGISTRY_URL" | "BOT_FID">;

/** A hub that is further behind tells of casts too late to moderate them. Seconds. */
const mostBehind = 300;
const mainnet = "FARCASTER_NETWORK_MAINNET";

/** Each hub: whether it answers, is of the same network as the other services, and how far it is behind. */
export async function checkHubs(config: HubConfig, probe: Probe): Promise<Finding[]> {
  const name = await readOwnName(config, probe);
  return Promise.all((config.HUB_URL ?? []).map((hub) => checkHub(hub, { config, name, probe })));
}

interface HubContext {
  config: HubConfig;
  /** The bot's name at the registry. */
  name: string | undefined;
  probe: Probe;
}

async function checkHub(hub: Hub, context: HubContext): Promise<Finding> {
  const part = `Hub ${hostOf(hub.address)}`;
  const ask = (path: string) => context.probe.ask(`${trim(hub.address)}${path}`, hub.headers);
  return checkService(part, "HUB_URL", async () => {
    const info = await ask("/v1/info");
    const { status, json, words } = info;
    if (status === 401 || status === 403) {
      const mend = "Give HUB_URL the header that its host wants, such as x-api-key=KEY behind the address.";
      return wrong(part, `does not let this key in (${status}): ${words}.`, mend);
    }
    if (status === 429)
      return unknown(part, "allows no more calls just now (429).", "Try again in a minute.");
    if (status !== 200 || json === undefined) {
      const mend =
        "Check the address in HUB_URL: it is that of a hub's HTTP interface, often with port 3381.";
      return wrong(part, `answers ${status} to /v1/info with ${words}.`, mend);
    }
    const shards = shardsOf(json, context.config.HUB_SHARD);
    const latest = await Promise.all(shards.map((shard) => readLatest(ask, shard)));
    const foreign = findForeignMessage(context.config, latest) ?? (await findForeignName(ask, context));
    if (foreign !== undefined) {
      const mend = "Set HUB_URL to a hub of the network that CLIENT_API_URL and REGISTRY_URL belong to.";
      return wrong(part, `is of another network: ${foreign}.`, mend);
    }
    const times = latest.flatMap(({ time }) => (time === undefined ? [] : [time]));
    const behind = Math.round(Date.now() / 1000 - Math.min(...times));
    if (times.length > 0 && behind > mostBehind) {
      const mend = "Wait until it has caught up, or name another hub in HUB_URL.";
      return wrong(part, `is ${amount(Math.round(behind / 60), "minute")} behind.`, mend);
    }
    const version = readField(json, "version");
    const lag = times.length === 0 ? "" : `, ${Math.max(0, behind)} s behind`;
    const told = typeof version === "string" && version !== "" ? `version ${version}, ` : "";
    return ok(
      part,
      `${told}${amount(Math.max(1, shards.length), "shard")}${lag}; answers in ${info.took} ms`,
    );
  });
}

function shardsOf(info: unknown, set: number | undefined): (number | undefined)[] {
  if (set !== undefined) return [set];
  const named = readList(info, "shardInfos")
    .map((shard) => readField(shard, "shardId"))
    .filter((id) => typeof id === "number")
    .filter((id) => id > 0);
  return named.length > 0 ? named : [undefined];
}

type Ask = (path: string) => ReturnType<Probe["ask"]>;

interface Latest {
  /** UNIX seconds of the newest block. */
  time: number | undefined;
  /** Networks that the newest messages name. */
  networks: string[];
}

async function readLatest(ask: Ask, shard: number | undefined): Promise<Latest> {
  const of = shard === undefined ? "" : `&shard_index=${shard}`;
  const { json } = await ask(`/v1/events?reverse=true&page_size=100${of}`);
  const events = readList(json, "events");
  const networks = events
    .map((event) => readField(event, "mergeMessageBody", "message", "data", "network"))
    .filter((network) => typeof network === "string");
  const ids = events.map((event) => readField(event, "id")).filter((id) => typeof id === "number");
  const newest = Math.max(...ids);
  if (ids.length === 0) return { time: undefined, networks };
  // The first event of a block says when it was confirmed.
  const block = newest - (newest % eventsPerBlock);
  const first = await ask(`/v1/events?from_event_id=${block}&page_size=1${of}`);
  const time = readField(readList(first.json, "events")[0], "blockConfirmedBody", "timestamp");
  return { time: typeof time === "number" ? time + messageEpoch : undefined, networks };
}

/** Only of Farcaster's own API is known what its messages say. */
function findForeignMessage({ CLIENT_API_URL }: HubConfig, latest: readonly Latest[]): string | undefined {
  if (!/(^|\.)(farcaster\.xyz|warpcast\.com)$/.test(new URL(CLIENT_API_URL).hostname)) return undefined;
  const foreign = latest.flatMap(({ networks }) => networks).find((network) => network !== mainnet);
  return foreign === undefined ? undefined : `its messages are of ${foreign}, not of ${mainnet}`;
}

/** Each hub knows the names that the registry gave out. */
async function findForeignName(ask: Ask, { config, name }: HubContext): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { status, json, words } = await ask(`/v1/userNameProofByName?name=${encodeURIComponent(name)}`);
  if (status === 200) {
    const fid = readField(json, "fid");
    if (fid === config.BOT_FID || fid === undefined) return undefined;
    return `there "${name}" belongs to fid ${String(fid)}, at the registry to ${config.BOT_FID}`;
  }
  // A hub of another make may not have the route at all.
  if (json === undefined || !/not.?found|no such|NotFound/i.test(words) || /route/i.test(words))
    return undefined;
  return `it does not know "${name}", the name of fid ${config.BOT_FID} at the registry`;
}
