import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { custodyOf } from "../support/signing.ts";
import { createPageClient, textOf } from "../support/page-client.ts";
import { type DataDirectory, makeDataDirectory, type Program, runProgram } from "../support/program.ts";

const polling = { timeout: 60_000, interval: 200 };
const ada = "700000000000000001";
const room = sandboxRooms.gardenFeed;

async function getJson(address: string): Promise<unknown> {
  return (await fetch(address)).json();
}

// One life of a data directory: each test goes on where the one before it ended.
describe("castellan start", { timeout: 120_000 }, () => {
  let home: DataDirectory;
  let program: Program;
  let network: string;
  let sandbox: string;
  let desk: string;
  let settings: Record<string, string>;

  beforeAll(async () => {
    home = await makeDataDirectory();
    settings = { DATA_DIR: home.directory };
  });

  afterAll(async () => {
    program.child.kill("SIGKILL");
    await program.exit;
    await home.remove();
  });

  async function start(): Promise<void> {
    program = runProgram(["start"], settings);
    ({ network, sandbox, console: desk } = await program.ready);
  }

  it("says that it is ready and where, and its keys are for its owner's eyes only", async () => {
    await start();
    expect(await getJson(`${network}/healthcheck`)).toEqual({ result: { status: "ok" } });
    expect(await (await fetch(sandbox)).text()).toContain("<title>Castellan");
    expect((await stat(join(home.directory, "keys.json"))).mode & 0o777).toBe(0o600);
    expect(program.output()).toBe(
      `castellan: creating a database in ${home.directory}; the first start takes a few seconds\ncastellan ready: start, network ${network}, sandbox ${sandbox}, console ${desk}\n`,
    );
  });

  it("links, feeds and cases come from the page", async () => {
    const page = createPageClient(sandbox, ada);
    const invited = await page.act(1, { do: "invite", channelId: "garden", fid: 9001, role: "moderator" });
    expect(invited).toBeUndefined();
    const linked = await page.run("setup link", { channel: "garden" }, room);
    expect(textOf(linked)).toContain("Castellan moderates it, so everything works now.");
    expect(textOf(await page.run("feed add", { channel: "garden" }, room))).toContain(
      "gets events of /garden",
    );
    const preview = await page.run(
      "ban",
      { user: "@brook", channel: "garden", duration: "permanent", reason: "spam" },
      room,
    );
    expect(textOf(await page.click(preview, room))).toContain("C-1 · Ban · done");
    expect(await getJson(`${network}/fc/channel-bans?channelId=garden`)).toMatchObject({
      result: { bannedUsers: [{ fid: 12 }] },
    });
    await vi.waitFor(async () => {
      expect((await page.messages(room)).map(textOf).join()).toContain("Banned from Night Garden");
    }, polling);
  });

  it("a directory in use is refused, with who holds it, and the holder goes on", async () => {
    const second = runProgram(["start"], settings);
    expect(await second.exit).toBe(1);
    expect(second.output()).toContain(`is already in use by process ${program.child.pid} (`);
    expect(await getJson(`${network}/healthcheck`)).toEqual({ result: { status: "ok" } });
  });

  it.each([
    ["PORT", () => network],
    ["SANDBOX_PORT", () => sandbox],
    ["CONSOLE_PORT", () => desk],
  ])("a taken %s is named, and ends the process", async (name, address) => {
    const { port } = new URL(address());
    const other = await makeDataDirectory();
    const second = runProgram(["start"], { DATA_DIR: other.directory, [name]: port });
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^castellan: Port ${port} on 127.0.0.1 is in use, .*set ${name} to another port`, "m"),
    );
    expect(second.output()).not.toContain("creating a database");
    await other.remove();
  });

  it("takes a network file while it runs, from a file and from the pipe, once", async () => {
    const { port } = new URL(network);
    const text = JSON.stringify({ accounts: [{ fid: 77, custodyAddress: custodyOf(77).address }] });
    const fromPipe = runProgram(["network", "import", "-"], { ...settings, PORT: port }, text);
    expect([await fromPipe.exit, fromPipe.output()]).toEqual([0, "accounts: 1 imported, 0 already there\n"]);
    const file = join(home.directory, "people.json");
    await writeFile(file, text);
    const fromFile = runProgram(["network", "import", file], { ...settings, PORT: port });
    expect([await fromFile.exit, fromFile.output()]).toEqual([0, "accounts: 0 imported, 1 already there\n"]);
    const broken = runProgram(["network", "import", "-"], { ...settings, PORT: port }, '{"accounts": [7]}');
    expect(await broken.exit).toBe(1);
    expect(broken.output()).toMatch(
      /The network file has a mistake; nothing was imported.\n +\/accounts\/0 /,
    );
    const stranger = runProgram(["network", "import", file], {
      ...settings,
      PORT: port,
      OPERATOR_TOKEN: "not the token of that instance, surely",
    });
    expect(await stranger.exit).toBe(1);
    expect(stranger.output()).toContain("needs the operator's token");
  });

  it("gives its network as a file, which it takes back without change, and overwrites none", async () => {
    const file = join(home.directory, "export.json");
    const words = ["network", "export", file];
    const here = { ...settings, PORT: new URL(network).port };
    const written = runProgram(words, here);
    expect(await written.exit).toBe(0);
    expect(written.output()).toMatch(/^accounts: \d+\nchannels: 4\n/m);
    const back = runProgram(["network", "import", file], here);
    expect(await back.exit).toBe(0);
    expect(back.output()).not.toMatch(/: [1-9]\d* imported/);
    const again = runProgram(words, here);
    expect(await again.exit).toBe(1);
    expect(again.output()).toMatch(/cannot be written: it already exists/);
  });

  it("ends when asked", async () => {
    expect(await program.end()).toBe(0);
    const missed = runProgram(["network", "import", join(home.directory, "people.json")], {
      ...settings,
      PORT: new URL(network).port,
    });
    expect(await missed.exit).toBe(1);
    expect(missed.output()).toContain("Is it running?");
  });

  it("says that it is not ready until all of it is up, and ends when asked before that", async () => {
    program = runProgram(["start"], { ...settings, PORT: new URL(network).port });
    await vi.waitFor(
      async () => expect(await getJson(`${network}/healthcheck`)).toEqual({ result: { status: "ok" } }),
      { timeout: 60_000, interval: 20 },
    );
    expect(await getJson(`${network}/readycheck`)).toEqual({
      errors: [{ message: "Castellan is starting", reason: "not_ready" }],
    });
    expect(await program.end()).toBe(0);
    expect(program.output()).not.toContain("castellan ready");
  });

  it("goes on where it ended: keys, messages, links, feeds, cases", async () => {
    const keys = await readFile(join(home.directory, "keys.json"), "utf8");
    const before = sandbox;
    await start();
    expect(sandbox).not.toBe(before);
    expect(await readFile(join(home.directory, "keys.json"), "utf8")).toBe(keys);
    const page = createPageClient(sandbox, ada);
    const kept = (await page.messages(room)).map(textOf);
    expect(kept.filter((text) => text.includes("Banned from Night Garden"))).toHaveLength(1);
    const view = await page.run("case show", { number: 1, channel: "garden" }, room);
    expect(textOf(view)).toContain("C-1 · Ban · done");
    const preview = await page.run("undo", { what: "@brook", channel: "garden" }, room);
    expect(textOf(await page.click(preview, room))).toContain("C-2 · Unban · done");
    await vi.waitFor(async () => {
      const news = (await page.messages(room)).map(textOf).join();
      expect(news).toContain("Ban lifted in Night Garden");
    }, polling);
    expect(await program.end()).toBe(0);
    expect(program.output()).toBe(
      `castellan ready: start, network ${network}, sandbox ${sandbox}, console ${desk}\n`,
    );
  });

  it("does not start without its keys, and makes none of its own accord", async () => {
    const file = join(home.directory, "keys.json");
    await rename(file, `${file}.kept`);
    const refused = runProgram(["start"], settings);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toContain(`${file} is missing, but the database is in use.`);
    await expect(stat(file)).rejects.toThrow("ENOENT");
    const renewed = runProgram(["api"], { ...settings, NEW_KEYS: "on" });
    await renewed.ready;
    expect(await renewed.end()).toBe(0);
    expect(await readFile(file, "utf8")).not.toBe(await readFile(`${file}.kept`, "utf8"));
  });
});
