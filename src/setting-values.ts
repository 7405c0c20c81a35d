import { z } from "zod";
import type { Mistake } from "./errors.ts";
import { isLoopback } from "./listening.ts";
import { readSecretFile, type Settings } from "./settings-file.ts";

export const integer = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^[0-9]{1,16}$/, error)
    .transform(Number)
    .pipe(z.number().refine((number) => number >= least && number <= most, { error }));
};

export const oneOf = <const Names extends readonly string[]>(...names: Names) =>
  z.enum(names, { error: `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}` });

export const url = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address such as ${example}` });

/** The address of a server, with a user and a password. */
export const server = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine(isEncoded, {
      abort: true,
      error:
        "has a character in its user or password that must be percent-encoded: write @ as %40, # as %23, / as %2F, ? as %3F and % as %25",
    })
    .pipe(url(protocols, example));

/** Otherwise part of a password would be parsed as host or path, and repeated in an error. */
function isEncoded(address: string): boolean {
  const [, authority = "", rest = ""] = /^[a-z]+:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  const user = authority.slice(0, Math.max(authority.lastIndexOf("@"), 0));
  if (/%(?![0-9a-f]{2})/i.test(user) || rest.includes("#")) return false;
  // An unencoded / or ? in a password ends the host too early, which leaves the @ in the rest.
  return !/^(\/[^?]*|\?.*)@/s.test(rest);
}

/** `redis-1:26379, [::1]:26380` */
export const ServerList = z
  .string()
  .transform((list) => list.split(",").map((server) => server.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^(\[[0-9a-f:.]+\]|[\w.-]+):[0-9]{1,5}$/i, {
          error: "must be servers with their ports, such as redis-1:6379,redis-2:6379, without passwords",
        })
        .transform((server) => {
          const [host = "", port = ""] = server.split(/:(?=[0-9]+$)/);
          return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
        })
        .refine(({ port }) => port <= 65_535, "must give ports up to 65535"),
    ),
  )
  .optional();

/** Settings of the queues' Redis that contradict each other or would have no effect. */
export function findRedisMistakes(given: Settings): Mistake[] {
  const { REDIS_URL: url, REDIS_CA_FILE: authority } = given;
  const hasUrl = Boolean(url ?? given["REDIS_URL_FILE"]);
  const needUrl = ["REDIS_CA_FILE", "REDIS_SENTINELS", "REDIS_CLUSTER"].filter((name) => given[name]);
  const mistakes = hasUrl ? [] : needUrl.map((path) => ({ path, message: "needs REDIS_URL" }));
  if (given["REDIS_SENTINELS"] && given["REDIS_CLUSTER"]) {
    mistakes.push({ path: "REDIS_CLUSTER", message: "cannot be set together with REDIS_SENTINELS" });
  }
  if (authority === undefined) return mistakes;
  if (url && !url.startsWith("rediss:")) {
    mistakes.push({ path: "REDIS_CA_FILE", message: "needs a REDIS_URL that begins with rediss://" });
  }
  const file = readSecretFile(authority);
  if ("mistake" in file) {
    mistakes.push({ path: "REDIS_CA_FILE", message: `names ${authority}, which ${file.mistake}` });
  }
  return mistakes;
}

export const web = url(/^https?$/, "https://api.example.org").refine(
  (address) => !/^https?:\/\/[^/?#]*@/i.test(address.trim()),
  "must have no user or password in it: fetch refuses such addresses",
);
/** A secret that is sent as a header, alone or after another word. */
export const headerText = z
  .string()
  .regex(
    /^[!-~]+$/,
    "has a space, a line break, a typographic quote or another character that it cannot have",
  );
/** A wallet's private key, with or without 0x. */
export const walletKey = z
  .string()
  .regex(/^(0x)?[0-9a-fA-F]{64}$/, "must be a wallet's private key in 64 hex digits")
  .transform((key): `0x${string}` => `0x${key.replace(/^0x/, "").toLowerCase()}`)
  .optional();
export const text = z.string().min(1);
export const port = integer(0, 65_535);

/** `memes:123456789012345678,art:1234…`: servers that may link a channel without further proof. */
export const ChannelGuilds = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{0,15}:[0-9]{5,20}(,[0-9a-z][0-9a-z-]{0,15}:[0-9]{5,20})*$/, {
    error: "must be channel:server id pairs such as memes:123456789012345678,art:123456789012345678",
  })
  .transform((pairs) => {
    const guilds = new Map<string, Set<string>>();
    for (const pair of pairs.split(",")) {
      const [channelId = "", guildId = ""] = pair.split(":");
      guilds.set(channelId, (guilds.get(channelId) ?? new Set()).add(guildId));
    }
    return guilds;
  })
  .default(new Map<string, Set<string>>());

/** The same pairs in a file, one or several per line; # starts a comment. Throws if the file contains anything else. */
export function readChannelGuilds(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = file
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => line.replace(/#.*/, "").split(/[\s,]+/))
    .filter((pair) => pair !== "");
  if (pairs.length === 0) return new Map();
  const parsed = ChannelGuilds.safeParse(pairs.join(","));
  if (parsed.success) return parsed.data;
  const wrong = pairs.find((pair) => !ChannelGuilds.safeParse(pair).success) ?? "";
  throw new TypeError(
    `it ${parsed.error.issues[0]?.message ?? "is wrong"}, not ${JSON.stringify(wrong.slice(0, 60))}`,
  );
}

/** `https://hub.one.example x-api-key=KEY, http://hub.internal:3381 own` */
export const Hubs = z
  .string()
  .transform((list) =>
    list.split(",").map((entry): { address: string; headers: string[][]; own?: boolean | undefined } => {
      const [address = "", ...marks] = entry.trim().split(/\s+/);
      const headers = marks.filter((mark) => mark !== "own");
      return {
        address,
        headers: headers.map((header) => header.split(/=(.*)/s).slice(0, 2)),
        own: headers.length < marks.length ? true : undefined,
      };
    }),
  )
  .pipe(
    z.array(
      z.object({
        address: web,
        headers: z
          .array(
            z.tuple([z.string().regex(/^[\w-]+$/), headerText], {
              error: "must give headers as name=value, such as x-api-key=KEY, and `own` for your own node",
            }),
          )
          .transform((headers) => Object.fromEntries(headers)),
        /** The operator's own node: trusted without confirmation from others. */
        own: z.boolean().optional(),
      }),
    ),
  )
  .optional();

/** `18/450,/fc/channel-bans=10/200`: calls in ten seconds and in an hour, per route by default and for single routes. */
export const Limits = z
  .string()
  .regex(
    /^(((?:[A-Z]+ )?\/[^=,]*=)?[1-9]\d{0,5}\/[1-9]\d{0,6}(,\s*(?!$)|$))+$/,
    "must give calls in ten seconds and in an hour, for every route and for some, such as 18/450,/fc/channel-bans=10/200",
  )
  .transform((list) =>
    list.split(/,\s*/).map((entry) => {
      const [limit = "", route] = entry.split("=").toReversed();
      const [burst = 0, hour = 0] = limit.split("/").map(Number);
      return { route, burst, hour };
    }),
  )
  .default([]);

/** `127.0.0.1,10.0.0.0/8` */
export const Networks = z
  .string()
  .transform((list) => list.split(",").map((part) => part.trim()))
  .pipe(
    z.array(
      z
        .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
          error: ({ input }) =>
            `must be addresses or networks such as 127.0.0.1,10.0.0.0/8, not ${JSON.stringify(input)}`,
        })
        .refine((network) => !network.endsWith("/0"), "must name the proxies: a network of /0 is everyone"),
    ),
  )
  .optional();

/** `x-api-key=KEY,authorization=Bearer%20TOKEN`, as OpenTelemetry writes headers. */
export const HeaderPairs = z
  .string()
  .regex(
    /^\s*[\w-]+=([^\s,%]|%[2-7][0-9a-f])+(\s*,\s*[\w-]+=([^\s,%]|%[2-7][0-9a-f])+)*\s*$/i,
    "must be headers such as x-api-key=KEY,authorization=Bearer%20TOKEN",
  )
  .transform((pairs) =>
    Object.fromEntries(
      pairs.split(",").map((pair) => {
        const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(pair.trim()) ?? [];
        return [name, decodeURIComponent(value)];
      }),
    ),
  )
  .optional();

/** `hooks.example.org, *.example.com` */
export const Hosts = z
  .string()
  .transform((list) => list.split(",").map((host) => host.trim().toLowerCase()))
  .pipe(
    z.array(
      z.string().regex(/^(\*\.)?([a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/, {
        error: "must be hosts such as hooks.example.org, *.example.com, without port or path",
      }),
    ),
  )
  .default([]);

/** `wallets https://lists.example/config.json, ours https://lists.example/good.txt allow` */
export const LinkLists = z
  .string()
  .transform((lists) =>
    lists.split(",").map((list) => {
      const [name = "", url = "", ...marks] = list.trim().split(/\s+/);
      return { name, url, marks };
    }),
  )
  .pipe(
    z
      .array(
        z
          .object({
            name: z
              .string()
              .regex(
                /^[a-z0-9][a-z0-9_-]{0,39}$/,
                "must begin each list with its name: 1 to 40 of a-z, 0-9, _ and -",
              ),
            url: web.refine(isSafeToAsk, "must give https addresses: http is for this machine only"),
            marks: z.union([z.tuple([]), z.tuple([z.literal("allow")])], {
              error: "must have nothing after an address except allow",
            }),
          })
          .transform(({ name, url, marks }) => ({ name, url, allows: marks.length > 0 })),
      )
      .max(20, "must name at most 20 lists")
      .refine(
        (lists) => new Set(lists.map(({ name }) => name)).size === lists.length,
        "must name each list only once",
      ),
  )
  .default([]);

function isSafeToAsk(url: string): boolean {
  return !URL.canParse(url) || new URL(url).protocol === "https:" || isLoopback(new URL(url).hostname);
}
