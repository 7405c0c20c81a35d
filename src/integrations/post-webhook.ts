import { createHmac } from "node:crypto";
import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { useAgent } from "request-filtering-agent";
import { AppError } from "../errors.ts";

const timeoutMs = 5_000;

export interface WebhookMessage {
  /** The same at each attempt, so that a receiver can recognize a repetition. */
  id: string;
  /** UNIX seconds of this attempt. */
  timestamp: number;
  body: string;
}

/**
 * The signature of a message by the Standard Webhooks specification: HMAC-SHA256 over id, timestamp and body.
 */
export function signWebhook(secret: string, { id, timestamp, body }: WebhookMessage): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

/**
 * Posts a message and waits for the status, for five seconds at most; follows no redirect and reads no body. Unless
 * `mayBePrivate`, every address that the host resolves to must be public. Throws `webhook_failed` with the reason.
 */
export async function postWebhook(
  { url, secret, mayBePrivate }: { url: string; secret: string; mayBePrivate: boolean },
  message: WebhookMessage,
): Promise<void> {
  const options = {
    method: "POST",
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(message.body),
      "user-agent": "castellan",
      "webhook-id": message.id,
      "webhook-timestamp": message.timestamp,
      "webhook-signature": signWebhook(secret, message),
    },
    // A new connection for each call, so that its address is checked.
    ...(mayBePrivate ? { agent: false } : { agent: useAgent(url), lookup }),
  } as const satisfies RequestOptions;
  const status = await send(url, options, message.body).catch((cause: unknown) => {
    throw new AppError("webhook_failed", explain(cause), { cause });
  });
  if (status < 200 || status > 299)
    throw new AppError("webhook_failed", `The address answered ${status}.`, { status });
}

/**
 * Resolves a name without the threads that all other look-ups of this process share, because a name server that does not
 * answer holds them for many seconds.
 */
const lookup: LookupFunction = (hostname, { family, all }, done) => {
  callbackify(findAddresses)(hostname, family, (_error, found) => {
    const [first] = found;
    if (!first) done(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
    else if (all) done(null, found);
    else done(null, first.address, first.family);
  });
};

/** Empty if there is none, or no name server answers. */
async function findAddresses(
  hostname: string,
  family: number | string | undefined,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const none = () => [];
  const [four, six] = await Promise.all([
    family === 6 ? [] : resolver.resolve4(hostname).catch(none),
    family === 4 ? [] : resolver.resolve6(hostname).catch(none),
  ]);
  return [
    ...four.map((address) => ({ address, family: 4 })),
    ...six.map((address) => ({ address, family: 6 })),
  ];
}

function send(url: string, options: RequestOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const call = request(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    call.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    call.on("error", reject);
    call.on("close", () => reject(new Error("the connection was closed")));
    call.end(body);
  });
}

function explain(cause: unknown): string {
  if (!(cause instanceof Error)) return "The call failed.";
  if (cause.name === "TimeoutError" || cause.name === "AbortError")
    return `The address did not answer within ${timeoutMs / 1000} s.`;
  if (/is not allowed/.test(cause.message)) return "The address is not public.";
  const code = "code" in cause && typeof cause.code === "string" ? ` (${cause.code})` : "";
  return `The address cannot be reached${code}.`;
}
