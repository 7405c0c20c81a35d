import { existsSync } from "node:fs";
import { join } from "node:path";
import { networkInterfaces } from "node:os";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageClient } from "../support/page-client.ts";
import { type DataDirectory, makeFilledDirectory, type Program, runProgram } from "../support/program.ts";

const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const hasIpv6 = own.some(({ address }) => address === "::1");
const outer = own.find(({ internal, family }) => !internal && family === "IPv4")?.address;

const isUp = (address: string) =>
  fetch(address).then(
    () => true,
    () => false,
  );

describe("where castellan listens", { timeout: 240_000 }, () => {
  let home: DataDirectory;
  let program: Program | undefined;

  beforeEach(async () => {
    home = await makeFilledDirectory();
  });

  afterEach(async () => {
    program?.child.kill("SIGKILL");
    await program?.exit;
    program = undefined;
    await home.remove();
  });

  async function run(role: string, settings: Record<string, string>) {
    program = runProgram([role], { DATA_DIR: home.directory, ...settings });
    return program.ready;
  }

  it("HOST opens the network to others, and not the sandbox", async () => {
    const { network, sandbox } = await run("start", { HOST: "0.0.0.0" });
    expect(network).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
    expect(sandbox).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    // Another address of this machine, to which nothing listens that is bound to 127.0.0.1 alone.
    expect(await isUp(network.replace("0.0.0.0", "127.0.0.2"))).toBe(true);
    expect(await isUp(sandbox.replace("127.0.0.1", "127.0.0.2"))).toBe(false);
    const bot = await fetch(`${sandbox}/api/v10/users/@me`, {
      headers: { authorization: "Bot sandbox.bot.token.of.castellan" },
    });
    expect(bot.status).toBe(401);
  });

  it.runIf(outer)("an address of this machine alone is as good, and its sandbox acts there", async () => {
    const { network, sandbox } = await run("start", { HOST: outer ?? "", SANDBOX_HOST: outer ?? "" });
    expect(network).toMatch(new RegExp(`^http://${outer}:\\d+$`));
    expect(sandbox).toMatch(new RegExp(`^http://${outer}:\\d+/\\?key=[\\w-]{43}$`));
    expect(program?.output()).toMatch(/other machines can reach the sandbox/);
    expect((await fetch(new URL("/", sandbox))).status).toBe(403);
    const page = createPageClient(sandbox, "700000000000000001");
    expect(await page.act(3, { do: "follow", channelId: "garden" })).toBeUndefined();
  });

  it.runIf(hasIpv6)(
    "IPv6 addresses stand in brackets, and the commands find the instance there",
    async () => {
      const { network } = await run("api", { HOST: "::" });
      expect(network).toMatch(/^http:\/\/\[::\]:\d+$/);
      const { port } = new URL(network);
      const file = join(home.directory, "network.json");
      const exported = runProgram(["network", "export", file], {
        DATA_DIR: home.directory,
        HOST: "::",
        PORT: port,
      });
      expect([await exported.exit, exported.output()]).toEqual([0, expect.stringContaining("accounts:")]);
    },
  );

  it.each([
    ["an address of another machine", "192.0.2.9"],
    ["no address", "256.1.1.1"],
  ])("%s is named before a database is made", async (_, HOST) => {
    const directory = join(home.directory, "data");
    const refused = runProgram(["api"], { DATA_DIR: directory, HOST });
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toBe(
      `castellan: This machine has no address ${HOST}. Set HOST to one that it has, such as 127.0.0.1.\n`,
    );
    expect(existsSync(directory)).toBe(false);
  });
});
