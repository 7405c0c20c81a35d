// @ts-nocheck
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { createAccount, type SandboxAccount } from "./account.ts";
import { characters, firstTownFid, townspeople } from "./cast-of-characters.ts";

const Key = z.templateLiteral(["0x", z.string()]);
const Account = z.object({
  fid: z.int(),
  name: z.string(),
  appKey: z.string(),
  appPublicKey: z.string(),
  custodyKey: Key,
  custodyAddress: Key,
});

/**
 * The sandbox's accounts with their keys, by fid: read from the data directory, made there at the first start
 * (mode 0600).
 */
export async function loadAccounts(directory: string): Promise<SandboxAccount[]> {
  const file = join(directory, "sandbox-accounts.json");
  if (existsSync(file)) {
    const stored = z.array(Account).safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (stored.success) return stored.data;
    throw new AppError("invalid_file", `${file} is damaged: delete the data directory to start afresh.`);
  }
  const accounts = await Promise.all([
    ...characters.map(({ fid, name }) => createAccount(fid, name)),
    ...townspeople.map((name, index) => createAccount(firstTownFid + index, name)),
  ]);
  saveAccounts(directory, accounts);
  return accounts;
}

/** Replaces the file in one step, so that a crash leaves the old one or the new one. */
export function saveAccounts(directory: string, accounts: readonly SandboxAccount[]): void {
  const file = join(directory, "sandbox-accounts.json");
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, JSON.stringify(accounts, null, 1), { mode: 0o600 });
  renameSync(draft, file);
}
