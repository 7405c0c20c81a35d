import { AppError, asAppError } from "../../errors.ts";
import { trim } from "../../start/doctor/check-services.ts";
import { createProbe, readField, type Probe } from "../../start/doctor/probe.ts";
import type { Answers } from "./answers.ts";
import type { KeyRequestDomainName } from "./sign-request.ts";

export interface KeyCost {
  clientUrl: string;
  domain: KeyRequestDomainName;
  /** Passed on the command line if nobody can be asked. */
  acceptsCost: boolean;
}

/** The network's error code when an account has too many keys. */
export const limitReached = "key_transaction_limit";
export const explainLimit =
  "Farcaster limits how many keys an account can add and revoke, and this account has reached the limit (key_transaction_limit). Try again in a few days. An active key keeps working meanwhile.";

/**
 * Shows the cost of an approval before it is requested, and asks whether to continue. A Castellan network is free. Throws
 * `invalid_configuration` if the answer is no, or if nobody can be asked and the command does not accept the cost.
 */
export async function agreeToCost(
  { terminal, say }: Answers,
  { clientUrl, domain, acceptsCost }: KeyCost,
): Promise<void> {
  if (domain === "own") return;
  const price = await readPrice(clientUrl, createProbe());
  const told =
    price === undefined
      ? "it costs money in the app. The price is not known here; the app shows it before you pay"
      : `it costs ${price} in the app, according to the client API. The app shows the price before you pay`;
  say(`
COST
Approving the key is a purchase in the Farcaster app: ${told}.
Farcaster also limits how many keys an account can add and revoke. Revoking a key may also cost money.`);
  if (acceptsCost) return;
  if (!terminal) {
    throw new AppError(
      "invalid_configuration",
      "Standard input is not a terminal, so setup cannot ask whether to continue. To accept the cost, pass --accept-cost.",
    );
  }
  if (/^y(es)?$/i.test(await terminal.ask("Request a new key? [y/N]: "))) return;
  throw new AppError("invalid_configuration", "No new key was requested. Nothing was changed.");
}

/** "0.99 USD", from the network's offering; undefined if it does not answer, or not in a known form. */
async function readPrice(clientUrl: string, probe: Probe): Promise<string | undefined> {
  try {
    const { status, json } = await probe.ask(
      `${trim(clientUrl)}/v2/offering?onchainTransactionType=create-onchain-signer`,
    );
    return status === 200 ? findPrice(readField(json, "result", "offering")) : undefined;
  } catch (error) {
    if (!asAppError(error, "network_unreachable")) throw error;
    return undefined;
  }
}

/** Fields that may contain the price, the human-readable one first. The form of an offering is not documented publicly. */
const priceFields = [
  "localizedPrice",
  "displayPrice",
  "priceString",
  "price",
  "priceUsd",
  "amountUsd",
  "amount",
];

function findPrice(offering: unknown): string | undefined {
  for (const field of priceFields) {
    const value = readField(offering, field);
    const inner = typeof value === "object" ? readField(value, "amount") : value;
    const currency = field.endsWith("Usd")
      ? "USD"
      : (readField(value, "currency") ??
        readField(offering, "currency") ??
        readField(offering, "currencyCode"));
    if (typeof inner !== "number" && typeof inner !== "string") continue;
    const text = String(inner).trim();
    if (!/\d/.test(text) || text.length > 30) continue;
    // "$0.99" already contains the currency.
    return /^[\d.,]+$/.test(text) && typeof currency === "string" ? `${text} ${currency.slice(0, 10)}` : text;
  }
  return undefined;
}
