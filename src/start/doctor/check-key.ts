import { getPublicKeyAsync } from "@noble/ed25519";
import { mintToken, readPrivateKey, type Signer } from "../../client/token.ts";
import type { Config } from "../../config.ts";
import { asAppError } from "../../errors.ts";
import { hostOf, trim } from "./check-services.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";
import { readField, readList, type Probe } from "./probe.ts";

/** Life of the token that tries the key, in seconds. */
const tokenLife = 300;
/** A key that ends sooner is told of, in seconds. */
const endsSoon = 14 * 86_400;
const rotate = "Run castellan key rotate: it makes a new key and has it approved.";

/** The bot's application key, as the client API and the hubs see it. */
export async function checkKey(
  config: Pick<Config, "CLIENT_API_URL" | "HUB_URL">,
  signer: Signer,
  probe: Probe,
): Promise<Finding[]> {
  const key = await publicKeyOf(readPrivateKey(signer.privateKey));
  const part = `Key ${shorten(key)}`;
  return Promise.all([
    guard(part, () => askClientApi(part, config, signer, probe)),
    guard(part, () => askHubs(part, config, { key, fid: signer.fid }, probe)),
  ]);
}

/** The public half, as the network names it. */
export async function publicKeyOf(privateKey: Uint8Array): Promise<string> {
  return `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}`;
}

export function shorten(key: string): string {
  return `${key.slice(0, 10)}…${key.slice(-4)}`;
}

/** Who cannot be asked is a finding of its own; what they would have said is not known. */
async function guard(part: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const known = asAppError(error, "network_unreachable");
    if (!known) throw error;
    return unknown(part, `could not be tried: the service ${known.message}.`);
  }
}

/** A read that only a key that counts is allowed, and that changes nothing. */
async function askClientApi(
  part: string,
  { CLIENT_API_URL }: Pick<Config, "CLIENT_API_URL">,
  signer: Signer,
  probe: Probe,
): Promise<Finding> {
  // By the service's time, for a clock that is wrong is told of elsewhere.
  const ahead = probe.skews[0] ?? 0;
  const token = await mintToken(signer, Math.floor((Date.now() - ahead) / 1000) + tokenLife);
  const { status, json, words } = await probe.ask(`${trim(CLIENT_API_URL)}/v2/me`, {
    authorization: `Bearer ${token}`,
  });
  const host = hostOf(CLIENT_API_URL);
  if (status === 401) return wrong(part, `is refused by ${host}: ${words}.`, rotate);
  if (status === 403) {
    return wrong(
      part,
      `is known to ${host}, but may do nothing: ${words}.`,
      `It lacks the scopes. ${rotate}`,
    );
  }
  const fid = readField(json, "result", "user", "fid") ?? readField(json, "result", "fid");
  if (status === 200 && typeof fid === "number" && fid !== signer.fid) {
    return wrong(
      part,
      `acts as fid ${fid}, but BOT_FID is ${signer.fid}.`,
      `Set BOT_FID=${fid}, or ${lower(rotate)}`,
    );
  }
  if (status === 200 && json !== undefined) return ok(part, `acts as fid ${signer.fid} at ${host}`);
  return unknown(part, `${host} does not say whether it counts (${status}: ${words}).`);
}

async function askHubs(
  part: string,
  { HUB_URL = [] }: Pick<Config, "HUB_URL">,
  { key, fid }: { key: string; fid: number },
  probe: Probe,
): Promise<Finding> {
  for (const { address, headers } of HUB_URL) {
    const path = `/v1/signersByFid?fid=${fid}&pageSize=1000`;
    const { status, json } = await probe.ask(`${trim(address)}${path}`, headers);
    if (status !== 200 || readField(json, "signers") === undefined) continue;
    const found = readList(json, "signers").find(
      (signer) => String(readField(signer, "key")).toLowerCase() === key,
    );
    const host = hostOf(address);
    if (found !== undefined) return judgeSigner(part, host, found);
    if (readField(json, "nextPageToken")) continue;
    return wrong(part, `is not among the keys of fid ${fid} at ${host}: never approved, or revoked.`, rotate);
  }
  return unknown(part, "No hub says which keys the fid has, so its scopes and end are not known.");
}

/** Keys that were given without a transaction have scopes, and end so many seconds after they were used last. */
function judgeSigner(part: string, host: string, signer: unknown): Finding {
  const scopes = readField(signer, "scopes");
  const named = Array.isArray(scopes) ? scopes.map(String) : undefined;
  const ends = readField(signer, "expiresAt");
  const offChain = readField(signer, "source") === "SIGNER_SOURCE_OFFCHAIN";
  if (typeof ends === "number" && ends > 0) {
    const left = ends - Date.now() / 1000;
    const when = new Date(ends * 1000).toISOString().slice(0, 16).replace("T", " ");
    if (left <= 0) return wrong(part, `expired ${when} UTC.`, rotate);
    if (left < endsSoon) return wrong(part, `ends soon, ${when} UTC.`, rotate);
  }
  if (offChain && named?.length === 0)
    return wrong(part, `has no scopes at ${host}: it may sign nothing.`, rotate);
  const scope = named && named.length > 0 ? `scopes ${named.join(", ")}` : "all scopes";
  const until =
    typeof ends === "number" && ends > 0
      ? `until ${new Date(ends * 1000).toISOString().slice(0, 10)}`
      : "without an end";
  return ok(part, `active at ${host}, ${scope}, ${until}`);
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
