import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { createOperatorClient } from "../../src/client/create-client.ts";
import type { Operator } from "../../src/contract/index.ts";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { custodyOf } from "../support/signing.ts";
import { createPageClient, textOf } from "../support/page-client.ts";
import {
  type DataDirectory,
  fillDatabase,
  makeDataDirectory,
  type Program,
  readOperatorToken,
  runProgram,
} from "../support/program.ts";

const Events = z.object({ events: z.array(z.object({ id: z.number() })) });
const ada = "700000000000000001";
const room = sandboxRooms.gardenFeed;
const polling = { timeout: 60_000, interval: 250 };

// One story: each test goes on where the one before it ended.
describe("backup and restore", { timeout: 400_000 }, () => {
  let home: DataDirectory;
  let program: Program;
  let network: string;
  let sandbox: string;
  let operator: Operator;
  let old: Record<string, string>;
  let fresh: Record<string, string>;
  let backup: string;
  /** Hashes of the casts in the order in which they were acknowledged, and how many of them when. */
  const casts: string[] = [];
  let before = 0;
  let after = 0;

  beforeAll(async () => {
    home = await makeDataDirectory();
    old = { DATA_DIR: join(home.directory, "old") };
    fresh = { DATA_DIR: join(home.directory, "fresh") };
    backup = join(home.directory, "backup.tar.gz");
    await fillDatabase(old["DATA_DIR"] ?? "");
  });

  afterAll(async () => {
    program.child.kill("SIGKILL");
    await program.exit;
    await home.remove();
  });

  async function start(settings: Record<string, string>): Promise<void> {
    program = runProgram(["start"], settings);
    ({ network, sandbox } = await program.ready);
    const token = await readOperatorToken(settings["DATA_DIR"] ?? "");
    operator = createOperatorClient({ url: network, token });
  }

  /** Exit code and output of a command that ends by itself. */
  async function run(
    words: string[],
    settings: Record<string, string>,
    input?: string,
  ): Promise<[number, string]> {
    const command = runProgram(words, settings, input);
    return [await command.exit, command.output()];
  }

  const here = () => ({ ...old, PORT: new URL(network).port });
  const readEventIds = async () => {
    const events = await (await fetch(`${network}/v1/events?from_event_id=0&page_size=1000`)).json();
    return Events.parse(events).events.map(({ id }) => id);
  };

  it("of a running instance, while people write, holds data and keys", async () => {
    await start(old);
    const people = { accounts: [{ fid: 77, custodyAddress: custodyOf(77).address, username: "late" }] };
    expect((await run(["network", "import", "-"], here(), JSON.stringify(people)))[0]).toBe(0);
    const page = createPageClient(sandbox, ada);
    await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
    await page.run("setup link", { channel: "garden" }, room);
    await page.run("feed add", { channel: "garden", kinds: "casts, bans" }, room);
    const preview = await page.run(
      "ban",
      { user: "@brook", channel: "garden", duration: "permanent", reason: "spam" },
      room,
    );
    expect(textOf(await page.click(preview, room))).toContain("C-1 · Ban · done");
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        const text = `note ${casts.length} of the garden`;
        casts.push((await operator.cast({ fid: 1, text, channelId: "garden" })).hash);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    })();
    await vi.waitFor(() => expect(casts.length).toBeGreaterThan(20), polling);
    before = casts.length;
    const [code, output] = await run(["backup", backup], here());
    after = casts.length + 1;
    over.abort();
    await writing;
    expect([code, output]).toEqual([0, `${backup} contains the data and the keys. Keep it secret.\n`]);
    expect(after - 1).toBeGreaterThan(before);
    expect((await stat(backup)).mode & 0o777).toBe(0o600);
    expect((await readdir(home.directory)).toSorted()).toEqual(["backup.tar.gz", "old"]);
  });

  it("in its portable form holds the same, of the running instance as of one at rest", async () => {
    const portable = join(home.directory, "portable.tar.gz");
    const copy = { DATA_DIR: join(home.directory, "copy") };
    expect(await run(["backup", "--portable", portable], here())).toEqual([
      0,
      `${portable} contains the data and the keys. Keep it secret.\n`,
    ]);
    expect((await readdir(old["DATA_DIR"] ?? "")).filter((name) => name.startsWith("unfinished-"))).toEqual(
      [],
    );
    expect(await run(["restore", portable], copy)).toEqual([
      0,
      `${copy["DATA_DIR"]} now contains the backup's data: database, keys.json, sandbox.jsonl.\n`,
    ]);
    const again = join(home.directory, "again.tar.gz");
    expect((await run(["backup", "--portable", again], copy))[0]).toBe(0);
    const restored = runProgram(["start"], copy);
    const address = (await restored.ready).network;
    expect(await (await fetch(`${address}/transfers/current?name=late`)).json()).toMatchObject({
      transfer: { to: 77 },
    });
    expect(await restored.end()).toBe(0);
    for (const left of ["portable.tar.gz", "again.tar.gz", "copy"]) {
      await rm(join(home.directory, left), { recursive: true });
    }
  });

  it("that its reader breaks off is not in the way of the next", async () => {
    const operatorToken = await readOperatorToken(old["DATA_DIR"] ?? "");
    const ask = (signal: AbortSignal) =>
      fetch(`${network}/operator/backup`, { headers: { authorization: `Bearer ${operatorToken}` }, signal });
    const breaking = new AbortController();
    expect((await ask(breaking.signal)).status).toBe(200);
    breaking.abort();
    const answer = await vi.waitFor(async () => {
      const next = await ask(AbortSignal.timeout(60_000));
      expect(next.status).toBe(200);
      return next;
    }, polling);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
  });

  it("overwrites nothing, names what is wrong, and needs the operator's token", async () => {
    expect((await run(["backup", backup], here()))[1]).toContain("already exists");
    const other = join(home.directory, "other.tar.gz");
    const server = { DATABASE_URL: "postgres://castellan@127.0.0.1/castellan" };
    expect((await run(["backup", other], { ...here(), ...server }))[1]).toContain("pg_dump");
    const stranger = { ...here(), OPERATOR_TOKEN: "not the token of that instance, surely" };
    const [code, output] = await run(["backup", other], stranger);
    expect([code, output]).toEqual([1, expect.stringContaining("needs the operator's token")]);
    expect((await readdir(home.directory)).toSorted()).toEqual(["backup.tar.gz", "old"]);
    expect((await run(["restore", backup], old))[1]).toContain("is already in use by process");
  });

  it("restores into a new directory only, whole or not at all", async () => {
    program.child.kill("SIGKILL");
    await program.exit;
    expect((await run(["backup", join(home.directory, "none")], here()))[1]).toContain("Is it running?");
    expect((await run(["restore", backup], old))[1]).toContain("already contains a database");
    const whole = await readFile(backup);
    const torn = join(home.directory, "torn.tar.gz");
    for (const length of [400, Math.floor(whole.length / 2), whole.length - 1]) {
      await writeFile(torn, whole.subarray(0, length));
      const [code, output] = await run(["restore", torn], fresh);
      expect([code, output]).toEqual([1, expect.stringContaining("Not a complete Castellan backup")]);
      expect(await readdir(home.directory)).not.toContain("fresh");
    }
    await writeFile(torn, "no archive");
    expect((await run(["restore", torn], fresh))[1]).toContain(`${torn}: Not a Castellan backup.`);
    // What a restore leaves that was killed.
    await mkdir(join(fresh["DATA_DIR"] ?? "", "database", "postgres-unfinished-1"), { recursive: true });
    expect(await run(["restore", backup], fresh)).toEqual([
      0,
      `${fresh["DATA_DIR"]} now contains the backup's data: database, keys.json, sandbox.jsonl.\n`,
    ]);
    const keysOf = (settings: Record<string, string>) =>
      readFile(join(settings["DATA_DIR"] ?? "", "keys.json"), "utf8");
    expect(await keysOf(fresh)).toBe(await keysOf(old));
    expect((await stat(join(fresh["DATA_DIR"] ?? "", "keys.json"))).mode & 0o777).toBe(0o600);
    expect((await run(["restore", backup], fresh))[1]).toContain("already contains a database");
  });

  it("gives back the state of one moment of the backup", async () => {
    await start(fresh);
    expect(await (await fetch(`${network}/transfers/current?name=late`)).json()).toMatchObject({
      transfer: { to: 77 },
    });
    expect(await (await fetch(`${network}/fc/channel-bans?channelId=garden`)).json()).toMatchObject({
      result: { bannedUsers: [{ fid: 12 }] },
    });
    const isThere = await Promise.all(
      casts.map((hash) =>
        operator.readCast({ hash }).then(
          () => true,
          () => false,
        ),
      ),
    );
    const kept = isThere.lastIndexOf(true) + 1;
    expect(isThere.slice(0, kept)).not.toContain(false);
    expect(kept).toBeGreaterThanOrEqual(before);
    expect(kept).toBeLessThanOrEqual(after);
    casts.length = kept;
  });

  it("goes on counting, and tells each event in its room once", async () => {
    const ids = await readEventIds();
    casts.push(
      (await operator.cast({ fid: 1, text: `note ${casts.length} of the garden`, channelId: "garden" })).hash,
    );
    const [next, ...others] = (await readEventIds()).filter((id) => !ids.includes(id));
    expect(others).toEqual([]);
    expect(next).toBeGreaterThan(Math.max(...ids));
    const page = createPageClient(sandbox, ada);
    const preview = await page.run("undo", { what: "@brook", channel: "garden" }, room);
    expect(textOf(await page.click(preview, room))).toContain("C-2 · Unban · done");
    await vi.waitFor(async () => {
      const told = (await page.messages(room)).map(textOf).join("\n");
      const counts = casts.map((_, index) => told.split(`note ${index} of the garden`).length - 1);
      expect(counts).toEqual(casts.map(() => 1));
      expect(told.split("Ban lifted in Night Garden").length - 1).toBe(1);
    }, polling);
    expect(await program.end()).toBe(0);
  });
});
