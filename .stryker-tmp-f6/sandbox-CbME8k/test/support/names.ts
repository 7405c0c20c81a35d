// @ts-nocheck
import { privateKeyToAccount } from "viem/accounts";
import { defaultSettings } from "../../src/api/context.ts";
import { describeClaim, describeConsent } from "../../src/contract/name-claim.ts";
import type { InputOf } from "../../src/contract/endpoint.ts";
import type { transfers } from "../../src/contract/registry.ts";

export type TransferInput = InputOf<typeof transfers.create>;

/** The key of a user's custody address, the same in every run. */
export function custodyOf(fid: number) {
  return privateKeyToAccount(`0x${fid.toString(16).padStart(64, "0")}`);
}

export interface SignedTransfer {
  name: string;
  from: number;
  to: number;
  /** Who asks and signs; `from`, or `to` of a registration, unless said otherwise. */
  fid?: number;
  timestamp: number;
}

/** The body of POST /transfers, signed by the custody address of who asks. */
export async function signTransfer({
  name,
  from,
  to,
  timestamp,
  ...rest
}: SignedTransfer): Promise<TransferInput> {
  const fid = rest.fid ?? (from === 0 ? to : from);
  const account = custodyOf(fid);
  const claim = { name, owner: account.address, timestamp };
  const signature = await account.signTypedData(describeClaim(defaultSettings.nameDomain, claim));
  return { ...claim, from, to, fid, signature };
}

/** What the fid that has the name adds when another asks for it. */
export function signConsent(input: TransferInput, by = input.from): Promise<string> {
  const { name, timestamp, to } = input;
  // Addresses in these tests come from accounts.
  const owner = input.owner as `0x${string}`;
  return custodyOf(by).signTypedData(
    describeConsent(defaultSettings.nameDomain, { name, timestamp, owner, to }),
  );
}
