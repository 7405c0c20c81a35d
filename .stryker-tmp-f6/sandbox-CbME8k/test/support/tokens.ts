// @ts-nocheck
import { getPublicKeyAsync, signAsync } from "@noble/ed25519";

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

export const secretOf = (fid: number) => Buffer.from(fid.toString(16).padStart(64, "0"), "hex");

/** The public application key of a user in these tests, as it is stored. */
export async function keyOf(fid: number): Promise<string> {
  return `0x${Buffer.from(await getPublicKeyAsync(secretOf(fid))).toString("hex")}`;
}

export interface TokenParts {
  header?: unknown;
  payload?: unknown;
  /** Signs in place of the fid's key. */
  secret?: Uint8Array;
  /** In place of a signature. */
  signature?: Uint8Array | string;
}

/** A bearer token of `fid`, with parts of it replaced; whatever it says is signed. */
export async function makeToken(fid: number, exp: number, parts: TokenParts = {}): Promise<string> {
  const header = encode(parts.header ?? { fid, type: "app_key", key: await keyOf(fid) });
  const signed = `${header}.${encode(parts.payload ?? { exp })}`;
  const secret = parts.secret ?? secretOf(fid);
  const signature = parts.signature ?? (await signAsync(Buffer.from(signed), secret));
  const last = typeof signature === "string" ? signature : Buffer.from(signature).toString("base64url");
  return `${signed}.${last}`;
}
