import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { runSetup } from "../../src/cli/setup/run-setup.ts";
import { addSetupOptions, readSetupOptions } from "../../src/cli/setup/setup-options.ts";
import { readSettings } from "../../src/environment.ts";
import { runProgram } from "../support/program.ts";
import { botFid, custody, printed, token, useSetupScene } from "./setup-scene.ts";

const slow = { timeout: 60_000 };
const scene = useSetupScene();

/** The bot's name at the registry, and whose it is at the hub. */
function nameBot(fidAtHub: number | undefined): void {
  const { registry, chain } = scene.live;
  registry.give("castellan", botFid, Math.floor(Date.now() / 1000));
  if (fidAtHub === undefined) chain.proofs.delete("castellan");
  else chain.proof("castellan", fidAtHub, 1);
}

describe("castellan setup", slow, () => {
  it("goes from nothing to settings with which everything works, and asks nothing when all is given", async () => {
    const output = await scene.setUpWhole();
    expect(output).toContain(
      `client_id=${scene.discord.applicationId}&scope=bot+applications.commands&permissions=`,
    );
    expect(output).toContain("https://client.farcaster.xyz/deeplinks/signed-key-request?token=0x");
    expect(output).toContain("  farcaster://signed-key-request?token=0x");
    // The QR code.
    expect(output).toMatch(/[▀▄█]{20}/);
    const settings = await scene.settings();
    expect((await stat(scene.settingsFile())).mode & 0o777).toBe(0o600);
    expect((await stat(`${scene.dataDirectory()}.secret`)).mode & 0o777).toBe(0o600);
    expect(settings).toContain("NETWORK=live\n");
    expect(settings).toMatch(/^BOT_APP_KEY=aes-256-gcm:/m);
    const doctor = runProgram(["doctor"], { DATA_DIR: scene.dataDirectory() });
    expect(await doctor.exit, doctor.output()).toBe(0);
    expect(doctor.output()).toMatch(/^ok +Key 0x.* active at 127/m);
    expect(await readdir(join(scene.dataDirectory(), "setup"))).not.toContain("setup.env");
  });

  it("shows no secret, neither what was given nor what was made", async () => {
    const output = await scene.setUpWhole();
    const secret = (await readFile(`${scene.dataDirectory()}.secret`, "utf8")).trim();
    for (const hidden of [token, custody.privateKey.slice(2), secret]) expect(output).not.toContain(hidden);
    expect(await scene.settings()).not.toContain(custody.privateKey.slice(2));
  });

  it("run twice changes nothing and asks for no second key", async () => {
    await scene.setUpWhole();
    const before = scene.live.keys.requests.length;
    const again = scene.setUp([], { DISCORD_TOKEN: "", DISCORD_API: "" });
    expect(await again.exit, again.output()).toBe(0);
    expect(scene.live.keys.requests).toHaveLength(before);
    expect(again.output()).toMatch(/Key 0x.*: active at 127/);
  });

  it("says all that is missing at once where nobody can be asked, and changes nothing", async () => {
    const program = scene.setUp([], { DISCORD_TOKEN: "", DISCORD_API: "" });
    expect(await program.exit).toBe(1);
    for (const name of ["DISCORD_TOKEN", "NETWORK", "BOT_FID", "HUB_URL"]) {
      expect(program.output()).toMatch(new RegExp(`^  ${name} is missing: pass --`, "m"));
    }
    await expect(scene.settings()).rejects.toThrow("ENOENT");
  });

  it("reads secrets from the files that the environment names", async () => {
    const [tokenFile, hubFile] = ["token", "hub"].map((name) => join(scene.home.directory, name));
    await writeFile(tokenFile ?? "", `${token}\n`);
    await writeFile(hubFile ?? "", scene.live.hub.url);
    const files = { DISCORD_TOKEN: "", DISCORD_TOKEN_FILE: tokenFile ?? "", HUB_URL_FILE: hubFile ?? "" };
    const live = scene.setUp(["--network", "live"], files);
    expect(await live.exit).toBe(1);
    expect(live.output()).toMatch(/^ {2}BOT_FID is missing/m);
    expect(live.output()).not.toMatch(/(DISCORD_TOKEN|HUB_URL) is missing/);
    const sample = scene.setUp(["--network", "sample"], files);
    expect(await sample.exit, sample.output()).toBe(0);
    expect(await scene.settings()).toContain(`DISCORD_TOKEN=${token}\n`);
    const unread = scene.setUp(["--network", "sample"], { ...files, HUB_URL_FILE: scene.home.directory });
    expect(await unread.exit).toBe(1);
    expect(unread.output()).toMatch(/HUB_URL_FILE names .* which cannot be read/);
  });

  it("killed while it waits, goes on with the same request", async () => {
    const killed = runProgram(["setup", ...scene.where(), ...scene.signing()], scene.environment());
    const request = await scene.requested(killed);
    killed.child.kill("SIGKILL");
    await killed.exit;
    await expect(scene.settings()).rejects.toThrow("ENOENT");
    const again = scene.setUp(scene.where());
    await printed(again, "Continuing with the previous run's request");
    scene.answer(request.token, "completed");
    expect(await again.exit, again.output()).toBe(0);
    expect(scene.live.keys.requests).toHaveLength(1);
    expect(scene.live.keys.all.has(request.key)).toBe(true);
  });

  it("left with Ctrl-C, says how to go on, with exit code 130", async () => {
    const program = runProgram(["setup", ...scene.where(), ...scene.signing()], scene.environment());
    await scene.requested(program);
    program.child.kill("SIGINT");
    expect(await program.exit).toBe(130);
    expect(program.output()).toContain("Run castellan setup again to continue.");
  });

  it.each([["denied"], ["expired"]])(
    "a request that is %s ends it, and the next run makes another",
    async (how) => {
      const program = scene.setUp();
      const { token } = await scene.requested(program);
      if (how === "denied") scene.answer(token, "denied");
      else scene.live.keys.requests.splice(0, 1);
      expect(await program.exit).toBe(1);
      expect(program.output()).toContain("The request was refused or has expired.");
      const again = scene.setUp();
      scene.answer((await scene.requested(again)).token, "completed");
      expect(await again.exit, again.output()).toBe(0);
    },
  );

  it("refuses a key that another account approved", async () => {
    const program = scene.setUp();
    scene.answer((await scene.requested(program)).token, "completed", 77);
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain("Fid 77 approved the key, but the bot's account is fid 9001.");
    await expect(scene.settings()).rejects.toThrow("ENOENT");
  });

  it("waits for the confirmation, and through silence of the client API", async () => {
    const program = scene.setUp();
    const { token } = await scene.requested(program);
    scene.answer(token, "approved");
    await printed(program, "waiting until the network");
    scene.live.client.fail("*", { what: "status", status: 502 });
    await printed(program, "still trying");
    scene.live.client.fail("*", undefined);
    scene.answer(token, "completed");
    expect(await program.exit, program.output()).toBe(0);
  });

  it("takes a signature that a wallet made elsewhere, of the key that the run before made", async () => {
    const first = scene.setUp([...scene.where(), "--accept-cost"]);
    expect(await first.exit).toBe(1);
    const [text = ""] = /^\{.*"primaryType".*\}$/m.exec(first.output()) ?? [];
    // It is what eth_signTypedData_v4 takes.
    const { domain, types, message } = JSON.parse(text) as Record<"domain" | "message", object> & {
      types: Record<string, { name: string; type: string }[]>;
    };
    delete types["EIP712Domain"];
    const signature = await custody.signTypedData(domain, types, message);
    const second = scene.setUp([...scene.where(), "--accept-cost", "--signature", signature]);
    scene.answer((await scene.requested(second)).token, "completed");
    expect(await second.exit, second.output()).toBe(0);
  });

  it("of two at once the second is refused, and the first goes on", async () => {
    const first = scene.setUp();
    const { token } = await scene.requested(first);
    const second = scene.setUp();
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/Another castellan setup is running \(process \d+\)/);
    scene.answer(token, "completed");
    expect(await first.exit, first.output()).toBe(0);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "a hub of another network",
      () => nameBot(5),
      /is on another network: there "castellan" belongs to fid 5/,
    ],
    [
      "a hub that does not know the bot's name",
      () => nameBot(undefined),
      /is on another network: it does not know "castellan"/,
    ],
    [
      "a hub that wants a key",
      () => (scene.live.hub.faults.apiKey = "KEY"),
      /does not accept this key \(401\).*x-api-key/,
    ],
    ["a hub that is behind", () => scene.live.fallBehind(1), /is 60 minutes behind/],
    [
      "a registry that answers HTML",
      () => scene.live.registry.fail("*", { what: "html" }),
      /REGISTRY_URL cannot be used.*a web page instead of JSON/,
    ],
    [
      "a client API that is down",
      () => scene.live.client.fail("*", { what: "status", status: 503 }),
      /CLIENT_API_URL cannot be used.*answers 503/,
    ],
  ])("refuses %s", async (_, breakIt, says) => {
    breakIt();
    const program = scene.setUp();
    expect(await program.exit).toBe(1);
    expect(program.output()).toMatch(says);
    await expect(scene.settings()).rejects.toThrow("ENOENT");
  });

  it("refuses a token that Discord does not know, and one of another application than before", async () => {
    const wrong = scene.setUp(undefined, { DISCORD_TOKEN: "another.token.of.nobody" });
    expect(await wrong.exit).toBe(1);
    expect(wrong.output()).toContain("DISCORD_TOKEN is rejected by Discord");
    expect(wrong.output()).not.toContain("another.token.of.nobody");
    await scene.setUpWhole();
    const settings = await scene.settings();
    await writeFile(scene.settingsFile(), settings.replace(scene.discord.applicationId, "1".repeat(18)), {
      mode: 0o600,
    });
    const other = scene.setUp();
    expect(await other.exit).toBe(1);
    expect(other.output()).toMatch(/to another application, .*pass --other-application/);
    const accepted = scene.setUp(["--other-application"]);
    expect(await accepted.exit, accepted.output()).toBe(0);
    expect(await scene.settings()).toBe(settings);
  });

  it("where the settings cannot be written, says so and leaves them as they were", async () => {
    await scene.setUpWhole();
    const before = await scene.settings();
    // A directory in the place of the file: also for root, whom modes do not stop.
    const file = join(scene.home.directory, "elsewhere.env");
    await mkdir(file);
    const program = scene.setUp(undefined, { SETTINGS_FILE: file });
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain("elsewhere.env cannot be read: it is a directory");
    expect(await scene.settings()).toBe(before);
  });

  it("finds its place and earlier answers in .env, where the other commands find them", async () => {
    const folder = scene.home.directory;
    const file = join(folder, ".env");
    await writeFile(file, `DATA_DIR=${scene.dataDirectory()}\nDISCORD_TOKEN=${token}\n`);
    const options = readSetupOptions(
      addSetupOptions(new Command()).parse(["--network", "empty"], { from: "user" }),
    );
    const environment = { DISCORD_API: scene.discord.api };
    const place = { input: new PassThrough(), out: new PassThrough(), environment, folder };
    expect(await runSetup(options, place)).toBe(0);
    expect(readSettings(environment, folder)).toMatchObject({ NETWORK: "empty", DISCORD_TOKEN: token });
  });

  it("with an embedded network asks for nothing of the live one", async () => {
    const program = scene.setUp(["--network", "empty"]);
    expect(await program.exit, program.output()).toBe(0);
    expect(await scene.settings()).toContain("NETWORK=empty\n");
    const { client, registry, hub } = scene.live;
    expect([client.requests, registry.requests, hub.requests]).toEqual([[], [], []]);
  });
});
