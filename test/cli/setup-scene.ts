import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import { Wallet } from "ethers";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { rotateKey } from "../../src/cli/setup/rotate-key.ts";
import { runSetup } from "../../src/cli/setup/run-setup.ts";
import { addSetupOptions, readSetupOptions } from "../../src/cli/setup/setup-options.ts";
import { asAppError } from "../../src/errors.ts";
import { startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { makeDataDirectory, type DataDirectory } from "../support/program.ts";
import { startLiveNetwork, type LiveNetwork } from "../live/live-network.ts";

export const token = "the.token.of.this.test";
export const botFid = 9001;
export const custody = new Wallet(`0x${"3".repeat(64)}`);

/** A run of setup, in this process unless said otherwise. */
export interface Running {
  output(): string;
  exit: Promise<number>;
}

/** A local Discord for all tests of a file; for each of them services of the live network and a new directory. */
export interface SetupScene {
  discord: TestDiscord;
  live: LiveNetwork;
  home: DataDirectory;
  dataDirectory(): string;
  settingsFile(): string;
  settings(): Promise<string>;
  /** What the program gets in its environment. */
  environment(): Record<string, string>;
  /** The options that say where the double is, and those that sign the request for a key. */
  where(): string[];
  signing(): string[];
  setUp(options?: string[], settings?: Record<string, string>): Running;
  rotate(options?: string[], settings?: Record<string, string>): Running;
  /** From nothing to its end; gives what it printed. */
  setUpWhole(): Promise<string>;
  /** Somebody answers a request for a key in the app, the bot's account unless said otherwise. */
  answer(token: string, state: "approved" | "completed" | "denied", fid?: number): void;
  /** The request that a run makes, once it waits for the answer. */
  requested(running: Running): Promise<LiveNetwork["keys"]["requests"][number]>;
}

export function useSetupScene(): SetupScene {
  const started: Running[] = [];
  const run = (command: typeof runSetup, words: string[], settings: Record<string, string>) => {
    const running = start(command, words, settings);
    started.push(running);
    return running;
  };
  const acts: Omit<SetupScene, "discord" | "live" | "home"> = {
    dataDirectory: () => join(scene.home.directory, "data"),
    settingsFile: () => join(scene.dataDirectory(), "settings.env"),
    settings: () => readFile(scene.settingsFile(), "utf8"),
    environment: () => ({
      DATA_DIR: scene.dataDirectory(),
      DISCORD_TOKEN: token,
      DISCORD_API: scene.discord.api,
    }),
    where: () =>
      [
        `--network live --bot-fid ${botFid} --hub-url ${scene.live.hub.url}`,
        `--client-api-url ${scene.live.client.url} --registry-url ${scene.live.registry.url}`,
      ].flatMap((words) => words.split(" ")),
    signing: () => ["--accept-cost", "--custody-key-file", join(scene.home.directory, "custody")],
    setUp: (options = [...scene.where(), ...scene.signing()], settings = {}) =>
      run(runSetup, options, { ...scene.environment(), ...settings }),
    rotate: (options = scene.signing(), settings = {}) =>
      run(rotateKey, options, { DATA_DIR: scene.dataDirectory(), ...settings }),
    async setUpWhole() {
      const running = scene.setUp();
      scene.answer((await scene.requested(running)).token, "completed");
      expect(await running.exit, running.output()).toBe(0);
      return running.output();
    },
    answer: (token, state, fid = botFid) => scene.live.keys.decide(state, fid, token),
    async requested(running) {
      await printed(running, "Waiting for the answer");
      const request = scene.live.keys.requests.at(-1);
      if (!request) throw new Error("there is no request");
      return request;
    },
  };
  // Its parts are there when the first test begins.
  const scene = acts as SetupScene;
  beforeAll(async () => {
    scene.discord = await startTestDiscord({ token });
  });
  afterAll(() => scene.discord.stop());
  beforeEach(async () => {
    [scene.home, scene.live] = await Promise.all([makeDataDirectory(), startLiveNetwork()]);
    scene.live.chain.custody.set(botFid, custody.address);
    await writeFile(join(scene.home.directory, "custody"), `${custody.privateKey}\n`);
  });
  afterEach(async () => {
    // A test that failed may have left one that waits.
    process.emit("SIGINT");
    await Promise.all(started.splice(0).map(({ exit }) => exit));
    scene.discord.faults.clear();
    await scene.live.close();
    await chmod(scene.dataDirectory(), 0o700).catch(() => {});
    await scene.home.remove();
  });
  return scene;
}

/** Runs it where nobody can be asked, with these settings as its environment. What it throws is its last line, as in main. */
function start(command: typeof runSetup, words: string[], settings: Record<string, string>): Running {
  const out = new PassThrough();
  let text = "";
  out.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const given = readSetupOptions(addSetupOptions(new Command()).parse(words, { from: "user" }));
  const exit = command(given, { input: new PassThrough(), out, environment: settings }).catch(
    (error: unknown) => {
      const { message, mistakes = [] } = asAppError(error) ?? { message: String(error) };
      text += [message, ...mistakes.map(({ path, message }) => `  ${path} ${message}`)].join("\n");
      return 1;
    },
  );
  return { output: () => text, exit };
}

/** Waits until a run has printed something; fails when it ends before. */
export async function printed(running: Running, text: string): Promise<void> {
  let ended = false;
  void running.exit.then(() => (ended = true));
  while (!running.output().includes(text)) {
    if (ended) throw new Error(`it never printed ${text}: ${running.output()}`);
    await sleep(20);
  }
}
