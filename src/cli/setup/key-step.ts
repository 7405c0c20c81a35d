import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { describeKeyStanding, publicKeyOf, readKeyStanding } from "../../start/doctor/check-key.ts";
import { createProbe } from "../../start/doctor/probe.ts";
import type { SetupFolder } from "../../start/setup-folder.ts";
import { requireSecret, type Answers } from "./answers.ts";
import type { GivenOptions } from "./setup-options.ts";
import { findApproved, requestKey } from "./request-key.ts";
import type { SignatureSources } from "./sign-request.ts";

const explain = `KEY
The bot signs its actions with an application key of its account. You approve the key once, in the Farcaster app on the phone
where that account is signed in, and can revoke it there.`;

interface KeyStep {
  config: Pick<Config, "CLIENT_API_URL" | "HUB_URL" | "BOT_FID">;
  options: GivenOptions;
  /** The previous key, decrypted. */
  present: string | undefined;
  secret: string;
  signal: AbortSignal;
}

/**
 * The bot's private key: the existing one, one from a file, or a new one that is approved now. A key is replaced only
 * if a hub says that it is not active.
 */
export async function answerKey(answers: Answers, folder: SetupFolder, step: KeyStep): Promise<string> {
  const { options, present, secret, config } = step;
  const approved = findApproved(folder, secret);
  if (approved !== undefined) return approved;
  if (options["app-key-file"] !== undefined) {
    const key = readKeyFile(options["app-key-file"]);
    if (await canBeUsed(answers, config, key)) return key;
    throw new AppError(
      "invalid_configuration",
      `The key in ${options["app-key-file"]} cannot be used (see above). A hub may need some minutes to see a key that was just approved.`,
    );
  }
  if (present !== undefined && folder.draft["KEY_REQUEST_TOKEN"] === undefined) {
    if (await canBeUsed(answers, config, present)) return present;
    answers.say("That key can no longer be used, so the bot needs a new one.");
  }
  answers.say(`\n${explain}`);
  return requestKey(answers, folder, requestOptions(step));
}

/** A key request from the options. */
export function requestOptions({ config, options, secret, signal }: Omit<KeyStep, "present">) {
  return {
    clientUrl: config.CLIENT_API_URL,
    hubs: config.HUB_URL ?? [],
    acceptsCost: options["accept-cost"] !== undefined,
    botFid: config.BOT_FID,
    requestFid: readFid(options["request-fid"]) ?? config.BOT_FID,
    secret,
    signal,
    ...readSources(options),
  };
}

function readSources(options: GivenOptions): SignatureSources {
  const { "custody-key-file": file, "key-request-domain": domain = "live" } = options;
  if (domain !== "live" && domain !== "own") {
    throw new AppError("invalid_input", "--key-request-domain must be live or own.");
  }
  return {
    domain,
    custodyKey: file === undefined ? undefined : requireSecret(file),
    signature: options.signature,
  };
}

function readFid(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9][0-9]{0,15}$/.test(text))
    return text === undefined ? undefined : Number(text);
  throw new AppError("invalid_input", "--request-fid must be a fid, such as 9001.");
}

function readKeyFile(file: string): string {
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(requireSecret(file)) ?? [];
  if (digits !== undefined) return digits.toLowerCase();
  throw new AppError("invalid_configuration", `${file} contains no Ed25519 private key of 64 hex digits.`);
}

/** Prints the key's state on the hubs. An unknown state is not a fault, and a key that expires soon can still be used. */
async function canBeUsed(answers: Answers, config: KeyStep["config"], key: string): Promise<boolean> {
  const name = await publicKeyOf(Buffer.from(key, "hex"));
  const standing = await readKeyStanding(config, { name, fid: config.BOT_FID }, createProbe());
  const { part, message } = describeKeyStanding(name, standing);
  answers.say(`  ${part}: ${message}`);
  if (standing.state === "ends_soon") answers.say("  castellan key rotate makes a new one before that.");
  return ["active", "ends_soon", "unknown"].includes(standing.state);
}
