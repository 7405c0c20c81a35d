import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCastellan, type CastellanProcess } from "../support/program.ts";
import { secretOf } from "../support/signing.ts";
import { botFid, makeTown } from "./town.ts";

/** What is killed: the bot, while network and Discord live on; or everything, in one process. */
export type Mode = "bot" | "together";

/** An installation of the program, of which something is killed and started again. */
export interface Site {
  operatorToken: string;
  /** Where the network is; another address after each start where it was killed too. */
  network(): string;
  /** Where the local Discord is. */
  chat(): string;
  /** How often it was killed. */
  deaths(): number;
  /** How long people wait for the bot's answer, in milliseconds. */
  timeoutMs?: number;
  /** Begins to start what was killed. */
  launch(): CastellanProcess;
  kill(): Promise<void>;
  /** Ends everything as an operator would; gives the exit codes. */
  stop(): Promise<(number | null)[]>;
  /** Ends whatever still runs, at once. */
  raze(): Promise<void>;
  /** The database directory of the bot half, or the address of its server. */
  database: string;
  /** How often it ended by itself and was started again, as a supervisor does. */
  restarts(): number;
}

/** `environment` is the bot's alone, where it is a process of its own. */
export async function openSite(
  mode: Mode,
  directory: string,
  environment: Record<string, string> = {},
): Promise<Site> {
  const operatorToken = randomBytes(32).toString("hex");
  await mkdir(directory, { recursive: true });
  const file = join(directory, "town.json");
  await writeFile(file, JSON.stringify(await makeTown(Math.floor(Date.now() / 1000))));
  const bot = { BOT_FID: String(botFid), BOT_APP_KEY: secretOf(botFid).toString("hex") };
  const free = { PORT: "0", SANDBOX_PORT: "0", CONSOLE_PORT: "0", ...bot };
  const whole = { ...free, NETWORK_FILE: file, OPERATOR_TOKEN: operatorToken };
  return mode === "together"
    ? openWhole(join(directory, "all"), operatorToken, whole)
    : openSplit(directory, operatorToken, whole, { ...free, ...environment });
}

type Settings = Record<string, string>;

const discordToken = "the.bot.of.a.site.at.the.local.Discord";

/** `castellan start`, the network and the local Discord in the same process. */
function openWhole(directory: string, operatorToken: string, settings: Settings): Site {
  let addresses: Record<string, string> = {};
  const victim = createVictim(() => startCastellan("start", { ...settings, DATA_DIR: directory }));
  return {
    ...victim,
    operatorToken,
    network: () => addresses["network"] ?? "",
    chat: () => addresses["sandbox"] ?? "",
    launch() {
      const process = victim.launch();
      process.ready.then(
        (found) => (addresses = found),
        () => {},
      );
      return process;
    },
    stop: async () => [await victim.stop()],
    raze: () => victim.kill(),
    database: join(directory, "database"),
  };
}

/** The network and the local Discord as processes of their own, and the bot as on any other network. */
async function openSplit(
  directory: string,
  operatorToken: string,
  network: Settings,
  bot: Settings,
): Promise<Site> {
  const api = startCastellan("api", { ...network, DATA_DIR: join(directory, "network") });
  const discord = startCastellan("sandbox", {
    PORT: "0",
    SANDBOX_PORT: "0",
    CONSOLE_PORT: "0",
    DISCORD_TOKEN: discordToken,
    DATA_DIR: join(directory, "discord"),
  });
  const { network: origin = "" } = await api.ready;
  const { sandbox: chat = "" } = await discord.ready;
  const victim = createVictim(() =>
    startCastellan("start", {
      ...bot,
      NETWORK: "live",
      CLIENT_API_URL: origin,
      REGISTRY_URL: origin,
      HUB_URL: origin,
      DISCORD_API: `${chat}/api`,
      DISCORD_TOKEN: discordToken,
      DATA_DIR: join(directory, "bot"),
    }),
  );
  return {
    ...victim,
    operatorToken,
    network: () => origin,
    chat: () => chat,
    stop: async () => [await victim.stop(), await discord.stop(), await api.stop()],
    raze: async () => void (await Promise.all([victim.kill(), discord.kill(), api.kill()])),
    database: bot["DATABASE_URL"] ?? join(directory, "bot", "database"),
  };
}

function createVictim(start: () => CastellanProcess) {
  let process: CastellanProcess | undefined;
  let deaths = 0;
  let restarts = 0;
  let isWanted = false;
  const launch = (): CastellanProcess => {
    isWanted = true;
    const launched = start();
    process = launched;
    void launched.exited.then(async () => {
      await sleep(1_000);
      if (!isWanted || process !== launched) return;
      restarts += 1;
      launch();
    });
    return launched;
  };
  return {
    deaths: () => deaths,
    restarts: () => restarts,
    launch,
    async kill() {
      isWanted = false;
      deaths += 1;
      await process?.kill();
    },
    stop: async () => {
      isWanted = false;
      return process ? process.stop() : null;
    },
  };
}
