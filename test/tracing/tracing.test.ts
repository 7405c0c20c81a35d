import { Writable } from "node:stream";
import Fastify from "fastify";
import { sql } from "kysely";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { systemClock } from "../../src/clock.ts";
import { createLog, silentLog, type Log } from "../../src/log.ts";
import { startWorkers } from "../../src/queue/start-workers.ts";
import type { IdWorker } from "../../src/queue/worker.ts";
import { isTraced, startSpan, traced } from "../../src/spans.ts";
import { report } from "../../src/telemetry.ts";
import { startTracing } from "../../src/tracing/tracing.ts";
import { reportRequests } from "../../src/web/report-requests.ts";
import { shapeOf, startCollector, type Collector } from "../support/collector.ts";
import { openTestDatabase } from "../support/database.ts";
import { startFarNetwork } from "../support/far-network.ts";
import { createQueueStore, queueStores } from "../support/services.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const room = "700000000000000042";
const patience = { timeout: 60_000, interval: 10 };
let collector: Collector;
let tests = 0;
const opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  collector = await startCollector();
  tests += 1;
});
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
  await collector.close();
});

/** Closing it sends what is left. */
function open(log: Log = silentLog) {
  const headers = { "x-api-key": "KEY" };
  const tracing = startTracing(
    { role: "worker", version: "1.2.3" },
    { endpoint: `${collector.url}/`, headers },
    log,
  );
  opened.push(tracing);
  return tracing;
}

function collectLines() {
  const lines: Record<string, unknown>[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
    done();
  };
  return { log: createLog("trace", {}, new Writable({ write })), lines };
}

describe.each(queueStores)("a trace, with jobs in %s", (storeName) => {
  const start = async (run: IdWorker<void>["run"], log: Log) => {
    const name = `post-${tests}`;
    const queues = await createQueueStore(storeName, database).open([name]);
    opened.push(queues);
    const worker: IdWorker<void> = {
      name,
      concurrency: 1,
      findDue: () => sql`select '' as id where false`,
      run,
    };
    opened.push(await startWorkers(queues, [worker], undefined, { log, clock: systemClock }));
    return { name, wake: () => queues.wake(name, room) };
  };

  it("leads from an interaction to a job, a call of the network and a post, and is in each log line", async () => {
    const tracing = open();
    const network = await startFarNetwork();
    opened.push(network);
    network.answer([200, { result: { channel: { id: "garden" } } }]);
    const { url } = network;
    const client = createClient({ clientUrl: url, registryUrl: url, hubUrl: url });
    const { log, lines } = collectLines();
    let runs = 0;
    const worker = await start(async () => {
      await client.channels.get({ channelId: "garden" }).catch(() => {});
      report("castellan:discord.called", { route: "POST /channels/:id/messages", code: "200", seconds: 0.5 });
      report("castellan:feed.posted", { result: "sent" });
      log.info("posted");
      runs += 1;
      return runs === 1 ? 0 : undefined;
    }, log);
    const begun = { name: "interaction ban", attributes: { "castellan.interaction": "ab12cd34" } };
    await traced(begun, async () => {
      log.info("answered");
      report("castellan:interaction.answered", { command: "ban", result: "ok", seconds: 1 });
      await worker.wake();
    });
    log.info("outside");
    await expect.poll(() => runs, patience).toBe(2);
    await opened.pop()?.close();
    await tracing.close();
    const job = `process ${worker.name}`;
    const jobs = () => collector.spans().filter(({ name }) => name === job);
    // On a slow machine the last spans arrive later.
    await expect.poll(jobs, patience).toHaveLength(2);

    const spans = collector.spans();
    const first = spans.find(({ name }) => name === "interaction ban");
    const ours = spans.filter(({ traceId }) => traceId === first?.traceId);
    expect(shapeOf(ours)).toEqual([
      "interaction ban",
      `interaction ban > ${job}`,
      `${job} > Discord POST /channels/:id/messages`,
      `${job} > network /v1/channel`,
    ]);
    expect(first?.attributes).toEqual({
      "castellan.interaction": "ab12cd34",
      "castellan.command": "ban",
      "castellan.result": "ok",
    });
    const [called] = ours.filter(({ name }) => name.startsWith("network"));
    expect(called).toMatchObject({ kind: 3, attributes: { "castellan.upstream": "client" } });
    const [ran] = ours.filter(({ name }) => name === job);
    expect(ran).toMatchObject({
      kind: 5,
      attributes: { "castellan.worker": worker.name, "castellan.result": "done" },
      events: [{ name: "castellan:feed.posted", attributes: { "castellan.result": "sent" } }],
    });
    const lengthOf = (name: string) => {
      const found = ours.find((span) => span.name === name);
      return Number(BigInt(found?.endTimeUnixNano ?? 0) - BigInt(found?.startTimeUnixNano ?? 0)) / 1e9;
    };
    expect(lengthOf("Discord POST /channels/:id/messages")).toBeCloseTo(0.5);
    // The rest of an id's work is a trace of its own, which otherwise might never end.
    expect(new Set(jobs().map(({ traceId }) => traceId)).size).toBe(2);
    const idOf = (text: string) => lines.find(({ msg }) => msg === text)?.["trace_id"];
    expect([idOf("answered"), idOf("posted"), idOf("outside")]).toEqual([
      first?.traceId,
      first?.traceId,
      undefined,
    ]);
    expect(collector.resource()).toMatchObject({
      "service.name": "castellan",
      "service.version": "1.2.3",
      "castellan.role": "worker",
    });
    expect(collector.requests[0]?.headers).toMatchObject({ "x-api-key": "KEY" });
  });

  it("names no room, and repeats no text of an error", async () => {
    const tracing = open();
    let runs = 0;
    const worker = await start(async () => {
      runs += 1;
      throw new Error("a private note");
    }, silentLog);
    await worker.wake();
    await expect.poll(() => runs, patience).toBeGreaterThan(0);
    await opened.pop()?.close();
    await tracing.close();
    const find = () => collector.spans().find(({ name }) => name === `process ${worker.name}`);
    await expect
      .poll(find, patience)
      .toMatchObject({ status: { code: 2 }, attributes: { "castellan.result": "failed" } });
    expect(JSON.stringify(collector.requests)).not.toMatch(/private|7000000000/);
  });
});

describe("a request to one of our servers", () => {
  it("is a span, with what its route does after the body was read", async () => {
    const tracing = open();
    const server = Fastify();
    reportRequests(server, "console");
    server.post("/things/:id", async () => {
      report("castellan:rules.ran", { task: "rehearse", result: "failed", seconds: 0 });
      return {};
    });
    const origin = await server.listen({ host: "127.0.0.1", port: 0 });
    const body = JSON.stringify({ text: "a private note".repeat(10_000) });
    const headers = { "content-type": "application/json" };
    await fetch(`${origin}/things/7000000000?q=private`, { method: "POST", body, headers });
    await server.close();
    await tracing.close();
    await expect
      .poll(() => shapeOf(collector.spans()), patience)
      .toEqual(["POST /things/:id", "POST /things/:id > rules rehearse"]);
    const answered = collector.spans().find(({ name }) => name === "POST /things/:id");
    expect(answered).toMatchObject({ kind: 2, status: {}, attributes: { "castellan.code": 200 } });
    expect(JSON.stringify(collector.requests)).not.toMatch(/private|7000000000/);
  });
});

describe("a collector", () => {
  const failed = (result: "ok" | "unreachable") =>
    report("castellan:network.called", { upstream: "hub", route: "/v1/events", result, seconds: 0 });

  it("that never answers does not keep anybody waiting", async () => {
    collector.answer("hang");
    const tracing = open();
    await traced({ name: "one" }, async () => failed("unreachable"));
    await tracing.close();
    await expect.poll(() => collector.spans().map(({ status }) => status.code), patience).toEqual([2, 0]);
  });

  it("that refuses is mentioned in the log once, and not repeated in it", async () => {
    const { log, lines } = collectLines();
    collector.answer([401, { message: "unknown key" }]);
    const tracing = open(log);
    failed("ok");
    await tracing.close();
    await expect
      .poll(() => lines, patience)
      .toMatchObject([{ level: 40, msg: expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT") }]);
    expect(JSON.stringify(lines)).not.toMatch(/KEY|unknown key/);
  });
});

it("without a collector there are no spans", async () => {
  expect(isTraced()).toBe(false);
  expect(startSpan({ name: "one" })).toBeUndefined();
  await expect(traced({ name: "one" }, async () => 7)).resolves.toBe(7);
  const { log, lines } = collectLines();
  log.info("one");
  expect(lines[0]).not.toHaveProperty("trace_id");
});
