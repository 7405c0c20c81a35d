import { parseConfig, readEnvironment, type Config } from "../../config.ts";
import { readSettings } from "../../environment.ts";
import { encryptKey } from "../../encrypted-key.ts";
import { AppError } from "../../errors.ts";
import { readSettingsFile, settingsFileOf, writeSettingsFile } from "../../settings-file.ts";
import { describeKeyStanding, publicKeyOf, readKeyStanding } from "../../start/doctor/check-key.ts";
import { createProbe } from "../../start/doctor/probe.ts";
import { createAnswers, type Answers } from "./answers.ts";
import { requestOptions } from "./key-step.ts";
import { openKeySecret } from "./key-secret.ts";
import { findApproved, requestKey } from "./request-key.ts";
import type { GivenOptions } from "./setup-options.ts";
import { holdSetupSession, type SetupPlace } from "./setup-session.ts";

/**
 * Makes a new key for the bot, has the account's owner approve it, and only then replaces the old one, which stays
 * active until it is revoked. Returns the exit code.
 */
export async function rotateKey(options: GivenOptions, place: SetupPlace): Promise<number> {
  const settings = readSettings(place.environment, place.folder);
  const config = parseConfig(settings);
  if (config.NETWORK !== "live") {
    throw new AppError(
      "invalid_configuration",
      "The embedded network makes and registers the bot's key automatically. Keys can be rotated only with NETWORK=live.",
    );
  }
  const file = settingsFileOf(settings);
  const stored = readSettingsFile(file);
  if (
    stored?.["BOT_APP_KEY"] === undefined ||
    readEnvironment(place.environment)["BOT_APP_KEY"] !== undefined
  ) {
    throw new AppError(
      "invalid_configuration",
      `BOT_APP_KEY comes from the environment, which this command cannot change. Run castellan setup once to store it in ${file}.`,
    );
  }
  const session = {
    dataDirectory: config.DATA_DIR,
    purpose: "rotation",
    whenLeft: "The old key stays active. Run castellan key rotate again to continue with this request.",
  } as const;
  return holdSetupSession(place, session, async ({ folder, terminal, signal }) => {
    const answers = createAnswers({ given: {}, earlier: {}, terminal, out: place.out });
    const { secret, file: secretFile } = openKeySecret(settings, config.DATA_DIR);
    const step = { config, options, secret, signal };
    const approved = findApproved(folder, secret);
    if (approved === undefined) await sayStanding(answers, config);
    const key = approved ?? (await requestKey(answers, folder, requestOptions(step)));
    const encrypted = encryptKey(key, secret);
    writeSettingsFile(file, {
      ...readSettingsFile(file),
      BOT_APP_KEY: encrypted,
      KEY_SECRET_FILE: secretFile,
    });
    folder.clear();
    await sayWhatIsLeft(answers, file, { old: config.BOT_APP_KEY ?? "", next: key, fid: config.BOT_FID });
  });
}

/** Prints the present key's state on the hubs, so that the operator can decide to keep it. */
async function sayStanding({ say }: Answers, config: Config): Promise<void> {
  const name = await publicKeyOf(Buffer.from(config.BOT_APP_KEY ?? "", "hex"));
  const standing = await readKeyStanding(config, { name, fid: config.BOT_FID }, createProbe());
  const { part, message } = describeKeyStanding(name, standing);
  say(`  ${part}: ${message}`);
  if (standing.state === "active") say("  It works. You need a new key only if somebody else may know it.");
}

async function sayWhatIsLeft(
  { say }: Answers,
  file: string,
  { old, next, fid }: { old: string; next: string; fid: number },
): Promise<void> {
  const [before, now] = await Promise.all([old, next].map((key) => publicKeyOf(Buffer.from(key, "hex"))));
  if (before === now) return say("The new key was already in use.");
  say(`
${file} has the new key ${now}.

Next:
  1. Restart Castellan. A running instance uses the old key until then.
  2. castellan doctor
  3. Revoke the old key ${before}
     as fid ${fid}: in the Farcaster app under Settings, Advanced, Connected apps; or from its custody address with
     remove(key) of the KeyRegistry contract on Optimism. That may cost money. Until then the old key can still act as the bot.`);
}
