import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { connectServer } from "../../src/database/connect.ts";
import { silentLog } from "../../src/log.ts";
import { checkDatabase, checkWorkers, createHealth } from "../../src/start/health.ts";
import { serveHealth } from "../../src/start/serve-health.ts";
import { openTestDatabase } from "../support/database.ts";
import { collectLog } from "../support/log.ts";
import { createScriptedServer } from "../support/served-network.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const never = () => new Promise<undefined>(() => {});

test("everything works: nothing to say; the database is asked", async () => {
  const health = createHealth();
  health.add("The database", checkDatabase(database));
  health.add(
    "The workers",
    checkWorkers(() => [{ name: "poll-hub", idle: 1, running: 0, late: false }]),
  );
  expect(await health.findTrouble(true)).toEqual([]);
});

test("each part that does not work has its sentence; one that never answers is not waited for", async () => {
  const health = createHealth();
  health.add("The database", never);
  health.add(
    "The workers",
    checkWorkers(() => [{ name: "poll-hub", idle: 40, running: 0, late: true }]),
  );
  health.add("The queue", () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1")));
  health.add("Discord's gateway", () => "is away for 3 s", "readiness");
  const trouble = [
    "The database has not answered for 2 s",
    "The workers do not run: poll-hub (40 s)",
    "The queue does not answer",
  ];
  expect(await health.findTrouble(false)).toEqual(trouble);
  expect(await health.findTrouble(true)).toEqual([...trouble, "Discord's gateway is away for 3 s"]);
});

test("a role that serves no network answers on HOST and PORT: starting, well, and what is wrong", async () => {
  const health = createHealth();
  let up = false;
  const wrong: string[] = [];
  health.add("The database", () => wrong[0]);
  health.add("Discord's gateway", () => wrong[1], "readiness");
  const served = await serveHealth(parseConfig({ PORT: "0" }), health, { isReady: () => up, log: silentLog });
  const ask = async (path: string) => {
    const response = await fetch(`${served.origin}${path}`);
    return [response.status, await response.json()];
  };
  expect(await ask("/healthcheck")).toEqual([
    503,
    { errors: [{ message: "Castellan is starting.", reason: "not_ready" }] },
  ]);
  up = true;
  expect(await ask("/healthcheck")).toEqual([200, { result: { status: "ok" } }]);
  health.describe = () => ({ gateway: "standby", shards: [] });
  expect(await ask("/readycheck")).toEqual([
    200,
    { result: { status: "ok", gateway: "standby", shards: [] } },
  ]);
  expect(await ask("/healthcheck")).toEqual([200, { result: { status: "ok" } }]);
  wrong[1] = "is away for 3 s";
  expect((await ask("/healthcheck"))[0]).toBe(200);
  expect(await ask("/readycheck")).toEqual([
    503,
    { errors: [{ message: "Discord's gateway is away for 3 s", reason: "not_ready" }] },
  ]);
  wrong[0] = "does not answer";
  expect((await ask("/healthcheck"))[0]).toBe(503);
  expect((await ask("/v2/all-channels"))[0]).toBe(404);
  await served.close();
});

test("a process whose Discord is not connected yet says who it is, and is not examined yet", async () => {
  const operatorToken = "o".repeat(32);
  const health = Object.assign(createHealth(), { operatorToken, signer: "0xabc" });
  const served = await serveHealth(parseConfig({ PORT: "0" }), health, {
    isReady: () => false,
    log: silentLog,
  });
  const ask = async (path: string, token: string) => {
    const response = await fetch(`${served.origin}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [response.status, await response.json()];
  };
  expect(await ask("/signer", operatorToken)).toEqual([200, { signer: "0xabc" }]);
  expect((await ask("/signer", "another"))[0]).not.toBe(200);
  expect((await ask("/operator/doctor", operatorToken))[0]).toBe(503);
  await served.close();
});

test("an operator's command that fails for an unknown reason is logged, because its answer says so", async () => {
  const operatorToken = "o".repeat(32);
  const { log, lines } = collectLog();
  const health = Object.assign(createHealth(), { operatorToken });
  health.tasks.exports = () => Promise.reject(new Error("relation does not exist"));
  const served = await serveHealth(parseConfig({ PORT: "0" }), health, { isReady: () => true, log });
  const response = await fetch(`${served.origin}/operator/exports`, {
    method: "POST",
    headers: { authorization: `Bearer ${operatorToken}` },
    body: "{}",
  });
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { errors: [{ message: "Something went wrong; the log has the cause." }] },
  ]);
  expect(lines).toMatchObject([{ path: "/operator/exports", err: { message: "relation does not exist" } }]);
  await served.close();
});

test("the network's own checks look at the same, the registry's too", async () => {
  let trouble: string[] = [];
  const { server } = await createScriptedServer({ findTrouble: async () => trouble });
  expect((await server.inject({ url: "/healthcheck" })).json()).toEqual({ result: { status: "ok" } });
  expect((await server.inject({ url: "/_health" })).statusCode).toBe(200);
  trouble = ["The database does not answer"];
  for (const url of ["/healthcheck", "/readycheck"]) {
    const answer = await server.inject({ url });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ errors: [{ message: trouble[0], reason: "not_ready" }] });
  }
  const registry = await server.inject({ url: "/_health" });
  expect(registry.statusCode).toBe(503);
  expect(registry.json()).toMatchObject({ error: trouble[0] });
});

const late = () => [{ name: "poll-hub", idle: 40, running: 0, late: true }];

test.each([
  ["does not answer", () => Promise.reject(new Error("connect ECONNREFUSED 10.0.0.1"))],
  ["answers nothing", never],
  ["is a read-only copy", () => "takes no changes"],
])("a database that %s makes a process not ready, and is no reason to start it again", async (_, check) => {
  const health = createHealth();
  health.add("The database", check, "readiness");
  health.add("The workers", checkWorkers(late, check));
  expect(await health.findTrouble(false)).toEqual([]);
  expect(await health.findTrouble(true)).toEqual([expect.stringMatching(/^The database/)]);
});

test("workers that do not run beside a database that answers are a reason", async () => {
  const health = createHealth();
  health.add("The workers", checkWorkers(late, checkDatabase(database)));
  expect(await health.findTrouble(false)).toEqual(["The workers do not run: poll-hub (40 s)"]);
});

test.runIf(database.engine === "server")("a server that became read-only takes no changes", async () => {
  const url = String(database.pool.options.connectionString);
  const name = new URL(url).pathname.slice(1);
  await sql.raw(`alter database ${name} set default_transaction_read_only = on`).execute(database.query);
  const readOnly = connectServer(url);
  await expect(checkDatabase(readOnly)()).resolves.toMatch(/read-only \(default_transaction_read_only\)/);
  await readOnly.close();
  await expect(checkDatabase(database)()).resolves.toBeUndefined();
});
