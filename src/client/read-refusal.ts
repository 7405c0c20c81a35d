import { z } from "zod";
import { seconds, type Clock } from "../clock.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { AppError, httpErrors, isFinalStatus, type ErrorCode, type Mistake } from "../errors.ts";
import type { HttpAnswer } from "./exchange.ts";
import { parseJsonObject } from "./lenient.ts";

/** Error bodies of all three interfaces, with every field optional. */
const RefusalBody = z.object({
  errors: z
    .array(z.object({ message: z.string(), reason: z.string(), instancePath: z.string() }).partial())
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  error: z.string().optional().catch(undefined),
  error_detail: z.string().optional().catch(undefined),
  code: z.string().optional().catch(undefined),
});

// The keys of an object literal are the keys of its type.
const httpCodes = Object.keys(httpErrors) as ErrorCode[];
const codes: ReadonlyMap<string, ErrorCode> = new Map(httpCodes.map((code) => [code, code]));

/** The meaning of a status if the body names no reason. */
const codeOfStatus: ReadonlyMap<number | undefined, ErrorCode> = new Map(
  httpCodes.filter((code) => httpErrors[code]?.isUsual).map((code) => [httpErrors[code]?.status, code]),
);

/** The error in a response outside 200..299: the one an in-process call would throw, if the response names it. */
export function readRefusal(endpoint: Endpoint, answer: HttpAnswer, clock: Clock): AppError {
  const { status } = answer;
  const body = RefusalBody.parse(parseJsonObject(answer.text) ?? {});
  const [first, ...rest] = body.errors ?? [];
  const word = first?.reason ?? body.code ?? knownWord(body.error);
  const message = first?.message ?? readDetail(body.error_detail) ?? body.message ?? body.error;
  const retryAfter = readRetryAfter(answer.retryAfter, clock);
  return new AppError(
    isMissingEvent(endpoint, status, body.error) ? "not_found" : chooseCode(status, word),
    message?.slice(0, 1000) ?? `The network returned status ${status}.`,
    {
      status,
      mayHaveHappened: endpoint.method !== "GET" && status >= 500 && status !== 503,
      mistakes: rest.map((one): Mistake => ({
        path: one.instancePath ?? "",
        message: one.message ?? "",
      })),
      ...(first?.instancePath !== undefined && {
        instancePath: first.instancePath,
      }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...(word !== undefined && { reason: word }),
    },
  );
}

/** Hubs return 400 or 404 for a missing event, and 400 with another message for one that they have but cannot encode. */
function isMissingEvent({ path }: Endpoint, status: number, error: string | undefined): boolean {
  if (path !== "/v1/eventById" || status !== 400) return false;
  return error === undefined || ["Failed to get event", "NotFound"].includes(error);
}

function chooseCode(status: number, word: string | undefined): ErrorCode {
  const known = codes.get(word ?? "");
  if (known) return known;
  const unknown = isFinalStatus(status) ? "network_refused" : "network_failed";
  if (word !== undefined && status !== 429) return unknown;
  return codeOfStatus.get(status) ?? unknown;
}

/** Hubs return their gRPC service's error in debug form: `status: InvalidArgument, message: "Shard not found", …`. */
function readDetail(detail: string | undefined): string | undefined {
  return /^status: \w+, message: "((?:[^"\\]|\\.)+)"/.exec(detail ?? "")?.[1] ?? detail;
}

/** `error` is a code on hubs and a sentence on registries. */
function knownWord(text: string | undefined): string | undefined {
  return text !== undefined && codes.has(text) ? text : undefined;
}

/** Seconds, from a number of seconds or a date. */
function readRetryAfter(header: string | null, clock: Clock): number | undefined {
  if (header === null) return undefined;
  // Some services send fractions, which Date.parse would read as a day of 2001.
  if (/^\d{1,6}(\.\d+)?$/.test(header)) return Math.ceil(Number(header));
  const until = Date.parse(header);
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil(until / 1000) - seconds(clock));
}
