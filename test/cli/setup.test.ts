import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Wallet } from "ethers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rotateKey } from "../../src/cli/setup/rotate-key.ts";
import { runSetup } from "../../src/cli/setup/run-setup.ts";
import { asAppError } from "../../src/errors.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { makeDataDirectory, runProgram, type DataDirectory, type Program } from "../support/program.ts";
import { startLiveServices, type LiveServices } from "./live-services.ts";

const token = "the.token.of.this.test";
const botFid = 9001;
const custody = new Wallet(`0x${"3".repeat(64)}`);
const slow = { timeout: 60_000 };
const started: Running[] = [];

let home: DataDirectory;
let discord: TestDiscord;
let live: LiveServices;

beforeAll(async () => {
  discord = await startTestDiscord({ token });
});
afterAll(() => discord.stop());
beforeEach(async () => {
  [home, live] = await Promise.all([makeDataDirectory(), startLiveServices()]);
  live.custody.set(botFid, custody.address);
  await writeFile(join(home.directory, "custody"), `${custody.privateKey}\n`);
});
afterEach(async () => {
  // A test that failed may have left one that waits.
  process.emit("SIGINT");
  await Promise.all(started.splice(0).map(({ exit }) => exit));
  discord.context.faults.clear();
  await live.close();
  await chmod(dataDirectory(), 0o700).catch(() => {});
  await home.remove();
});

const dataDirectory = () => join(home.directory, "data");
const settingsFile = () => join(dataDirectory(), "settings.env");
const environment = () => ({ DATA_DIR: dataDirectory(), DISCORD_TOKEN: token, DISCORD_API: discord.api });
const liveOptions = () => [
  ...["--network", "live", "--bot-fid", String(botFid), "--hub-url", live.url],
  ...["--client-api-url", live.url, "--registry-url", live.url],
];
const signing = () => ["--custody-key-file", join(home.directory, "custody")];

/** A run of setup, in this process unless said otherwise. */
interface Running {
  output(): string;
  exit: Promise<number>;
}

/** Runs it where nobody can be asked, with these settings as its environment. What it throws is its last line, as in main. */
function run(command: typeof runSetup, words: string[], settings: Record<string, string>): Running {
  const out = new PassThrough();
  let text = "";
  out.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const exit = command(words, { input: new PassThrough(), out, environment: settings }).catch(
    (error: unknown) => {
      const { message, mistakes = [] } = asAppError(error) ?? { message: String(error) };
      text += [message, ...mistakes.map(({ path, message }) => `  ${path} ${message}`)].join("\n");
      return 1;
    },
  );
  const running = { output: () => text, exit };
  started.push(running);
  return running;
}

function setUp(options = [...liveOptions(), ...signing()], settings: Record<string, string> = {}): Running {
  return run(runSetup, options, { ...environment(), ...settings });
}

/** The same in a process of its own, that can be killed. */
function setUpApart(options = [...liveOptions(), ...signing()]): Program {
  return runProgram(["setup", ...options], environment());
}

/** Waits until a run has printed something; fails when it ends before. */
async function printed(running: Running, text: string): Promise<void> {
  let ended = false;
  void running.exit.then(() => (ended = true));
  while (!running.output().includes(text)) {
    if (ended) throw new Error(`it never printed ${text}: ${running.output()}`);
    await sleep(20);
  }
}

/** Waits for the request that a run makes. */
async function requested(running: Running) {
  await printed(running, "Waiting for the answer");
  const request = live.keyRequests.at(-1);
  if (!request) throw new Error("there is no request");
  return request;
}

async function setUpWhole(): Promise<string> {
  const running = setUp();
  live.answer((await requested(running)).token, "completed");
  expect(await running.exit, running.output()).toBe(0);
  return running.output();
}

const readSettings = () => readFile(settingsFile(), "utf8");

describe("castellan setup", slow, () => {
  it("goes from nothing to settings with which everything works, and asks nothing when all is given", async () => {
    const output = await setUpWhole();
    expect(output).toContain(
      `client_id=${discord.applicationId}&scope=bot+applications.commands&permissions=`,
    );
    expect(output).toContain("farcaster://signed-key-request?token=0x");
    // The QR code.
    expect(output).toMatch(/[▀▄█]{20}/);
    const settings = await readSettings();
    expect((await stat(settingsFile())).mode & 0o777).toBe(0o600);
    expect((await stat(`${dataDirectory()}.secret`)).mode & 0o777).toBe(0o600);
    expect(settings).toContain("NETWORK=live\n");
    expect(settings).toMatch(/^BOT_APP_KEY=aes-256-gcm:/m);
    const doctor = runProgram(["doctor"], { DATA_DIR: dataDirectory() });
    expect(await doctor.exit, doctor.output()).toBe(0);
    expect(doctor.output()).toMatch(/^ok +Key 0x.* acts as fid 9001/m);
    expect(await readdir(join(dataDirectory(), "setup"))).not.toContain("setup.env");
  });

  it("shows no secret, neither what was given nor what was made", async () => {
    const output = await setUpWhole();
    const secret = (await readFile(`${dataDirectory()}.secret`, "utf8")).trim();
    for (const hidden of [token, custody.privateKey.slice(2), secret]) expect(output).not.toContain(hidden);
    expect(await readSettings()).not.toContain(custody.privateKey.slice(2));
  });

  it("run twice changes nothing and asks for no second key", async () => {
    await setUpWhole();
    const before = live.keyRequests.length;
    const again = run(runSetup, [], { DATA_DIR: dataDirectory() });
    expect(await again.exit, again.output()).toBe(0);
    expect(live.keyRequests).toHaveLength(before);
    expect(again.output()).toContain("acts as fid 9001");
  });

  it("says all that is missing at once where nobody can be asked, and changes nothing", async () => {
    const program = run(runSetup, [], { DATA_DIR: dataDirectory() });
    expect(await program.exit).toBe(1);
    for (const name of ["DISCORD_TOKEN", "NETWORK", "BOT_FID", "HUB_URL"]) {
      expect(program.output()).toMatch(new RegExp(`^  ${name} is missing: give --`, "m"));
    }
    await expect(readSettings()).rejects.toThrow("ENOENT");
  });

  it("killed while it waits, goes on with the same request", async () => {
    const killed = setUpApart();
    const request = await requested(killed);
    killed.child.kill("SIGKILL");
    await killed.exit;
    await expect(readSettings()).rejects.toThrow("ENOENT");
    const again = setUp(liveOptions());
    await printed(again, "Going on with the request");
    live.answer(request.token, "completed");
    expect(await again.exit, again.output()).toBe(0);
    expect(live.keyRequests).toHaveLength(1);
    expect(live.keys.has(request.key)).toBe(true);
  });

  it("left with Ctrl-C, says how to go on, with exit code 130", async () => {
    const program = setUpApart();
    await requested(program);
    program.child.kill("SIGINT");
    expect(await program.exit).toBe(130);
    expect(program.output()).toContain("Run castellan setup again: it goes on from here.");
  });

  it.each([["denied"], ["expired"]])(
    "a request that is %s ends it, and the next run makes another",
    async (how) => {
      const program = setUp();
      const { token } = await requested(program);
      if (how === "denied") live.answer(token, "denied");
      else live.keyRequests.splice(0, 1);
      expect(await program.exit).toBe(1);
      expect(program.output()).toContain("The request was refused, or is over.");
      const again = setUp();
      live.answer((await requested(again)).token, "completed");
      expect(await again.exit, again.output()).toBe(0);
    },
  );

  it("refuses a key that another account approved", async () => {
    const program = setUp();
    live.answer((await requested(program)).token, "completed", 77);
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain("Fid 77 approved the key, but the bot's account is fid 9001.");
    await expect(readSettings()).rejects.toThrow("ENOENT");
  });

  it("waits for the confirmation, and through silence of the client API", async () => {
    const program = setUp();
    const { token } = await requested(program);
    live.answer(token, "approved");
    await printed(program, "waiting until the network");
    live.faults.set("client", 502);
    await printed(program, "asking on");
    live.faults.clear();
    live.answer(token, "completed");
    expect(await program.exit, program.output()).toBe(0);
  });

  it("takes a signature that a wallet made elsewhere, of the key that the run before made", async () => {
    const first = setUp(liveOptions());
    expect(await first.exit).toBe(1);
    const [text = ""] = /^\{.*"primaryType".*\}$/m.exec(first.output()) ?? [];
    // It is what eth_signTypedData_v4 takes.
    const { domain, types, message } = JSON.parse(text) as Record<"domain" | "message", object> & {
      types: Record<string, { name: string; type: string }[]>;
    };
    delete types["EIP712Domain"];
    const signature = await custody.signTypedData(domain, types, message);
    const second = setUp([...liveOptions(), "--signature", signature]);
    live.answer((await requested(second)).token, "completed");
    expect(await second.exit, second.output()).toBe(0);
  });

  it("a request signed by a stranger is refused with what to do", async () => {
    live.custody.set(botFid, Wallet.createRandom().address);
    const program = setUp();
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain(`signed by the custody address of fid ${botFid}`);
  });

  it("of two at once the second is refused, and the first goes on", async () => {
    const first = setUp();
    const { token } = await requested(first);
    const second = setUp();
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(/Another castellan setup is at work \(process \d+\)/);
    live.answer(token, "completed");
    expect(await first.exit, first.output()).toBe(0);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "a hub of another network",
      () => (live.names = [{ name: "castellan", fid: botFid, fidAtHub: 5 }]),
      /is of another network: there "castellan" belongs to fid 5/,
    ],
    [
      "a hub that does not know the bot's name",
      () => (live.names = [{ name: "castellan", fid: botFid, fidAtHub: undefined }]),
      /is of another network: it does not know "castellan"/,
    ],
    [
      "a hub that wants a key",
      () => (live.hub.apiKey = "KEY"),
      /does not let this key in \(401\).*x-api-key/,
    ],
    ["a hub that is behind", () => (live.hub.behind = 3600), /is 60 minutes behind/],
    [
      "a registry that answers HTML",
      () => live.faults.set("registry", "html"),
      /REGISTRY_URL does not do.*a web page instead of JSON/,
    ],
    [
      "a client API that is down",
      () => live.faults.set("client", 503),
      /CLIENT_API_URL does not do.*answers 503/,
    ],
  ])("refuses %s", async (_, breakIt, says) => {
    breakIt();
    const program = setUp();
    expect(await program.exit).toBe(1);
    expect(program.output()).toMatch(says);
    await expect(readSettings()).rejects.toThrow("ENOENT");
  });

  it("refuses a token that Discord does not know, and one of another application than before", async () => {
    const wrong = setUp(undefined, { DISCORD_TOKEN: "another.token.of.nobody" });
    expect(await wrong.exit).toBe(1);
    expect(wrong.output()).toContain("DISCORD_TOKEN is rejected by Discord");
    expect(wrong.output()).not.toContain("another.token.of.nobody");
    await setUpWhole();
    const settings = await readSettings();
    await writeFile(settingsFile(), settings.replace(discord.applicationId, "1".repeat(18)), { mode: 0o600 });
    const other = setUp();
    expect(await other.exit).toBe(1);
    expect(other.output()).toMatch(/of another application, .*give --other-application/);
    const accepted = setUp(["--other-application"]);
    expect(await accepted.exit, accepted.output()).toBe(0);
    expect(await readSettings()).toBe(settings);
  });

  it("where the settings cannot be written, says so and leaves them as they were", async () => {
    await setUpWhole();
    const before = await readSettings();
    // A directory in the place of the file: also for root, whom modes do not stop.
    const file = join(home.directory, "elsewhere.env");
    await mkdir(file);
    const program = setUp(undefined, { SETTINGS_FILE: file });
    expect(await program.exit).toBe(1);
    expect(program.output()).toContain("elsewhere.env cannot be read: it is a directory");
    expect(await readSettings()).toBe(before);
  });

  it("with an embedded network asks for nothing of the live one", async () => {
    const program = setUp(["--network", "empty"]);
    expect(await program.exit, program.output()).toBe(0);
    expect(await readSettings()).toContain("NETWORK=empty\n");
    expect(live.requests).toEqual([]);
  });

  it("an option that it does not have is named", async () => {
    const program = setUp(["--hub", live.url]);
    expect(await program.exit).toBe(1);
    expect(program.output()).toMatch(/unknown option --hub.*--hub-url/);
  });
});

describe("castellan key rotate", slow, () => {
  const rotate = () => run(rotateKey, signing(), { DATA_DIR: dataDirectory() });
  const keyOf = async () => /^BOT_APP_KEY=(.*)$/m.exec(await readSettings())?.[1];

  it("makes a new key, uses the old one until the new one counts, and says how to revoke the old one", async () => {
    await setUpWhole();
    const [old = ""] = live.keys.keys();
    const before = await keyOf();
    const running = rotate();
    const { token: request, key } = await requested(running);
    expect(await keyOf()).toBe(before);
    live.answer(request, "completed");
    expect(await running.exit, running.output()).toBe(0);
    expect(await keyOf()).not.toBe(before);
    expect(running.output()).toContain(`has the new key ${key}`);
    expect(running.output()).toContain(`Revoke the old key ${old}`);
    live.keys.delete(old);
    live.signers.splice(0, 1);
    const doctor = runProgram(["doctor"], { DATA_DIR: dataDirectory() });
    expect(await doctor.exit, doctor.output()).toBe(0);
  });

  it("that is refused leaves the old key in its place", async () => {
    await setUpWhole();
    const before = await readSettings();
    const running = rotate();
    live.answer((await requested(running)).token, "denied");
    expect(await running.exit).toBe(1);
    expect(await readSettings()).toBe(before);
  });

  it("killed while it waits, goes on with the same request", async () => {
    await setUpWhole();
    const killed = runProgram(["key", "rotate", ...signing()], { DATA_DIR: dataDirectory() });
    const { token: request } = await requested(killed);
    killed.child.kill("SIGKILL");
    await killed.exit;
    const again = rotate();
    await printed(again, "Going on with the request");
    live.answer(request, "completed");
    expect(await again.exit, again.output()).toBe(0);
    expect(live.keyRequests).toHaveLength(2);
  });

  it("killed between the approval and the settings, needs no second approval", async () => {
    await setUpWhole();
    const running = rotate();
    const { token: request, key } = await requested(running);
    // The settings cannot be written just now: a directory stands in the place of their draft's target.
    const settings = await readSettings();
    await rm(settingsFile());
    await mkdir(settingsFile());
    live.answer(request, "completed");
    expect(await running.exit).toBe(1);
    await rm(settingsFile(), { recursive: true });
    await writeFile(settingsFile(), settings, { mode: 0o600 });
    const again = rotate();
    expect(await again.exit, again.output()).toBe(0);
    expect(again.output()).toContain(`has the new key ${key}`);
    expect(live.keyRequests).toHaveLength(2);
  });

  it.each([
    ["with an embedded network", { NETWORK: "sample" }, "makes and registers the bot's key by itself"],
    [
      "with a key from the environment",
      {
        NETWORK: "live",
        BOT_FID: "9001",
        BOT_APP_KEY: "5".repeat(64),
        HUB_URL: "https://hub.example",
        DISCORD_TOKEN: token,
      },
      "BOT_APP_KEY comes from the environment",
    ],
  ])("%s says why it cannot", async (_, settings, says) => {
    const running = run(rotateKey, [], { DATA_DIR: dataDirectory(), ...settings });
    expect(await running.exit).toBe(1);
    expect(running.output()).toContain(says);
  });
});
