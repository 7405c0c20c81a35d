import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import { nearOriginOf } from "../listening.ts";
import { readOperatorToken } from "../start/keys.ts";

/** The running instance's address, and the operator's token. */
export function instanceOf({ HOST: host, PORT: port, OPERATOR_TOKEN, DATA_DIR }: Config) {
  return { url: nearOriginOf({ host, port }), token: OPERATOR_TOKEN ?? readOperatorToken(DATA_DIR) };
}

/** Sends a request to the running instance as its operator. Throws `network_unreachable` if none answers. */
export async function askInstance(
  config: Config,
  path: string,
  request: RequestInit = {},
): Promise<Response> {
  const { url, token } = instanceOf(config);
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(`${url}${path}`, { ...request, headers }).catch((cause: unknown) => {
    throw new AppError("network_unreachable", `No instance answers at ${url}${path}. Is it running?`, {
      cause,
    });
  });
}
