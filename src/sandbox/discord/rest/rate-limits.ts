import { createHash } from "node:crypto";
import type { Clock } from "../../../clock.ts";
import { DiscordError } from "../discord-error.ts";

interface Window {
  used: number;
  /** Milliseconds since 1970. */
  resetAt: number;
}

/** Routes with their own bucket: `limit` requests in `span` milliseconds, for each captured id. */
const bucketsOf = (roomLimit: number) => [
  { method: "POST", path: /^\/channels\/(\d+)\/messages$/, limit: roomLimit, span: 5000 },
  { method: "PATCH", path: /^\/channels\/(\d+)\/messages\/\d+$/, limit: 5, span: 5000 },
  { method: "DELETE", path: /^\/channels\/(\d+)\/messages\/\d+$/, limit: 5, span: 1000 },
  { method: "POST", path: /^\/webhooks\/\d+\/([^/]+)$/, limit: 5, span: 2000 },
  { method: "PATCH", path: /^\/webhooks\/\d+\/([^/]+)\/messages\/.+$/, limit: 5, span: 2000 },
];

const globalLimit = 50;

export type RateLimits = ReturnType<typeof createRateLimits>;

/** `roomLimit`: how many messages a room accepts within five seconds. */
export function createRateLimits(clock: Clock, roomLimit = 5) {
  const buckets = bucketsOf(roomLimit);
  const windows = new Map<string, Window>();
  let lastSweep = clock.now();

  function take(key: string, span: number): Window {
    const now = clock.now();
    if (now - lastSweep > 60_000) {
      for (const [other, { resetAt }] of windows) if (resetAt <= now) windows.delete(other);
      lastSweep = now;
    }
    const current = windows.get(key);
    const window = current && current.resetAt > now ? current : { used: 0, resetAt: now + span };
    window.used += 1;
    windows.set(key, window);
    return window;
  }

  return {
    /** Counts a request and returns the response headers. Throws 429 if the client should have waited. */
    count(method: string, path: string, open: boolean): Record<string, string> {
      if (!open) {
        const window = take("global", 1000);
        if (window.used > globalLimit) throw limited(waitOf(window, clock), { "x-ratelimit-global": "true" });
      }
      const bucket = buckets.find((candidate) => candidate.method === method && candidate.path.test(path));
      if (!bucket) return {};
      const window = take(`${method} ${bucket.path.exec(path)?.[1]} ${bucket.span}`, bucket.span);
      const headers = {
        "x-ratelimit-limit": String(bucket.limit),
        "x-ratelimit-remaining": String(Math.max(0, bucket.limit - window.used)),
        "x-ratelimit-reset": (window.resetAt / 1000).toFixed(3),
        "x-ratelimit-reset-after": waitOf(window, clock).toFixed(3),
        "x-ratelimit-bucket": createHash("md5").update(`${method} ${bucket.path.source}`).digest("hex"),
      };
      if (window.used > bucket.limit)
        throw limited(waitOf(window, clock), { ...headers, "x-ratelimit-scope": "user" });
      return headers;
    },
  };
}

function waitOf(window: Window, clock: Clock): number {
  return Math.max(0, window.resetAt - clock.now()) / 1000;
}

function limited(wait: number, headers: Record<string, string>): DiscordError {
  const global = "x-ratelimit-global" in headers;
  return new DiscordError(429, 0, "You are being rate limited.", {
    headers: {
      "retry-after": String(Math.ceil(wait)),
      ...(global ? { "x-ratelimit-scope": "global" } : {}),
      ...headers,
    },
    more: { retry_after: wait, global },
    violation: true,
  });
}
