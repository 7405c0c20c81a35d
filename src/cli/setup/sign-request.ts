import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDefinition } from "viem";
import { mnemonicToAccount, privateKeyToAccount, type LocalAccount } from "viem/accounts";
import {
  describeKeyRequest,
  liveKeyRequestDomain,
  ownKeyRequestDomain,
  type KeyRequest,
} from "../../contract/key-request.ts";
import { AppError } from "../../errors.ts";
import type { Answers } from "./answers.ts";

/** The signing domain: Farcaster's, or a Castellan network's own. */
export type KeyRequestDomainName = "live" | "own";

const domains = { live: liveKeyRequestDomain, own: ownKeyRequestDomain };

export interface SignatureSources {
  domain: KeyRequestDomainName;
  /** The private key or recovery phrase, if it was passed as a file. */
  custodyKey: string | undefined;
  /** A signature that was made elsewhere. */
  signature: string | undefined;
}

interface Signing extends SignatureSources {
  /** The address that has to sign, in lower case; undefined if no hub reports it. */
  custody: string | undefined;
}

/**
 * Has a request signed by the custody address of the requesting account: elsewhere, or with its key, which is used
 * once and not stored. A key of another address is refused before it signs anything. Throws `invalid_configuration`
 * for such a key, and if nobody can be asked.
 */
export async function signRequest(
  { terminal, say }: Answers,
  request: KeyRequest,
  { domain, custodyKey, signature, custody }: Signing,
): Promise<`0x${string}`> {
  if (signature !== undefined) return readSignature(signature);
  const message = describeKeyRequest(domains[domain], request);
  const { requestFid } = request;
  const openAccount = (text: string) => requireCustody(readAccount(text), requestFid, custody);
  if (custodyKey !== undefined) return openAccount(custodyKey).signTypedData(message);
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: message.domain }), ...message.types };
  const definition: TypedDataDefinition = { ...message, types };
  const typedData = serializeTypedData(definition);
  if (!terminal) {
    throw new AppError(
      "invalid_configuration",
      `The custody address of fid ${requestFid} has to sign the key request. Pass --custody-key-file, or sign this with its wallet (eth_signTypedData_v4) and pass --signature:\n${typedData}`,
    );
  }
  say(`
SIGNATURE
The key request must be signed by the custody address of fid ${requestFid}${custody === undefined ? "" : ` (${custody})`}.
The safest way is to sign it in a wallet on another device: press Enter to see the text to sign.
Otherwise type the recovery phrase of the Farcaster account. The Farcaster app shows two phrases. Use the account's, under
Settings, Advanced, recovery. Never type the wallet's phrase. It controls money, and is never needed here.
The account's phrase controls the whole account. It is used once, on this machine, and not stored. It is better to run setup on
your own computer, and copy settings.env and the secret (docs/guide/setup.md explains how).${custody === undefined ? "\nNo hub reports the custody address, so your input cannot be checked against it." : ""}`);
  const secret = await askUntil(
    terminal,
    "The account's recovery phrase, or custody private key (hidden; Enter: sign elsewhere): ",
    true,
    say,
    (text) => (text === "" ? text : (openAccount(text), text)),
  );
  if (secret !== "") return openAccount(secret).signTypedData(message);
  say(
    `\nSign this with the wallet (eth_signTypedData_v4), for example with "cast wallet sign --data":\n\n${typedData}\n`,
  );
  return askUntil(terminal, "Signature (0x…): ", false, say, readSignature);
}

async function askUntil<T>(
  terminal: NonNullable<Answers["terminal"]>,
  question: string,
  hidden: boolean,
  say: Answers["say"],
  read: (text: string) => T,
): Promise<T> {
  for (;;) {
    const answer = await terminal.ask(question, hidden);
    try {
      return read(answer);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      say(`  ${error.message}`);
    }
  }
}

function readSignature(text: string): `0x${string}` {
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{130})$/.exec(text.trim()) ?? [];
  if (digits !== undefined) return `0x${digits}`;
  throw new AppError("invalid_configuration", "A signature is 0x and 130 hex digits.");
}

function requireCustody(account: LocalAccount, fid: number, custody: string | undefined): LocalAccount {
  if (custody === undefined || account.address.toLowerCase() === custody) return account;
  throw new AppError(
    "invalid_configuration",
    `That belongs to the address ${account.address}, but the custody address of fid ${fid} is ${custody}. Nothing was signed with it. The Farcaster app shows two recovery phrases. Use the account's (Settings, Advanced, recovery), never the wallet's.`,
  );
}

/** Error messages must not contain the secret. */
function readAccount(secret: string): LocalAccount {
  const text = secret.trim();
  const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text) ?? [];
  try {
    return digits === undefined
      ? mnemonicToAccount(text.replaceAll(/\s+/g, " "))
      : privateKeyToAccount(`0x${digits}`);
  } catch {
    throw new AppError(
      "invalid_configuration",
      "That is neither a recovery phrase of 12 or 24 words nor a private key of 64 hex digits.",
    );
  }
}
