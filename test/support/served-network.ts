import type { AddressInfo } from "node:net";
import { getPublicKeyAsync } from "@noble/ed25519";
import type { FastifyInstance } from "fastify";
import type { ApiContext } from "../../src/api/context.ts";
import { parseInput, type Api } from "../../src/api/create-api.ts";
import { createServer, type ServerOptions } from "../../src/api/http/create-server.ts";
import { mintToken, type Signer } from "../../src/client/token.ts";
import { seconds } from "../../src/clock.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { AppError } from "../../src/errors.ts";
import { silentLog } from "../../src/log.ts";

export const operatorToken = "operator-token-of-the-tests-0123456789";

/** The test's network behind real HTTP on a free port of loopback. */
export interface ServedNetwork {
  url: string;
  server: FastifyInstance;
  /** A signer whose key is registered for the fid. */
  signer(fid: number): Promise<Signer>;
  /** A token that is valid for five minutes of the test's clock. */
  token(fid: number): Promise<string>;
}

export async function serveNetwork(
  { context, api }: { context: ApiContext; api: Api },
  options: Partial<ServerOptions> = {},
): Promise<ServedNetwork> {
  const server = await createServer({
    api,
    log: context.log,
    isReady: () => true,
    operator: { token: operatorToken, hosts: [] },
    ...options,
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const signer = async (fid: number) => {
    const privateKey = Buffer.alloc(32, `key of ${fid}`);
    const key = `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}`;
    const row = { fid, key, revoked_at: null };
    await context.database.query
      .insertInto("network.app_keys")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { fid, privateKey };
  };
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    server,
    signer,
    token: async (fid) => mintToken(await signer(fid), seconds(context.clock) + 300),
  };
}

export function portOf(server: FastifyInstance): number {
  // A server that listens on TCP has an address of this kind.
  return (server.server.address() as AddressInfo).port;
}

/** One call as it reached the network: after the token, before the operation. */
export interface ReceivedCall {
  endpoint: Endpoint;
  input: unknown;
  caller: number;
}

/**
 * The network's side of HTTP without its operations: input is parsed as createApi does, then `answer` speaks for the
 * operation. For tests of what HTTP adds, and of answers that are hard to bring about. "Bearer 7" is the token of fid 7.
 */
export function createScriptedApi(
  answer: (call: ReceivedCall) => unknown,
): Pick<Api, "callText" | "authenticate"> {
  return {
    async authenticate(header) {
      const fid = /^Bearer (\d+)$/.exec(header ?? "")?.[1];
      if (!fid) throw new AppError("invalid_auth_token", "The token is not valid.");
      return Number(fid);
    },
    async callText(endpoint, input, caller = 0) {
      if (endpoint.auth === "app_key" && caller === 0) {
        throw new AppError("invalid_auth_token", "This call needs a bearer token.");
      }
      return JSON.stringify(answer({ endpoint, input: parseInput(endpoint, input), caller }));
    },
  };
}

/** A server whose operations succeed and remember what reached them; "Bearer 7" is the token of fid 7. */
export async function createScriptedServer(
  options: Partial<ServerOptions> = {},
): Promise<{ server: FastifyInstance; calls: ReceivedCall[] }> {
  const calls: ReceivedCall[] = [];
  const server = await createServer({
    api: createScriptedApi((call) => {
      calls.push(call);
      return { success: true };
    }),
    log: silentLog,
    isReady: () => true,
    operator: { token: operatorToken, hosts: ["castle.test"] },
    ...options,
  });
  return { server, calls };
}
