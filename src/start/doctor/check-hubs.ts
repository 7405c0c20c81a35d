import type { Config } from "../../config.ts";
import { eventsPerBlock, messageEpoch } from "../../contract/hub.ts";
import { amount } from "../../text/amount.ts";
import { checkService, hostOf, readOwnName, trim } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { describeWitness } from "../describe-witness.ts";
import { isEnough } from "../../observe/live/witnesses.ts";
import { listShards } from "../../observe/hub/shards.ts";
import { readField, readList, type Probe, type ProbeAnswer } from "./probe.ts";

type Hub = NonNullable<Config["HUB_URL"]>[number];
type HubConfig = Pick<Config, "HUB_URL" | "HUB_SHARD" | "CLIENT_API_URL" | "REGISTRY_URL" | "BOT_FID">;

/** Maximum delay of a hub in seconds. Casts from a slower one arrive too late to moderate them. */
const maxBehind = 300;
const mainnet = "FARCASTER_NETWORK_MAINNET";

/** For each hub: whether it answers, is on the same network as the other services, and how far behind it is. */
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
    const shards = await findShards(ask, info, context.config.HUB_SHARD);
    if (shards.ids.length === 0) return judgeRefusal(part, "/v1/info", info);
    const latest = await Promise.all(shards.ids.map((shard) => readLatest(ask, shard)));
    const refused = latest.find(({ answer }) => answer.status !== 200);
    if (refused) return judgeRefusal(part, "/v1/events", refused.answer);
    const foreign = findForeignMessage(context.config, latest) ?? (await findForeignName(ask, context));
    if (foreign !== undefined) {
      const fix = "Set HUB_URL to a hub of the network that CLIENT_API_URL and REGISTRY_URL belong to.";
      return wrong(part, `is on another network: ${foreign}.`, fix);
    }
    if (latest.every(({ events }) => events === 0)) {
      return unknown(
        part,
        `returned no events in ${describeShards(shards)}, so it is unknown whether it has any.`,
      );
    }
    const times = latest.flatMap(({ time }) => (time === undefined ? [] : [time]));
    const behind = Math.round(Date.now() / 1000 - Math.min(...times));
    if (times.length > 0 && behind > maxBehind) {
      const fix = "Wait until it has caught up, or name another hub in HUB_URL.";
      return wrong(part, `is ${amount(Math.round(behind / 60), "minute")} behind.`, fix);
    }
    const version = readField(info.json, "version");
    const lag = times.length === 0 ? "" : `, ${Math.max(0, behind)} s behind`;
    const named = typeof version === "string" && version !== "" ? `version ${version}, ` : "";
    const works = `${named}${describeShards(shards)}${lag}; answers in ${info.took} ms`;
    return judgeTrust(part, hub, context.config.HUB_URL ?? [], works);
  });
}

/** How far a working hub is trusted. */
function judgeTrust(part: string, hub: Hub, all: readonly Hub[], works: string): Finding {
  const { own, secure } = describeWitness(hub);
  if (!own && !secure) {
    return wrong(
      part,
      `is used over plain http, so others on the way can read its key and change its answers. Otherwise ${works}.`,
      "Use its https address. If it is your own node in your own network, write own after its address in HUB_URL.",
    );
  }
  if (isEnough(all.map(describeWitness))) return ok(part, works);
  return ok(
    part,
    `${works}. No second source confirms its data about people, so /setup link accepts no cast as proof. Add a hub of another host to HUB_URL, or write own after your own node`,
  );
}

/** Reports an error response, or a response that is not a hub's. */
function judgeRefusal(part: string, path: string, { status, words }: ProbeAnswer): Finding {
  switch (status) {
    case 401:
    case 403: {
      const fix = "Add the host's required header to HUB_URL, such as x-api-key=KEY after the address.";
      const to = path === "/v1/info" ? "" : ` for ${path}`;
      return wrong(part, `does not accept this key${to} (${status}): ${words}.`, fix);
    }
    case 402: {
      const fix = "Renew the plan at its host, choose one that includes this, or use another hub in HUB_URL.";
      return wrong(part, `requires payment for ${path} (402), because the plan is used up: ${words}.`, fix);
    }
    case 429:
      return unknown(part, "allows no more calls now (429).", "Try again in a minute.");
    default: {
      const fix = "Check the address in HUB_URL. It must be a hub's HTTP interface, often with port 3381.";
      return wrong(part, `answers ${status} to ${path} with ${words}.`, fix);
    }
  }
}

interface Shards {
  ids: readonly (number | undefined)[];
  /** How the shards are known. */
  how: string;
}

/** If no source names the shards, they are tried in order. A hub that accepts any number has no further shards. */
const maxTried = 8;

async function findShards(ask: Ask, info: ProbeAnswer, set: number | undefined): Promise<Shards> {
  if (set !== undefined) return { ids: [set], how: "set by HUB_SHARD" };
  const shardInfos = readList(info.json, "shardInfos").flatMap((shard) => {
    const shardId = readField(shard, "shardId");
    return typeof shardId === "number" ? [{ shardId }] : [];
  });
  const count = readField(info.json, "numShards");
  const named = listShards({ shardInfos, numShards: typeof count === "number" ? count : 0 });
  if (named.length > 0) return { ids: named, how: "named by /v1/info" };
  const found: number[] = [];
  for (let shard = 1; shard <= maxTried; shard += 1) {
    const { status, json } = await ask(`/v1/events?reverse=true&page_size=1&shard_index=${shard}`);
    if (status !== 200 || !Array.isArray(readField(json, "events"))) break;
    const of = readField(readList(json, "events")[0], "shardIndex");
    if (typeof of === "number" && of !== shard) break;
    found.push(shard);
  }
  const why = info.status === 200 ? "names no shards" : `answers ${info.status}`;
  return { ids: found, how: `found by trying, because /v1/info ${why}` };
}

function describeShards({ ids, how }: Shards): string {
  return `${amount(ids.length, "shard")} (${how})`;
}

type Ask = (path: string) => Promise<ProbeAnswer>;

interface Latest {
  answer: ProbeAnswer;
  /** The number of events. */
  events: number;
  /** UNIX seconds of the newest block. */
  time: number | undefined;
  /** Networks that the newest messages name. */
  networks: string[];
}

async function readLatest(ask: Ask, shard: number | undefined): Promise<Latest> {
  const of = shard === undefined ? "" : `&shard_index=${shard}`;
  const answer = await ask(`/v1/events?reverse=true&page_size=100${of}`);
  const events = readList(answer.json, "events");
  const networks = events
    .map((event) => readField(event, "mergeMessageBody", "message", "data", "network"))
    .filter((network) => typeof network === "string");
  const ids = events.map((event) => readField(event, "id")).filter((id) => typeof id === "number");
  const latest = { answer, events: events.length, networks };
  if (ids.length === 0) return { ...latest, time: undefined };
  const newest = Math.max(...ids);
  // The first event of a block has the time of its confirmation.
  const block = newest - (newest % eventsPerBlock);
  const first = await ask(`/v1/events?from_event_id=${block}&page_size=1${of}`);
  const time = readField(readList(first.json, "events")[0], "blockConfirmedBody", "timestamp");
  return { ...latest, time: typeof time === "number" ? time + messageEpoch : undefined };
}

/** Only the messages of Farcaster's own API have a known network. */
function findForeignMessage({ CLIENT_API_URL }: HubConfig, latest: readonly Latest[]): string | undefined {
  if (!/(^|\.)(farcaster\.xyz|warpcast\.com)$/.test(new URL(CLIENT_API_URL).hostname)) return undefined;
  const foreign = latest.flatMap(({ networks }) => networks).find((network) => network !== mainnet);
  return foreign === undefined ? undefined : `its messages are from ${foreign}, not from ${mainnet}`;
}

/** Every hub must know the names that the registry issued. */
async function findForeignName(ask: Ask, { config, name }: HubContext): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { status, json, words } = await ask(`/v1/userNameProofByName?name=${encodeURIComponent(name)}`);
  if (status === 200) {
    const fid = readField(json, "fid");
    if (fid === config.BOT_FID || fid === undefined) return undefined;
    return `there "${name}" belongs to fid ${String(fid)}, at the registry to ${config.BOT_FID}`;
  }
  // A different hub implementation may not have the route at all.
  if (json === undefined || !/not.?found|no such|NotFound/i.test(words) || /route/i.test(words))
    return undefined;
  return `it does not know "${name}", the name of fid ${config.BOT_FID} at the registry`;
}
