import { AppError, asAppError } from "../../errors.ts";
import { trim } from "../../start/doctor/check-services.ts";
import { createProbe, readField, type Probe } from "../../start/doctor/probe.ts";
import type { Answers } from "./answers.ts";
import type { KeyRequestDomainName } from "./sign-request.ts";

export interface KeyCost {
  clientUrl: string;
  domain: KeyRequestDomainName;
  /** Given on the command line, where nobody can be asked. */
  acceptsCost: boolean;
}

/** The network refuses further keys of an account by this word. */
export const limitReached = "key_transaction_limit";
export const explainLimit =
  "Farcaster limits how many keys an account may add and revoke, and this account has reached the limit for now (key_transaction_limit). Wait some days before you try again. A key that is active goes on working meanwhile.";

/**
 * Says what an approval costs before one is asked for, and asks whether to go on; a network of our own takes nothing. Throws
 * `invalid_configuration` where the answer is no, or nobody can be asked and the command does not say so.
 */
export async function agreeToCost(
  { terminal, say }: Answers,
  { clientUrl, domain, acceptsCost }: KeyCost,
): Promise<void> {
  if (domain === "own") return;
  const price = await readPrice(clientUrl, createProbe());
  const told =
    price === undefined
      ? "it costs money in the app; the price is not known here, the app shows it before you pay"
      : `it costs ${price} in the app, as the client API says now; the app shows the price before you pay`;
  say(`
COST
To approve the key is a purchase in the Farcaster app: ${told}.
Farcaster also limits how many keys an account may add and revoke, and to revoke one may cost, too.`);
  if (acceptsCost) return;
  if (!terminal) {
    throw new AppError(
      "invalid_configuration",
      "Standard input is no terminal, so nobody can be asked whether to go on. If the cost is accepted, give --accept-cost.",
    );
  }
  if (/^y(es)?$/i.test(await terminal.ask("Ask for a new key? [y/N]: "))) return;
  throw new AppError("invalid_configuration", "No new key was asked for. Nothing was changed.");
}

/** "0.99 USD", as the network's offering says; undefined where it does not answer, or not in a form that is known. */
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

/** Fields that name a price, the one that is meant for people first. The form of an offering is declared nowhere in public. */
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
    // "$0.99" needs no currency besides.
    return /^[\d.,]+$/.test(text) && typeof currency === "string" ? `${text} ${currency.slice(0, 10)}` : text;
  }
  return undefined;
}
