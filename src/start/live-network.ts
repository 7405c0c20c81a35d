import { createBreakers, type Rest } from "../client/breakers.ts";
import type { Upstream } from "../client/choose-hub.ts";
import { createClient } from "../client/create-client.ts";
import { createNetworkClock, type NetworkClock } from "../client/network-clock.ts";
import type { Config } from "../config.ts";
import type { LiveCalls } from "../contract/channel-events.ts";
import type { Network } from "../contract/index.ts";
import type { Database } from "../database/database.ts";
import { createCallBudget } from "../observe/live/call-budget.ts";
import { usualLimits, type CallLimits, type Purpose } from "../observe/live/call-limits.ts";
import { createKeyRecord, type BotKey } from "../observe/live/bot-key.ts";
import type { LiveReading } from "../observe/live/call-budget.ts";
import { publicKeyOf, readKeyStanding } from "./doctor/check-key.ts";
import { createProbe } from "./doctor/probe.ts";
import { describeWitness } from "./describe-witness.ts";
import type { StartContext } from "./start-context.ts";

export interface LiveNetwork {
  network: Network;
  clock: NetworkClock;
  reading: LiveReading;
}

/** How long the start waits for the network's time, in milliseconds. */
const timeoutMs = 5_000;

/**
 * The live network, or a Castellan network on another machine, as the bot's fid sees it (NETWORK=live), and its time.
 * The time is requested before anything depends on it. If the network does not answer now, its time is used once it
 * does.
 */
export async function openLiveNetwork({
  config,
  clock: machine,
  log,
  database,
}: Pick<StartContext, "config" | "clock" | "log" | "database">): Promise<LiveNetwork> {
  // parseConfig guarantees both with NETWORK=live.
  const { BOT_APP_KEY: appKey = "", HUB_URL: hubUrl = [] } = config;
  const clock = createNetworkClock(machine, log);
  const budget = createCallBudget({ database, clock, limits: readLimits(config) });
  const onRest = (upstream: string, rest: Rest | undefined) => {
    noteRest(database, clock, upstream, rest).catch((error: unknown) => {
      log.warn({ err: error, upstream }, "could not store that a circuit breaker opened");
    });
  };
  const keyName = await publicKeyOf(Buffer.from(appKey, "hex"));
  const hearKey = createKeyRecord({ database, clock, log }, keyName);
  const breakers = createBreakers({ clock, log, onRest });
  const openAs = (purpose: string | undefined, hubs: readonly Upstream[] = hubUrl) =>
    createClient({
      clientUrl: config.CLIENT_API_URL,
      registryUrl: config.REGISTRY_URL,
      hubUrl: hubs,
      ...(config.HUB_SHARD === undefined ? {} : { hubShard: config.HUB_SHARD }),
      signer: { fid: config.BOT_FID, privateKey: Buffer.from(appKey, "hex") },
      userAgent: `Castellan (moderation bot for Farcaster channels; fid ${config.BOT_FID})`,
      clock,
      log,
      hearTime: (answer, began) => clock.addSample(answer, began),
      breakers,
      budget,
      hearKey,
      purpose,
    });
  const network = openAs(undefined);
  const key: BotKey = {
    name: keyName,
    check: (abort) =>
      readKeyStanding(config, { name: keyName, fid: config.BOT_FID }, createProbe({ signal: abort })),
  };
  const signal = AbortSignal.timeout(timeoutMs);
  // Any response contains the time, even an error. Commands hardly use this route, which each start calls.
  const asked = { fid: config.BOT_FID, channelId: "farcaster" };
  await network.channelFollows.status(asked, { signal }).catch((error: unknown) => {
    log.debug({ err: error }, "requested the network's time");
  });
  const clients = new Map<string, Network & LiveCalls>();
  const background = (purpose: Purpose) => {
    const client = clients.get(purpose) ?? openAs(purpose);
    clients.set(purpose, client);
    return client;
  };
  const witnesses = {
    hubs: hubUrl.map((hub) => ({ ...describeWitness(hub), hub: openAs(undefined, [hub]).hub })),
    registry: describeWitness({ address: config.REGISTRY_URL }),
  };
  return { network, clock, reading: { background, budget, key, witnesses } };
}

function readLimits({ CALL_LIMITS: given }: Config): CallLimits {
  const usual = given.findLast(({ route }) => route === undefined) ?? usualLimits.usual;
  const routes = new Map(usualLimits.routes);
  for (const { route, ...limits } of given) if (route !== undefined) routes.set(route, limits);
  return { usual, routes };
}

/** Stored, so that every process can report it. */
async function noteRest(
  { query }: Database,
  clock: NetworkClock,
  upstream: string,
  rest: Rest | undefined,
): Promise<void> {
  if (!rest) {
    await query.deleteFrom("castellan.upstream_backoffs").where("upstream", "=", upstream).execute();
    return;
  }
  const row = { since_ms: rest.since, announced_at_ms: clock.now(), reason: rest.reason.slice(0, 300) };
  await query
    .insertInto("castellan.upstream_backoffs")
    .values({ upstream, ...row })
    .onConflict((conflict) => conflict.column("upstream").doUpdateSet(row))
    .execute();
}
