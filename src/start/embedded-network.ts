import { readFile } from "node:fs/promises";
import { networkWorkers } from "../../workers/index.ts";
import type { ApiContext } from "../api/context.ts";
import { createApi, type Api } from "../api/create-api.ts";
import { createServer } from "../api/http/create-server.ts";
import { importNetworkFileOnce } from "../api/network-file/import-network.ts";
import { createRegistrySigner } from "../api/signatures.ts";
import { AppError, asAppError, explainSystemError } from "../errors.ts";
import { boundTo, explainListening, nearOriginOf, originOf } from "../listening.ts";
import { readQueues } from "../metrics/collectors.ts";
import { openQueues } from "../queue/queues.ts";
import { startWorkers } from "../queue/start-workers.ts";
import { isTraced } from "../spans.ts";
import { decodeUtf8 } from "../text/decode-utf8.ts";
import { reportRequests } from "../web/report-requests.ts";
import { addBotAccount } from "./bot-account.ts";
import { checkDatabase, checkWorkers, taskNames } from "./health.ts";
import { networkPlace, readNetworkSettings } from "./network-settings.ts";
import type { Resources } from "./resources.ts";
import type { StartContext } from "./start-context.ts";

/** The installation's own network, served over HTTP. */
export interface EmbeddedNetwork {
  api: Api;
  /** http://host:port of all three interfaces, for use on this machine; undefined if another process serves them. */
  origin: string | undefined;
  /** The same as it is bound, for people. */
  bound: string | undefined;
  /** Runs the network's background work, if this process serves it. */
  runWorkers: () => Promise<void>;
}

/**
 * Opens the embedded network with the bot's own account. It does not use the database before `after`. Listens if this
 * process `serves` the network.
 */
export async function openEmbeddedNetwork(
  start: StartContext,
  resources: Resources,
  { serves, after }: { serves: boolean; after: Promise<void> },
): Promise<EmbeddedNetwork> {
  const { config, clock, log, database, keys, health, metrics, onFatal } = start;
  const settings = readNetworkSettings(config);
  const context: ApiContext = {
    database,
    clock,
    log,
    settings,
    registry: createRegistrySigner(keys.registryKey, settings.nameDomain),
    messageSigners: start.messageSigners,
  };
  const api = createApi(context);
  const fill = async () => {
    await addBotAccount(api, start, after);
    if (config.NETWORK_FILE) await loadFile(context, config.NETWORK_FILE);
  };
  if (!serves) {
    await fill();
    return { api, origin: undefined, bound: undefined, runWorkers: async () => {} };
  }
  // Created while the database is filled. It listens when there is data to serve.
  const filling = fill();
  filling.catch(() => {});
  const server = await createServer({
    api,
    log,
    isReady: start.isReady,
    findTrouble: health.findTrouble,
    operator: { token: config.OPERATOR_TOKEN ?? keys.operatorToken, hosts: [] },
    backUp: health.backUp,
    examine: async () => health.examination?.run(),
    tasks: new Map(taskNames.map((name) => [name, async (body) => health.tasks[name]?.(body)])),
    trustedProxies: config.TRUSTED_PROXIES,
    ...(config.ADDRESS_LIMIT ? { sourceLimit: { calls: config.ADDRESS_LIMIT, seconds: 60 } } : {}),
  });
  if (metrics || isTraced()) reportRequests(server, "network");
  resources.use({ close: () => server.close() });
  await filling;
  const place = networkPlace(config);
  await server.listen({ host: place.host, port: place.port }).catch((cause: unknown) => {
    throw explainListening(cause, place);
  });
  const runWorkers = async () => {
    const names = networkWorkers.map(({ name }) => name);
    const queues = resources.use(await openQueues(names, { database, log, redis: config }));
    metrics?.addCollector("network_queues", async () => readQueues(await queues.status()));
    const workers = await startWorkers(queues, networkWorkers, context, { log, clock, onFatal });
    health.add(
      "The workers of the network",
      checkWorkers(resources.use(workers).status, checkDatabase(database)),
    );
  };
  const bound = boundTo(server.server);
  return { api, origin: nearOriginOf(bound), bound: originOf(bound), runWorkers };
}

async function loadFile(context: ApiContext, file: string): Promise<void> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_file", `NETWORK_FILE (${file}) cannot be read: ${why}.`, { cause });
  });
  await importNetworkFileOnce(context, decodeUtf8(bytes, `NETWORK_FILE (${file})`)).catch(
    (error: unknown) => {
      const known = asAppError(error, "invalid_file");
      if (!known) throw error;
      const message = `NETWORK_FILE (${file}): ${known.message}`;
      throw new AppError("invalid_file", message, { cause: error, mistakes: [...known.mistakes] });
    },
  );
}
