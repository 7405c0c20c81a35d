import { setTimeout } from "node:timers/promises";
import { describe, expect, inject } from "vitest";
import type { NetworkSettings } from "../../src/api/context.ts";
import { pruneHubEvents } from "../../src/api/operations/hub.ts";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import { seconds, systemClock } from "../../src/clock.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import { operatorToken, serveNetwork } from "./served-network.ts";
import { createTestContext, createTestNetwork, type TestNetwork } from "./world.ts";

/** Where a server that conformance runs against has its three interfaces, and who operates it. */
export interface ServerAddress {
  base: string;
  names: string;
  hub: string;
  operatorToken: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Absent where the tests run against an embedded network of their own. */
    interfaceServer: ServerAddress | undefined;
  }
}

/** The server that the tests of the interface talk to, and its time. */
export interface InterfaceServer extends ServerAddress {
  now: () => number;
  justNow: (epoch?: number) => unknown;
  pass: (seconds: number) => Promise<void>;
  close: () => Promise<void>;
}

/** Where this holds, rows are skipped that need hours to pass, or a server with other settings than by default. */
export const againstServer = inject("interfaceServer") !== undefined;

export function openInterfaceServer(settings: Partial<NetworkSettings>): Promise<InterfaceServer> {
  const address = inject("interfaceServer");
  return address && Object.keys(settings).length === 0 ? openAddressed(address) : openEmbedded(settings);
}

/** Which of the three interfaces a request is for. */
export function originOf({ base, names, hub }: ServerAddress, request: string): string {
  const [, path = ""] = request.split(" ");
  if (/^\/(transfers|signer|current-time|_health)/.test(path)) return names;
  return /^\/v1\/event(s|ById)/.test(path) ? hub : base;
}

async function openEmbedded(settings: Partial<NetworkSettings>): Promise<InterfaceServer> {
  const network = await createTestNetwork(await createTestContext(settings));
  const { url, server } = await serveNetwork(network);
  const { clock, database } = network.context;
  return {
    base: url,
    names: url,
    hub: url,
    operatorToken,
    now: () => seconds(clock),
    justNow: (epoch = 0) => seconds(clock) - epoch,
    async pass(time) {
      clock.advance(time);
      await pruneHubEvents(network.context);
    },
    async close() {
      await server.close();
      await database.close();
    },
  };
}

/** Its clock is taken to go with ours, to within a few seconds. */
async function openAddressed(address: ServerAddress): Promise<InterfaceServer> {
  return {
    ...address,
    now: () => seconds(systemClock),
    // Two digits before the point: half of 10^1.3 is ten seconds.
    justNow: (epoch = 0) => expect.closeTo(seconds(systemClock) - epoch, -Math.log10(20)) as unknown,
    pass: (time) => setTimeout(time * 1000 + 50),
    close: async () => {},
  };
}

/** A test's network as callers reach it. */
export interface ReachedNetwork {
  /** As a user sees it, with a registered key. */
  as(fid: number): Promise<Network>;
  public: Network;
  operator: Operator;
  close(): Promise<void>;
}

export type ReachNetwork = (network: TestNetwork) => Promise<ReachedNetwork>;

/** Runs a suite twice: on calls in this process, and over HTTP with real sockets and tokens. */
export function forEachTransport(suite: (reach: ReachNetwork) => void): void {
  describe("in this process", () => {
    suite(reachInProcess);
  });
  describe("over HTTP", () => {
    suite(reachOverHttp);
  });
}

const reachInProcess: ReachNetwork = async ({ api }) => ({
  as: async (fid) => api.network(fid),
  public: api.network(),
  operator: api.operator,
  close: async () => {},
});

const reachOverHttp: ReachNetwork = async (network) => {
  const served = await serveNetwork(network);
  const { url, server } = served;
  const { clock, log } = network.context;
  const options = { clientUrl: url, registryUrl: url, hubUrl: url, clock, log };
  return {
    as: async (fid) => createClient({ ...options, signer: await served.signer(fid) }),
    public: createClient(options),
    operator: createOperatorClient({ url, token: operatorToken, clock, log }),
    close: () => server.close(),
  };
};
