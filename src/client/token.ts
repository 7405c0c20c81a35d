import { getPublicKeyAsync, signAsync } from "@noble/ed25519";
import { seconds, type Clock } from "../clock.ts";
import { AppError } from "../errors.ts";

/** An application key registered for a fid. */
export interface Signer {
  fid: number;
  /** Ed25519 private key (its seed): 32 bytes, or 64 hex digits with or without 0x. */
  privateKey: Uint8Array | string;
}

/** The key's bytes. Throws `invalid_configuration` unless there are 32. */
export function readPrivateKey(key: unknown): Uint8Array {
  if (key instanceof Uint8Array && key.length === 32) return key;
  if (typeof key === "string" && /^(0x)?[0-9a-fA-F]{64}$/.test(key))
    return Buffer.from(key.slice(-64), "hex");
  const isSized = typeof key === "string" || key instanceof Uint8Array;
  const given = key === undefined ? "nothing" : isSized ? `one of length ${key.length}` : `a ${typeof key}`;
  throw new AppError(
    "invalid_configuration",
    `signer.privateKey must be an Ed25519 private key, 32 bytes or 64 hex digits, not ${given}.`,
  );
}

/** The documented practice (interface.md, "Limits"). */
const lifetime = 5 * 60;
/** Seconds before expiry at which a token is renewed, for clocks that differ and calls that queue. */
const margin = 60;

/** Returns a bearer token that is valid for at least another minute; creates one only if necessary. */
export function createTokenSource(signer: Signer, clock: Clock): () => Promise<string> {
  // Checks the key when the client is created, not at its first call.
  const checked = { fid: signer.fid, privateKey: readPrivateKey(signer.privateKey) };
  let current: { token: Promise<string>; exp: number } | undefined;
  return () => {
    const now = seconds(clock);
    // If it is valid for too long, the clock was ahead when it was created and has since been corrected.
    if (!current || current.exp - margin < now || current.exp > now + lifetime) {
      const exp = now + lifetime;
      current = { token: mintToken(checked, exp), exp };
    }
    return current.token;
  };
}

/** interface.md, "Client API bearer token"; `exp` in UNIX seconds. */
export async function mintToken(signer: Signer, exp: number): Promise<string> {
  const privateKey = readPrivateKey(signer.privateKey);
  const key = `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}`;
  const text = `${encode({ fid: signer.fid, type: "app_key", key })}.${encode({ exp })}`;
  const signature = await signAsync(new TextEncoder().encode(text), privateKey);
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
