import { describe } from "vitest";
import { createClient, createOperatorClient } from "../../src/client/create-client.ts";
import type { Network, Operator } from "../../src/contract/index.ts";
import type { TestNetwork } from "./network.ts";
import { operatorToken, serveNetwork } from "./serve-network.ts";

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
