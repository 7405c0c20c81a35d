import { openAsBlob } from "node:fs";
import { once } from "node:events";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Session, type Engine } from "../../../src/database/embedded/session.ts";
import { SessionSocket } from "../../../src/database/embedded/socket.ts";
import { withPreparedStatements } from "../../../src/database/embedded/statements.ts";
import { createPool } from "../../../src/database/pool.ts";
import { openInlineEngine, prepareTemplateFile, templateFile } from "../../support/database-template.ts";

let engine: Engine;
let one: Pool;
let two: Pool;
beforeAll(async () => {
  await prepareTemplateFile();
  engine = await openInlineEngine({ loadDataDir: await openAsBlob(templateFile()) });
  const session = new Session(withPreparedStatements(engine), 5_000);
  const open = () => createPool({ stream: () => new SessionSocket(session) });
  one = open();
  two = open();
  await one.query("create table public.notes (text text)");
});
afterAll(async () => {
  await Promise.all([one.end(), two.end()]);
  await engine.close();
});
beforeEach(() => one.query("delete from public.notes"));

async function readNotes(): Promise<unknown> {
  const { rows } = await two.query("select text from public.notes order by text");
  return rows.map((row) => row.text);
}

test("what one face commits is not lost when another rolls back meanwhile", async () => {
  const client = await one.connect();
  const other = await two.connect();
  await client.query("begin");
  await client.query("insert into public.notes values ('undone')");
  const kept = other.query("insert into public.notes values ('kept')");
  await client.query("insert into public.notes values ('undone too')");
  await client.query("rollback");
  client.release();
  await kept;
  other.release();
  expect(await readNotes()).toEqual(["kept"]);
});

test("a connection that breaks off in the middle of a transaction leaves nothing of it", async () => {
  const client = await one.connect();
  await client.query("begin");
  await client.query("insert into public.notes values ('undone')");
  client.release(true);
  expect(await readNotes()).toEqual([]);
});

test("a client may begin a transaction before it heard of the end of its last one", async () => {
  const client = await one.connect();
  await client.query("begin");
  await client.query("insert into public.notes values ('undone')");
  const ended = client.query("rollback");
  const begun = client.query("begin");
  await Promise.all([ended, begun]);
  await client.query("insert into public.notes values ('kept')");
  await client.query("commit");
  client.release();
  expect(await readNotes()).toEqual(["kept"]);
});

test("an error inside a transaction keeps the session until the rollback", async () => {
  const client = await one.connect();
  const other = await two.connect();
  await client.query("begin");
  await expect(client.query("select nonsense")).rejects.toMatchObject({ code: "42703" });
  const kept = other.query("insert into public.notes values ('kept')");
  await expect(client.query("select 1")).rejects.toMatchObject({ code: "25P02" });
  await client.query("rollback");
  client.release();
  await kept;
  other.release();
  expect(await readNotes()).toEqual(["kept"]);
});

test("notifications reach who listens to their channel, from whichever face, until it stops", async () => {
  const listener = await one.connect();
  const heard: unknown[] = [];
  listener.on("notification", ({ channel, payload }) => heard.push([channel, payload]));
  await listener.query("listen news");
  const bystander = await two.connect();
  bystander.on("notification", () => heard.push("by the bystander"));
  const told = once(listener, "notification");
  await bystander.query("notify other, 'no'");
  await two.query("select pg_notify('news', 'yes')");
  await told;
  await listener.query("unlisten news");
  await two.query("select pg_notify('news', 'too late')");
  await two.query("select 1");
  expect(heard).toEqual([["news", "yes"]]);
  listener.release();
  bystander.release();
});

test("statements larger than a chunk of the wire pass whole, both ways", async () => {
  const long = "x".repeat(3_000_000);
  const { rows } = await one.query("select $1::text as text", [long]);
  expect(rows[0].text).toBe(long);
});

test("requests take turns, and the client whose transaction is open comes first", async () => {
  const sent: string[] = [];
  let answer = () => {};
  const slow: Engine = {
    async execute(request) {
      sent.push(Buffer.from(request).toString("latin1", 5, request.length - 1));
      await new Promise<void>((resolve) => (answer = resolve));
      return engine.execute(request);
    },
    close: async () => {},
  };
  const session = new Session(slow, 5_000);
  const pool = createPool({ stream: () => new SessionSocket(session) });
  const [first, second] = await Promise.all([pool.connect(), pool.connect()]);
  const asked = [
    first.query("begin"),
    second.query("select 'second'"),
    first.query("select 'first'"),
    first.query("commit"),
  ];
  for (const expected of ["begin", "select 'first'", "commit", "select 'second'"]) {
    await expect.poll(() => sent.splice(0)).toEqual([expected]);
    answer();
  }
  await Promise.all(asked);
  first.release();
  second.release();
  await pool.end();
});
