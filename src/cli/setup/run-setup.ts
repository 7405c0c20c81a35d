import { parseConfig, readEnvironment, withSecretFiles, type Config } from "../../config.ts";
import { layOver, readHandwritten } from "../../environment.ts";
import { encryptKey, isEncrypted, decryptKey } from "../../encrypted-key.ts";
import { AppError, asAppError } from "../../errors.ts";
import { readSettingsFile, settingsFileOf, writeSettingsFile, type Settings } from "../../settings-file.ts";
import type { SetupFolder } from "../../start/setup-folder.ts";
import { createAnswers, requireSecret, requireAnswers, type Answers } from "./answers.ts";
import { answerDiscord } from "./discord-step.ts";
import { answerKey } from "./key-step.ts";
import { openKeySecret, type KeySecret } from "./key-secret.ts";
import { answerNetwork, answerServices, requireWhole } from "./network-step.ts";
import type { GivenOptions } from "./setup-options.ts";
import { holdSetupSession, type SetupPlace } from "./setup-session.ts";

/**
 * Asks for the settings of Discord and the live network, checks them, and stores them where `castellan start` finds
 * them. Returns the exit code.
 */
export async function runSetup(options: GivenOptions, place: SetupPlace): Promise<number> {
  const environment = withSecretFiles(readEnvironment(place.environment));
  const written = withSecretFiles(readHandwritten(place.folder));
  const where = { ...written, ...environment };
  const file = settingsFileOf(where);
  const { DATA_DIR: dataDirectory } = parseConfig({ DATA_DIR: where.DATA_DIR });
  const whenLeft = "Run castellan setup again to continue.";
  return holdSetupSession(
    place,
    { dataDirectory, purpose: "setup", whenLeft },
    async ({ folder, terminal, signal }) => {
      const stored = readSettingsFile(file) ?? {};
      const given = { ...environment, ...fromOptions(options) };
      const sources = {
        given,
        earlier: { ...layOver(written, stored), ...folder.draft },
        terminal,
        out: place.out,
      };
      requireAnswers(sources, neededFor(given["NETWORK"] ?? sources.earlier["NETWORK"]));
      const answers = createAnswers(sources);
      greet(answers, file);
      const { settings, name } = await askEverything({
        answers,
        folder,
        options,
        given,
        stored,
        written,
        dataDirectory,
        signal,
      });
      requireUnchanged(file, stored);
      writeSettingsFile(file, settings);
      folder.clear();
      sayGoodbye(answers, file, settings, name);
    },
  );
}

function neededFor(network: string | undefined) {
  const always = [
    ["DISCORD_TOKEN", "discord-token-file"],
    ["NETWORK", "network"],
  ] as const;
  if (network !== undefined && network !== "live") return always;
  return [...always, ["BOT_FID", "bot-fid"], ["HUB_URL", "hub-url"]] as const;
}

interface SetupRun {
  answers: Answers;
  folder: SetupFolder;
  options: GivenOptions;
  given: Settings;
  /** The settings so far. */
  stored: Settings;
  /** Those in `.env`, which apply where none are stored. */
  written: Settings;
  dataDirectory: string;
  signal: AbortSignal;
}

/** The settings with all answers so far. Answers are stored at once, so that an interrupted run does not lose them. */
async function askEverything(run: SetupRun): Promise<{ settings: Settings; name?: string | undefined }> {
  const { answers, folder, options, given, stored } = run;
  const known: Settings = { ...layOver(run.written, stored), ...given };
  const { DISCORD_API } = parseConfig({ DISCORD_API: known["DISCORD_API"] });
  const discord = await answerDiscord(answers, {
    api: DISCORD_API,
    application: stored["DISCORD_APPLICATION"],
    anyApplication: options["other-application"] !== undefined,
  });
  folder.save({ ...discord });
  const NETWORK = await answerNetwork(answers);
  folder.save({ NETWORK });
  const custom = given["DISCORD_API"] === undefined ? {} : { DISCORD_API };
  const common = { ...stored, ...custom, ...discord, NETWORK };
  if (NETWORK !== "live") return { settings: common };
  const { settings: services, name } = await answerServices(answers, known["HUB_SECONDS"]);
  folder.save({ ...services });
  const secret = openKeySecret(known, run.dataDirectory);
  const { BOT_APP_KEY: before } = known;
  const present = readPresentKey(before, secret);
  const key = await answerKey(answers, folder, {
    config: parseConfig({ ...services }),
    options,
    present,
    secret: secret.secret,
    signal: run.signal,
  });
  const settings = {
    ...common,
    ...services,
    // If nothing changed, the file is not written.
    BOT_APP_KEY:
      key === present && before !== undefined && isEncrypted(before)
        ? before
        : encryptKey(key, secret.secret),
    KEY_SECRET_FILE: secret.file,
  };
  requireWhole({ ...settings, KEY_SECRET: known["KEY_SECRET"] });
  return { settings, name };
}

/** The key in the settings. A key that can no longer be decrypted is replaced by a new one and does not stop the setup. */
function readPresentKey(key: string | undefined, { secret }: KeySecret): string | undefined {
  if (key === undefined || !isEncrypted(key)) return key?.replace(/^0x/, "");
  try {
    return decryptKey(key, secret);
  } catch (error) {
    if (!asAppError(error)) throw error;
    return undefined;
  }
}

function fromOptions(options: GivenOptions): Settings {
  const token = options["discord-token-file"];
  const named: Settings = {
    NETWORK: options.network,
    BOT_FID: options["bot-fid"],
    DISCORD_API: options["discord-api"],
    CLIENT_API_URL: options["client-api-url"],
    REGISTRY_URL: options["registry-url"],
    HUB_URL: options["hub-url"],
    KEY_SECRET_FILE: options["secret-file"],
    ...(token !== undefined && { DISCORD_TOKEN: requireSecret(token) }),
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** Somebody may have edited the file meanwhile, or run setup with another data directory. */
function requireUnchanged(file: string, stored: Settings): void {
  if (JSON.stringify(readSettingsFile(file) ?? {}) === JSON.stringify(stored)) return;
  throw new AppError(
    "invalid_file",
    `${file} was changed by another process or person meanwhile, and was not overwritten. Run castellan setup again to continue.`,
  );
}

function greet({ terminal, say }: Answers, file: string): void {
  if (!terminal) return;
  say(`castellan setup asks for the bot's settings, checks each answer, and writes ${file}.
You can run it again at any time. Enter keeps the value in brackets. Ctrl-C exits; nothing is changed until the end.`);
}

function sayGoodbye(
  { say }: Answers,
  file: string,
  { NETWORK, BOT_FID, KEY_SECRET_FILE }: Settings,
  name: string | undefined,
): void {
  const live = NETWORK === ("live" satisfies Config["NETWORK"]);
  const kept = !live
    ? ""
    : KEY_SECRET_FILE === undefined
      ? "\nThe bot's key in it is encrypted with KEY_SECRET, which must be set when Castellan starts."
      : `\nThe bot's key in it is encrypted; ${KEY_SECRET_FILE} decrypts it. Back up both, but separately.`;
  const invite = live
    ? `\n  3. In Discord: /setup link, and the channel's owner invites ${name === undefined ? `fid ${BOT_FID}` : `${name} (fid ${BOT_FID})`} as member, then as moderator`
    : "";
  say(`
Wrote ${file}, which only you can read.${kept}

Next:
  1. castellan start
  2. castellan doctor${invite}`);
}
