import { parseInput, type Api } from "../../src/api/create-api.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { AppError } from "../../src/errors.ts";

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
