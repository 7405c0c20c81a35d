// @ts-nocheck
import { randomBytes } from "node:crypto";
import { getPublicKeyAsync } from "@noble/ed25519";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";

/** An account of the sample network whose keys the sandbox holds, as its user's own client would. */
export interface SandboxAccount {
  fid: number;
  name: string;
  /** Ed25519 private key of an application of the user, hex. */
  appKey: string;
  /** Its public key, 0x hex, as the network knows it. */
  appPublicKey: string;
  /** Private key of the custody wallet, 0x hex. */
  custodyKey: `0x${string}`;
  custodyAddress: `0x${string}`;
}

/** Makes an account with new keys. */
export async function createAccount(fid: number, name: string): Promise<SandboxAccount> {
  const appKey = randomBytes(32);
  const custodyKey = generatePrivateKey();
  return {
    fid,
    name,
    appKey: appKey.toString("hex"),
    appPublicKey: `0x${Buffer.from(await getPublicKeyAsync(appKey)).toString("hex")}`,
    custodyKey,
    custodyAddress: privateKeyToAddress(custodyKey),
  };
}
