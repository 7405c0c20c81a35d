/**
 * `npm run bench:registry -- --before DIRECTORY`: compares this checkout's name registry with that of another checkout,
 * which has to be built, on separate databases, in turns. With TEST_DATABASE_URL both are on that PostgreSQL.
 */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { pointFromScalar } from "tiny-secp256k1";
import { keccak256 } from "viem";
import { createClaimHasher, signDigest, type Hex } from "../src/api/signatures.ts";
import { describeClaim, ownNameDomain } from "../src/contract/name-claim.ts";
import { administer } from "./bench-database.ts";
import { judge, median, row, write } from "./figures.ts";
import { spawnCastellan } from "./spawn-castellan.ts";

const holders = 26_000;
/** Higher than the bot's own fid. */
const firstHolder = 10_001;
const rounds = 3;
const seconds = 4;
const connections = 16;
/** Maximum registrations per round and server. */
const batch = 10_000;
/** Milliseconds between registrations during reads, so that nothing can be cached. */
const writeEvery = 100;

const { values } = parseArgs({ options: { before: { type: "string" } } });
const server = process.env["TEST_DATABASE_URL"];
const operatorToken = randomBytes(24).toString("hex");
const hash = createClaimHasher(ownNameDomain);

interface Registry {
  url: string;
  pid: number;
  end(): Promise<void>;
}

interface Claim {
  body: string;
}

function keyOf(fid: number): Buffer {
  return Buffer.from(fid.toString(16).padStart(64, "0"), "hex");
}

function addressOf(key: Buffer): Hex {
  const point = pointFromScalar(key, false);
  if (!point) throw new Error("no key is zero");
  return `0x${keccak256(point.subarray(1)).slice(-40)}`;
}

/** Signed just before they are sent, because a claim is valid for a few minutes. */
function signClaims(from: number, count: number): Claim[] {
  const timestamp = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, index) => {
    const fid = from + index;
    const [name, owner] = [`p${fid}`, addressOf(keyOf(fid))];
    const signature = signDigest(hash(describeClaim(ownNameDomain, { name, owner, timestamp })), keyOf(fid));
    return { body: JSON.stringify({ name, owner, timestamp, from: 0, to: fid, fid, signature }) };
  });
}

const writers = 3 * batch + rounds * 200;
const firstWriter = 1_000_000;

function networkFile(): string {
  const accounts = Array.from({ length: holders }, (_, index) => ({
    fid: firstHolder + index,
    custodyAddress: `0x${randomBytes(20).toString("hex")}`,
    username: `h${firstHolder + index}`,
  }));
  const registering = Array.from({ length: writers }, (_, index) => ({
    fid: firstWriter + index,
    custodyAddress: addressOf(keyOf(firstWriter + index)),
  }));
  return JSON.stringify({ accounts: [...accounts, ...registering] });
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  listener.close();
  return typeof address === "object" && address ? address.port : 0;
}

async function start(checkout: string, file: string): Promise<Registry> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-bench-"));
  const port = await freePort();
  const name = `castellan_bench_${randomBytes(6).toString("hex")}`;
  if (server) await administer(server, `create database ${name}`);
  const database = server && new URL(server);
  if (database) database.pathname = `/${name}`;
  const child = spawnCastellan({
    checkout,
    role: "api",
    env: {
      NETWORK: "empty",
      DATA_DIR: directory,
      PORT: String(port),
      LOG_LEVEL: "error",
      OPERATOR_TOKEN: operatorToken,
      ...(database && { DATABASE_URL: database.href }),
    },
    stdout: "ignore",
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  const answer = await fetch(`${url}/operator/network`, {
    method: "POST",
    headers: { authorization: `Bearer ${operatorToken}`, "content-type": "application/json" },
    body: file,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      child.kill();
      await once(child, "exit");
      await rm(directory, { recursive: true });
      if (server) await administer(server, `drop database ${name} with (force)`);
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(`${url}/readycheck`).catch(() => undefined);
    if (ready?.ok) return;
    await sleep(50);
  }
  throw new Error("the registry did not start");
}

/** Processor time of a process, in milliseconds. */
async function processorTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

interface Measured {
  /** Responses a second. */
  rate: number;
  /** Microseconds of the registry's processor time per response. */
  cost: number;
}

async function load(registry: Registry, next: () => Partial<autocannon.Request>): Promise<Measured> {
  const before = await processorTime(registry.pid);
  const result = await autocannon({
    url: registry.url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0)
    throw new Error(
      `${failed} of ${result.requests.total} calls failed: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
    );
  const used = (await processorTime(registry.pid)) - before;
  return { rate: result["2xx"] / result.duration, cost: (used * 1000) / result["2xx"] };
}

async function whileWriting(
  registry: Registry,
  claims: Claim[],
  work: () => Promise<Measured>,
): Promise<Measured> {
  const ending = new AbortController();
  const writing = (async () => {
    for (const claim of claims) {
      if (ending.signal.aborted) return;
      await post(registry, claim);
      await sleep(writeEvery);
    }
  })();
  try {
    return await work();
  } finally {
    ending.abort();
    await writing;
  }
}

async function post({ url }: Registry, { body }: Claim): Promise<void> {
  const answer = await fetch(`${url}/transfers`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

const anyOf = (count: number) => Math.floor(Math.random() * count);

const calls = {
  "GET /transfers?from_id": (registry: Registry, claims: Claim[]) =>
    whileWriting(registry, claims, () =>
      load(registry, () => ({ path: `/transfers?from_id=${anyOf(holders)}` })),
    ),
  "GET /transfers/current?name": (registry: Registry, claims: Claim[]) =>
    whileWriting(registry, claims, () =>
      load(registry, () => ({ path: `/transfers/current?name=h${firstHolder + anyOf(holders)}` })),
    ),
  "POST /transfers": (registry: Registry, claims: Claim[]) => {
    let at = 0;
    return load(registry, () => {
      const claim = claims[at++];
      if (!claim) throw new Error("there are too few claims: raise `batch`");
      return {
        method: "POST",
        path: "/transfers",
        headers: { "content-type": "application/json" },
        body: claim.body,
      };
    });
  },
};
/** On PostgreSQL, and on the embedded engine. */
const goals: Record<keyof typeof calls, readonly [number, number]> = {
  "GET /transfers?from_id": [1.5, 2],
  "GET /transfers/current?name": [1.5, 2],
  "POST /transfers": [1.8, 3],
};

const file = networkFile();
const registries = new Map<string, Registry>();
try {
  if (values.before) registries.set("before", await start(values.before, file));
  registries.set("now", await start(process.cwd(), file));
  write(
    `${server ? "server" : "embedded"} Postgres, ${connections} connections, medians of ${rounds} rounds of ${seconds} s`,
  );
  write(row("", "/s before", "/s now", "µs before", "µs now"));
  let used = firstWriter;
  const met: boolean[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const results = new Map<string, Measured[]>();
    for (let round = 0; round < rounds; round += 1) {
      const count = name === "POST /transfers" ? batch : 60;
      const claims = signClaims(used, count);
      used += count;
      for (const [version, registry] of registries) {
        results.set(version, [...(results.get(version) ?? []), await call(registry, claims)]);
      }
    }
    const figure = (version: string, kind: keyof Measured) => {
      const measured = results.get(version);
      return measured ? median(measured.map((each) => each[kind])) : NaN;
    };
    const shown = (["rate", "cost"] as const).flatMap((kind) => [
      figure("before", kind),
      figure("now", kind),
    ]);
    write(row(name, ...shown.map((number) => number.toFixed(0))));
    if (!values.before) continue;
    // Its own keys.
    const [onServer, embedded] = goals[name as keyof typeof calls];
    const ratio = figure("now", "rate") / figure("before", "rate");
    met.push(judge(`${name}, now to before`, ratio, { least: server ? onServer : embedded }));
  }
  process.exitCode = met.every(Boolean) ? 0 : 1;
} finally {
  for (const registry of registries.values()) await registry.end();
}
