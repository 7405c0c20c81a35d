import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPublicKeyAsync } from "@noble/ed25519";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { firstResidentFid, personas, residentNames } from "./personas.ts";

const Hex = z.templateLiteral(["0x", z.string()]);

/** An account of the sample network whose keys the sandbox stores, as its user's own client would. */
const SandboxAccount = z.object({
  fid: z.int(),
  name: z.string(),
  /** Ed25519 private key of an application of the user, hex without 0x. */
  appKey: z.string(),
  /** Its public key, as the network knows it. */
  appPublicKey: z.string(),
  /** Private key of the custody wallet. */
  custodyKey: Hex,
  custodyAddress: Hex,
});
export type SandboxAccount = z.infer<typeof SandboxAccount>;

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

/** New accounts for everybody in the sample network: the personas, then the residents. */
export function createSampleAccounts(): Promise<SandboxAccount[]> {
  return Promise.all([
    ...personas.map(({ fid, name }) => createAccount(fid, name)),
    ...residentNames.map((name, index) => createAccount(firstResidentFid + index, name)),
  ]);
}

/** The sample network's accounts, read from the data directory, where the first start creates them (mode 0600). */
export async function loadAccounts(directory: string): Promise<SandboxAccount[]> {
  const file = join(directory, "sandbox-accounts.json");
  if (existsSync(file)) {
    const stored = z.array(SandboxAccount).safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (stored.success) return stored.data;
    throw new AppError("invalid_file", `${file} is damaged. Delete the data directory to start again.`);
  }
  const accounts = await createSampleAccounts();
  // Written atomically, so that a crash leaves no half-written file.
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(accounts, null, 1), { mode: 0o600 });
  renameSync(draft, file);
  return accounts;
}
