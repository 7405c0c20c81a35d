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

/** Whose typed data is signed: Farcaster's, or that of a network of Castellan's own. */
export type KeyRequestDomainName = "live" | "own";

const domains = { live: liveKeyRequestDomain, own: ownKeyRequestDomain };

export interface SignatureSources {
  domain: KeyRequestDomainName;
  /** The private key or recovery phrase, where it was given in a file. */
  custodyKey: string | undefined;
  /** One that was made elsewhere. */
  signature: string | undefined;
}

/**
 * Has a request signed by the custody address of who asks: with its key, which is used once and not kept, or elsewhere.
 * Throws `invalid_configuration` where nobody can be asked.
 */
export async function signRequest(
  { terminal, say }: Answers,
  request: KeyRequest,
  { domain, custodyKey, signature }: SignatureSources,
): Promise<`0x${string}`> {
  if (signature !== undefined) return readSignature(signature);
  const message = describeKeyRequest(domains[domain], request);
  if (custodyKey !== undefined) return readAccount(custodyKey).signTypedData(message);
  const { requestFid } = request;
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: message.domain }), ...message.types };
  const definition: TypedDataDefinition = { ...message, types };
  const typedData = serializeTypedData(definition);
  if (!terminal) {
    throw new AppError(
      "invalid_configuration",
      `The request for the key has to be signed by the custody address of fid ${requestFid}: give --custody-key-file, or sign this with its wallet (eth_signTypedData_v4) and give --signature:\n${typedData}`,
    );
  }
  say(`
That Castellan asks for a key has to be signed by the custody address of fid ${requestFid}. Type its recovery phrase or private
key: it is used once, here on this machine, and not kept. Or press Enter to sign with a wallet elsewhere.`);
  const secret = await askUntil(
    terminal,
    "Recovery phrase or private key (hidden; Enter: elsewhere): ",
    true,
    say,
    (text) => (text === "" ? text : (readAccount(text), text)),
  );
  if (secret !== "") return readAccount(secret).signTypedData(message);
  say(
    `\nSign this with the wallet (eth_signTypedData_v4), such as by "cast wallet sign --data":\n\n${typedData}\n`,
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

/** What is wrong with it is said without it. */
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
