import { z } from "zod";
import type { CallOptions, Endpoint } from "../contract/endpoint.ts";
import { hub } from "../contract/hub.ts";
import { registryInfo, transfers } from "../contract/registry.ts";
import { creatorRewards, developerRewards } from "../contract/rewards.ts";
import { AppError } from "../errors.ts";
import type { Answer } from "./attempt.ts";
import { isJsonObject, parseJsonObject, type JsonObject } from "./parse-json.ts";
import { readEvent, readEventPage } from "./read-events.ts";
import { relax } from "./relax.ts";

type Reader = (body: JsonObject, input: unknown, options: CallOptions) => unknown;

/** Reads the answers 200..299 of one endpoint into what an in-process call gives. Throws `network_failed`. */
export function createResultReader(
  endpoint: Endpoint,
): (answer: Answer, input: unknown, options?: CallOptions) => unknown {
  const read = chooseReader(endpoint);
  return ({ status, text }, input, options = {}) => {
    try {
      const body = parseJsonObject(text);
      if (!body) throw new TypeError("the answer is no JSON object");
      return read(body, input, options);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError("network_failed", "The network's answer cannot be read.", {
        cause,
        status,
        mayHaveHappened: endpoint.method !== "GET",
      });
    }
  };
}

function chooseReader(endpoint: Endpoint): Reader {
  if (endpoint === hub.events) return readEventPage;
  if (endpoint === hub.eventById) return readEvent;
  if (endpoint === registryInfo.health) return () => ({ status: "ok" });
  const schema = relax(endpoint.result);
  if (endpoint === transfers.current) return (body) => schema.parse(completeCurrent(body));
  if (endpoint === transfers.create) {
    return (body) => schema.parse(isJsonObject(body["transfer"]) ? body : { transfer: body });
  }
  const settle = winnerLayouts.get(endpoint) ?? ((result: unknown) => result);
  if (!endpoint.paginated) return (body) => schema.parse(unwrap(body));
  return (body) => {
    const result = schema.parse(settle(unwrap(body)));
    const next = Next.parse(body["next"]);
    return next ? { result, next } : { result };
  };
}

/** Winners are documented with and without `history` around them; each endpoint gives its own layout (decisions.md). */
const winnerLayouts = new Map<Endpoint, (result: unknown) => unknown>([
  [
    creatorRewards.winnerHistory,
    (result) => (isJsonObject(result) && isJsonObject(result["history"]) ? result : { history: result }),
  ],
  [
    developerRewards.winnerHistory,
    (result) => (isJsonObject(result) && isJsonObject(result["history"]) ? result["history"] : result),
  ],
]);

/** A page's end is said in more than one way: no `next`, no cursor, an empty one. */
const Next = z
  .object({ cursor: z.string().min(1) })
  .optional()
  .catch(undefined);

/** Some services wrap what they answer in `result`, some do not. */
function unwrap(body: JsonObject): unknown {
  return isJsonObject(body["result"]) ? body["result"] : body;
}

/** Registries answer the transfer alone, in a list, or both; an empty list is their way of not finding it. */
function completeCurrent({ transfer, transfers }: JsonObject): unknown {
  const list = Array.isArray(transfers) ? transfers : [];
  const current: unknown = transfer ?? list[0];
  if (current === undefined) throw new AppError("not_found", "No transfer found", { status: 200 });
  return { transfer: current, transfers: [current] };
}
