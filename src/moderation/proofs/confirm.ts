import type { BotContext } from "../../bot-context.ts";
import { seconds } from "../../clock.ts";
import { asAppError } from "../../errors.ts";
import {
  askAll,
  isEnough,
  type HubWitness,
  type Verdict,
  type Witness,
} from "../../observe/live/witnesses.ts";
import { readCustody } from "./staff-proofs.ts";

/*
 * A hub's operator, or somebody on the way to it, can forge casts, keys and custody addresses. So a hub's data on a person
 * proves nothing until a second source confirms it (docs/explain/adr/0006-hubs-prove-nothing-alone.md).
 */

/** Advice if too few sources confirm somebody's identity. */
export const otherWays =
  "Connect Discord to that Farcaster account in the Farcaster app and use /setup link again; or ask the operator of Castellan, who can name a second hub (HUB_URL) or allow this server (CHANNEL_GUILDS).";

function hubsOf({ live, network }: Pick<BotContext, "live" | "network">): readonly HubWitness[] {
  return live?.witnesses.hubs ?? [{ host: "", own: true, secure: true, hub: network.hub }];
}

/** The available ways to prove one's identity, besides a Discord account verified on the network. */
export function listWays(context: Pick<BotContext, "live" | "network">): {
  cast: boolean;
  signature: boolean;
} {
  const hubs = hubsOf(context);
  const { live } = context;
  return { cast: isEnough(hubs), signature: isEnough(live ? [...hubs, live.witnesses.registry] : hubs) };
}

/** Whether a key may sign for a user. Throws the error of a hub whose response is needed. */
export async function confirmKey(context: BotContext, fid: number, key: string): Promise<Verdict> {
  const now = seconds(context.clock);
  return askAll(hubsOf(context), ({ hub }) => hasKey(hub, { fid, key, now }));
}

/** How many pages of keys are read; hubs return about 1,000 keys of a user. */
const maxPages = 5;

async function hasKey(
  hub: HubWitness["hub"],
  { fid, key, now }: { fid: number; key: string; now: number },
): Promise<boolean> {
  let pageToken: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const answer = await hub.signersByFid({ fid, pageSize: 1000, ...(pageToken && { pageToken }) });
    const found = answer.signers.find((one) => one.key.toLowerCase() === key);
    // Keys that only hubs know expire; others have no expiry, or 0.
    if (found) return !found.expiresAt || found.expiresAt > now;
    pageToken = answer.nextPageToken ?? "";
    if (pageToken === "") return false;
  }
  return false;
}

/** Whether a user has this custody address, by hubs, and by the name registry, which knows who holds the user's name. */
export async function confirmCustody(context: BotContext, fid: number, address: string): Promise<Verdict> {
  const { live } = context;
  const hubs = hubsOf(context).map((witness) => ({
    ...witness,
    says: async () => (await readCustody(witness.hub, fid)) === address,
  }));
  const registry = live && { ...live.witnesses.registry, says: () => ownsName(context, fid, address) };
  const all: readonly (Witness & { says: () => Promise<boolean> })[] = registry ? [...hubs, registry] : hubs;
  return askAll(all, ({ says }) => says());
}

async function ownsName({ network }: BotContext, fid: number, address: string): Promise<boolean> {
  try {
    const { transfer } = await network.transfers.current({ fid });
    return transfer.to === fid && transfer.owner.toLowerCase() === address;
  } catch (error) {
    if (asAppError(error, "not_found")) return false;
    throw error;
  }
}
