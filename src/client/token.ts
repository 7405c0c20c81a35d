import { getPublicKeyAsync, signAsync } from "@noble/ed25519";
import { seconds, type Clock } from "../clock.ts";

/** An application key registered for a fid. */
export interface Signer {
  fid: number;
  /** Ed25519 seed, 32 bytes. */
  privateKey: Uint8Array;
}

/** The documented practice (interface.md, "Limits"). */
const lifetime = 5 * 60;
/** Renewed this long before it expires, for clocks that differ and calls that queue (seconds). */
const margin = 60;

/** Gives a bearer token that is valid for the next minute at least; makes one only when it has to. */
export function createTokenSource(signer: Signer, clock: Clock): () => Promise<string> {
  let current: { token: Promise<string>; exp: number } | undefined;
  return () => {
    const now = seconds(clock);
    // One that is valid for longer than it should be was made by a clock that has been set right since.
    if (!current || current.exp - margin < now || current.exp > now + lifetime) {
      const exp = now + lifetime;
      current = { token: mintToken(signer, exp), exp };
    }
    return current.token;
  };
}

/** interface.md, "Client API bearer token"; `exp` in UNIX seconds. */
export async function mintToken(signer: Signer, exp: number): Promise<string> {
  const key = `0x${Buffer.from(await getPublicKeyAsync(signer.privateKey)).toString("hex")}`;
  const text = `${encode({ fid: signer.fid, type: "app_key", key })}.${encode({ exp })}`;
  const signature = await signAsync(new TextEncoder().encode(text), signer.privateKey);
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
