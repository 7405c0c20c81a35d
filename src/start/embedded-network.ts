import { readFile } from "node:fs/promises";
import { getPublicKeyAsync } from "@noble/ed25519";
import type { FastifyInstance } from "fastify";
import { privateKeyToAddress } from "viem/accounts";
import { networkWorkers } from "../../workers/index.ts";
import type { ApiContext } from "../api/context.ts";
import { createApi, type Api } from "../api/create-api.ts";
import { createServer } from "../api/http/create-server.ts";
import { importNetworkFileOnce } from "../api/network-file/import-network.ts";
import { createRegistrySigner } from "../api/signatures.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { boundTo, explainListening, nearOriginOf, originOf } from "../listening.ts";
import { openQueues } from "../queue/queues.ts";
import { startWorkers } from "../queue/start-workers.ts";
import { readNetworkSettings } from "./network-settings.ts";
import { checkWorkers } from "./health.ts";
import { offerBackup } from "./back-up.ts";
import { openAll, type OpenedParts } from "./opened-parts.ts";
import type { Parts } from "./parts.ts";

/** The network of this installation, served over HTTP. */
export interface EmbeddedNetwork {
  api: Api;
  context: ApiContext;
  /** http://host:port of all three interfaces, as this machine reaches them; undefined where another process serves them. */
  origin: string | undefined;
  /** The same as it is bound, for people. */
  bound: string | undefined;
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** Whether this process listens. */
  serves: boolean;
  /** Hears of a worker that has stopped for good. */
  onFatal: (error: AppError) => void;
}

/** Opens the embedded network, with the bot's own account in it. */
export function openEmbeddedNetwork(
  parts: Parts,
  database: Database,
  options: NetworkOptions,
): Promise<EmbeddedNetwork> {
  return openAll((opened) => open(opened, parts, database, options));
}

async function open(
  { keep, close }: OpenedParts,
  parts: Parts,
  database: Database,
  { serves, onFatal }: NetworkOptions,
): Promise<EmbeddedNetwork> {
  const { config, clock, log, keys, health } = parts;
  const settings = readNetworkSettings(config);
  const context: ApiContext = {
    database,
    clock,
    log,
    settings,
    registry: createRegistrySigner(keys.registryKey, settings.nameDomain),
  };
  const api = createApi(context);
  await addBotAccount(api, parts);
  if (config.NETWORK_FILE) await loadFile(context, config.NETWORK_FILE);
  if (!serves) return { api, context, origin: undefined, bound: undefined, close };
  const server = await createServer({
    api,
    log,
    isReady: parts.isReady,
    findTrouble: health.findTrouble,
    operator: { token: config.OPERATOR_TOKEN ?? keys.operatorToken, hosts: [] },
    backUp: offerBackup(database, config.DATA_DIR, log),
    trustedProxies: config.TRUSTED_PROXIES,
    ...(config.ADDRESS_LIMIT ? { sourceLimit: { calls: config.ADDRESS_LIMIT, seconds: 60 } } : {}),
  });
  keep({ close: () => server.close() });
  const place = await listen(server, config);
  const names = networkWorkers.map(({ name }) => name);
  const queues = keep(await openQueues(names, { database, log, redisUrl: config.REDIS_URL }));
  const { status } = keep(await startWorkers(queues, networkWorkers, context, { log, clock, onFatal }));
  health.add("The workers of the network", checkWorkers(status));
  return { api, context, origin: nearOriginOf(place), bound: originOf(place), close };
}

/** At the first start the bot gets its account, its application key and its place on the allowlist. */
async function addBotAccount(api: Api, { config, keys }: Parts): Promise<void> {
  const appKey = config.BOT_APP_KEY?.replace(/^0x/, "") ?? keys.botAppKey;
  const publicKey = Buffer.from(await getPublicKeyAsync(Buffer.from(appKey, "hex"))).toString("hex");
  await api.operator.importNetwork({
    accounts: [
      {
        fid: config.BOT_FID,
        custodyAddress: privateKeyToAddress(keys.botCustodyKey),
        username: "castellan",
        appKeys: [`0x${publicKey}`],
      },
    ],
    botAllowlist: [config.BOT_FID],
  });
}

async function loadFile(context: ApiContext, file: string): Promise<void> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new AppError("invalid_file", `NETWORK_FILE ${file} cannot be read.`, { cause });
  });
  await importNetworkFileOnce(context, text);
}

/** The settings that say where it listens. */
export const networkSettings = { hostSetting: "HOST", portSetting: "PORT" } as const;

async function listen(server: FastifyInstance, { HOST: host, PORT: port }: Config) {
  await server.listen({ host, port }).catch((cause: unknown) => {
    throw explainListening(cause, { host, port, ...networkSettings });
  });
  return boundTo(server.server);
}
