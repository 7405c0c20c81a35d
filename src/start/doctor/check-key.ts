import { getPublicKeyAsync } from "@noble/ed25519";
import { readPrivateKey, type Signer } from "../../client/token.ts";
import type { Config } from "../../config.ts";
import { asAppError } from "../../errors.ts";
import { shortenKey, type KeyStanding } from "../../observe/live/bot-key.ts";
import { hostOf, trim } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe } from "./probe.ts";
import { showMoment } from "../../text/since.ts";

/** Seconds before a key's expiry at which doctor starts to warn. */
const endsSoon = 14 * 86_400;
/** Maximum pages of a fid's keys read from a hub, 1,000 keys each. */
const maxPages = 5;
/** The latest second that a date can show. */
const lastSecond = 8.64e12;
const rotate =
  "Run castellan key rotate. It makes a new key and has it approved, which costs money in the app.";

type KeyConfig = Pick<Config, "HUB_URL">;

/** The bot's application key on the hubs, which determine whether it is active. */
export async function checkKey(config: KeyConfig, signer: Signer, probe: Probe): Promise<Finding> {
  const name = await publicKeyOf(readPrivateKey(signer.privateKey));
  return describeKeyStanding(name, await readKeyStanding(config, { name, fid: signer.fid }, probe));
}

export function describeKeyStanding(name: string, { state, message }: KeyStanding): Finding {
  const part = `Key ${shortenKey(name)}`;
  if (state === "active") return ok(part, message);
  if (state === "unknown") return unknown(part, message);
  return wrong(part, message, rotate);
}

/** The public half, in the network's format. */
export async function publicKeyOf(privateKey: Uint8Array): Promise<string> {
  return `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}`;
}

export { shortenKey };

interface KeyOfFid {
  name: string;
  fid: number;
}

/**
 * A key's state on the hubs. It is active if any of them says so, because another may be behind. So it is gone only if
 * it is on none of the hubs that returned a complete list.
 */
export async function readKeyStanding(
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
  // An expired key is more informative than another hub's missing one.
  return (
    standings.find(({ state }) => state !== "gone") ??
    standings[0] ?? {
      state: "unknown",
      message: "No hub returned the fid's keys, so it is unknown whether it is active.",
    }
  );
}

type Hub = NonNullable<Config["HUB_URL"]>[number];

/** Undefined if the hub returns no list of keys, or an incomplete one. */
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
      const message = `is not among the keys of fid ${fid} at ${host}: it was never approved for that fid, or was revoked.`;
      return { state: "gone", message };
    }
    from = `&pageToken=${encodeURIComponent(next)}`;
  }
  return undefined;
}

/**
 * Keys that were granted without a transaction have scopes, which the answer always contains, and expire some time
 * after a hub last merged one of their messages. Calls of the client API are not messages, so Castellan's own use
 * never renews a key.
 */
function judgeSigner(host: string, signer: unknown): KeyStanding {
  const scopes = readList(signer, "scopes").map(String);
  const ends = readField(signer, "expiresAt");
  // A key without an end may have the largest number instead.
  const hasEnd = typeof ends === "number" && ends > 0 && ends <= lastSecond;
  const isOffChain = readField(signer, "source") === "SIGNER_SOURCE_OFFCHAIN";
  if (hasEnd) {
    const when = showMoment(ends * 1000);
    const left = ends - Date.now() / 1000;
    if (left <= 0) return { state: "ended", message: `expired ${when}.` };
    if (left < endsSoon)
      return { state: "ends_soon", message: `expires ${when}. Castellan's use does not renew it.` };
  }
  if (isOffChain && scopes.length === 0)
    return { state: "powerless", message: `has no scopes at ${host}, so it may sign nothing.` };
  const scope = scopes.length > 0 ? `scopes ${scopes.join(", ")}` : "all scopes";
  const until = hasEnd ? `until ${new Date(ends * 1000).toISOString().slice(0, 10)}` : "without expiry";
  return { state: "active", message: `active at ${host}, ${scope}, ${until}` };
}
