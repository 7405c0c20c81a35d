import type { FastifyInstance } from "fastify";
import { createServer, type ServerOptions } from "../../src/api/http/create-server.ts";
import { silentLog } from "../../src/log.ts";
import { createScriptedApi, type ReceivedCall } from "./scripted-api.ts";
import { operatorToken } from "./serve-network.ts";

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
