import { getPublicKeyAsync } from "@noble/ed25519";
import { readPrivateKey, type Signer } from "../../client/token.ts";
import type { Config } from "../../config.ts";
import { asAppError } from "../../errors.ts";
import { shortenKey, type KeyStanding } from "../../observe/live/bot-key.ts";
import { hostOf, trim } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe } from "./probe.ts";
import { showMoment } from "../../text/since.ts";

/** A key that ends sooner is warned of, in seconds. */
const endsSoon = 14 * 86_400;
/** Pages of a fid's keys that are read at a hub, of 1,000 each. */
const maxPages = 5;
const rotate =
  "Run castellan key rotate: it makes a new key and has it approved, which costs money in the app.";

type KeyConfig = Pick<Config, "HUB_URL">;

/** The bot's application key, as the hubs see it: they say whether it is active. */
export async function checkKey(config: KeyConfig, signer: Signer, probe: Probe): Promise<Finding> {
  const name = await publicKeyOf(readPrivateKey(signer.privateKey));
  return describeStanding(name, await readStanding(config, { name, fid: signer.fid }, probe));
}

export function describeStanding(name: string, { state, message }: KeyStanding): Finding {
  const part = `Key ${shortenKey(name)}`;
  if (state === "active") return ok(part, message);
  if (state === "unknown") return unknown(part, message);
  return wrong(part, message, rotate);
}

/** The public half, as the network names it. */
export async function publicKeyOf(privateKey: Uint8Array): Promise<string> {
  return `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}`;
}

export { shortenKey };

interface KeyOfFid {
  name: string;
  fid: number;
}

/**
 * What the hubs say of a key. One that any of them calls active is active: another may be behind. So it is gone only where none
 * has it that gave the whole list.
 */
export async function readStanding(
  { HUB_URL = [] }: KeyConfig,
  key: KeyOfFid,
  probe: Probe,
): Promise<KeyStanding> {
  const standings: KeyStanding[] = [];
  for (const hub of HUB_URL) {
    const standing = await askHub(hub, key, probe).catch((error: unknown) => {
      if (asAppError(error, "network_unreachable")) return undefined;
      throw error;
    });
    if (standing?.state === "active") return standing;
    if (standing) standings.push(standing);
  }
  // The end of a key says more than that another hub does not have it.
  return (
    standings.find(({ state }) => state !== "gone") ??
    standings[0] ?? {
      state: "unknown",
      message: "No hub says which keys the fid has, so whether it is active is not known.",
    }
  );
}

type Hub = NonNullable<Config["HUB_URL"]>[number];

/** Undefined where the hub gives no list of keys, or not all of it. */
async function askHub(
  { address, headers }: Hub,
  { name, fid }: KeyOfFid,
  probe: Probe,
): Promise<KeyStanding | undefined> {
  const host = hostOf(address);
  let from = "";
  for (let page = 0; page < maxPages; page += 1) {
    const path = `/v1/signersByFid?fid=${fid}&pageSize=1000${from}`;
    const { status, json } = await probe.ask(`${trim(address)}${path}`, headers);
    if (status !== 200 || !Array.isArray(readField(json, "signers"))) return undefined;
    const found = readList(json, "signers").find(
      (signer) => String(readField(signer, "key")).toLowerCase() === name,
    );
    if (found !== undefined) return judgeSigner(host, found);
    const next = readField(json, "nextPageToken");
    if (typeof next !== "string" || next === "") {
      const message = `is not among the keys of fid ${fid} at ${host}: it was never approved for that fid, or has been revoked.`;
      return { state: "gone", message };
    }
    from = `&pageToken=${encodeURIComponent(next)}`;
  }
  return undefined;
}

/**
 * Keys that were given without a transaction have scopes, of which none are left out of the answer, and end some time after a hub
 * last merged a message of theirs. Calls of the client API are no such messages: Castellan's own use never renews a key.
 */
function judgeSigner(host: string, signer: unknown): KeyStanding {
  const scopes = readList(signer, "scopes").map(String);
  const ends = readField(signer, "expiresAt");
  const hasEnd = typeof ends === "number" && ends > 0;
  const isOffChain = readField(signer, "source") === "SIGNER_SOURCE_OFFCHAIN";
  if (hasEnd) {
    const when = showMoment(ends * 1000);
    const left = ends - Date.now() / 1000;
    if (left <= 0) return { state: "ended", message: `expired ${when}.` };
    if (left < endsSoon)
      return { state: "ends_soon", message: `ends ${when}; that Castellan uses it does not renew it.` };
  }
  if (isOffChain && scopes.length === 0)
    return { state: "powerless", message: `has no scopes at ${host}: it may sign nothing.` };
  const scope = scopes.length > 0 ? `scopes ${scopes.join(", ")}` : "all scopes";
  const until = hasEnd ? `until ${new Date(ends * 1000).toISOString().slice(0, 10)}` : "without an end";
  return { state: "active", message: `active at ${host}, ${scope}, ${until}` };
}
