import type { AddressInfo } from "node:net";
import { getPublicKeyAsync } from "@noble/ed25519";
import type { FastifyInstance } from "fastify";
import type { ApiContext } from "../../src/api/context.ts";
import type { Api } from "../../src/api/create-api.ts";
import { createServer, type ServerOptions } from "../../src/api/http/create-server.ts";
import { mintToken, type Signer } from "../../src/client/token.ts";
import { seconds } from "../../src/clock.ts";

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
