import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { renderUnicodeCompact } from "uqr";
import type { Upstream } from "../../client/choose-hub.ts";
import { createClient } from "../../client/create-client.ts";
import { decryptKey, encryptKey } from "../../encrypted-key.ts";
import { AppError, asAppError } from "../../errors.ts";
import { publicKeyOf, shortenKey } from "../../start/doctor/check-key.ts";
import { findCustody } from "../../start/doctor/find-custody.ts";
import type { SetupFolder } from "../../start/setup-folder.ts";
import type { Answers } from "./answers.ts";
import { agreeToCost, explainLimit, limitReached, type KeyCost } from "./key-cost.ts";
import { signRequest, type SignatureSources } from "./sign-request.ts";
import { showMoment } from "../../text/since.ts";

/** Seconds that a request waits for an answer. */
const waits = 24 * 3600;
/** Milliseconds between polls. */
const lookEvery = 2_000;

interface KeyRequestOptions extends SignatureSources, KeyCost {
  /** They know the custody address that has to sign. */
  hubs: readonly Upstream[];
  /** The account that the key is for, and the account that requests it. */
  botFid: number;
  requestFid: number;
  /** The secret that encrypts keys, also those in the folder. */
  secret: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

/**
 * Makes a key and has the account's owner approve it, or continues a request of an earlier run. Returns the private
 * key once it is active. Throws `expired` if the request was refused or not answered, and on Ctrl-C.
 */
export async function requestKey(
  answers: Answers,
  folder: SetupFolder,
  options: KeyRequestOptions,
): Promise<string> {
  const { clientUrl, secret, signal } = options;
  const network = createClient({ clientUrl, registryUrl: clientUrl, hubUrl: options.hubs, signal });
  const { privateKey, key, deadline } = await beginOrResume(answers, folder, options);
  if (folder.draft["KEY_REQUEST_TOKEN"] === undefined) {
    await agreeToCost(answers, options);
    const { requestFid } = options;
    const custody = await findCustody(network, requestFid);
    const signature = await signRequest(answers, { requestFid, key, deadline }, { ...options, custody });
    const input = { key, requestFid, deadline, signature };
    const { signedKeyRequest } = await network.signedKeyRequests.create(input).catch((error: unknown) => {
      throw explainRefusal(error, options);
    });
    folder.save({
      KEY_REQUEST_TOKEN: signedKeyRequest.token,
      KEY_REQUEST_LINK: signedKeyRequest.deeplinkUrl,
    });
  }
  const { KEY_REQUEST_TOKEN: token = "", KEY_REQUEST_LINK: link = "" } = folder.draft;
  showLink(answers, options, { key, link, token, deadline });
  const userFid = await waitForAnswer(answers, folder, { deadline, signal }, async () => {
    const { signedKeyRequest } = await network.signedKeyRequests.get({ token });
    return signedKeyRequest;
  });
  if (userFid !== undefined && userFid !== options.botFid) {
    forget(folder);
    throw new AppError(
      "invalid_configuration",
      `Fid ${userFid} approved the key, but the bot's account is fid ${options.botFid}. Run it again and approve as the bot's account, or pass --bot-fid ${userFid}. You can revoke the approved key.`,
    );
  }
  // Stored until the settings contain it.
  folder.save({ KEY_APPROVED: encryptKey(privateKey, secret) });
  answers.say(`The key ${shortenKey(key)} is approved and active.`);
  return privateKey;
}

/** A key that was approved in an earlier run but is not yet in the settings. */
export function findApproved({ draft }: SetupFolder, secret: string): string | undefined {
  const { KEY_APPROVED: approved } = draft;
  return approved === undefined ? undefined : decryptDraft(approved, secret);
}

interface BegunRequest {
  privateKey: string;
  key: `0x${string}`;
  /** UNIX seconds. */
  deadline: number;
}

async function beginOrResume(
  { say }: Answers,
  folder: SetupFolder,
  { secret, requestFid, botFid }: KeyRequestOptions,
): Promise<BegunRequest> {
  const { KEY_REQUEST_KEY: kept, KEY_REQUEST_DEADLINE: until, KEY_REQUEST_OF: of } = folder.draft;
  const now = Math.floor(Date.now() / 1000);
  const whose = `${requestFid} for ${botFid}`;
  if (kept !== undefined && of === whose && Number(until) > now) {
    if (folder.draft["KEY_REQUEST_TOKEN"] !== undefined) say("\nContinuing with the previous run's request.");
    return describe(decryptDraft(kept, secret), Number(until));
  }
  forget(folder);
  const privateKey = randomBytes(32).toString("hex");
  const deadline = now + waits;
  // Store the key before anybody signs it, so that the signed key survives a crash.
  folder.save({
    KEY_REQUEST_KEY: encryptKey(privateKey, secret),
    KEY_REQUEST_DEADLINE: String(deadline),
    KEY_REQUEST_OF: whose,
  });
  return describe(privateKey, deadline);
}

async function describe(privateKey: string, deadline: number): Promise<BegunRequest> {
  // publicKeyOf always returns 0x and hex digits.
  const key = (await publicKeyOf(Buffer.from(privateKey, "hex"))) as `0x${string}`;
  return { privateKey, key, deadline };
}

function decryptDraft(text: string, secret: string): string {
  try {
    return decryptKey(text, secret);
  } catch (cause) {
    const known = asAppError(cause);
    if (!known) throw cause;
    throw new AppError("invalid_configuration", `The key of the request ${known.message}.`, { cause });
  }
}

function forget(folder: SetupFolder): void {
  folder.save({
    KEY_REQUEST_KEY: undefined,
    KEY_REQUEST_DEADLINE: undefined,
    KEY_REQUEST_OF: undefined,
    KEY_REQUEST_TOKEN: undefined,
    KEY_REQUEST_LINK: undefined,
  });
}

function explainRefusal(error: unknown, { domain, requestFid }: KeyRequestOptions): unknown {
  const known = asAppError(error);
  if (!known || (known.status ?? 0) < 400 || (known.status ?? 0) >= 500) return error;
  if (known.reason === limitReached) {
    return new AppError("invalid_configuration", explainLimit, { cause: error });
  }
  const other = domain === "live" ? "own" : "live";
  return new AppError(
    "invalid_configuration",
    `The client API refused the key request: ${known.message} Was it signed by the custody address of fid ${requestFid}? For another network's requests pass --key-request-domain ${other}.`,
    { cause: error },
  );
}

function showLink(
  { say }: Answers,
  { clientUrl, domain, botFid }: KeyRequestOptions,
  { key, link, token, deadline }: { key: string; link: string; token: string; deadline: number },
): void {
  // Only Farcaster's own app opens its links; a Castellan network has a page.
  const shown =
    domain === "live"
      ? toWebLink(link)
      : `${clientUrl.replace(/\/+$/, "")}/signed-key-request?token=${token}`;
  const links = domain === "live" && link !== shown ? [shown, link] : [shown];
  const until = showMoment(deadline * 1000);
  say(`
Approve the key ${shortenKey(key)} as the bot's account (fid ${botFid}) before ${until}. Scan this with the phone on which the
Farcaster app is signed in to that account, or open ${links.length > 1 ? "one of the links" : "the link"} there.

${renderUnicodeCompact(shown, { border: 2 })}
  ${links.join("\n  ")}

Waiting for the answer. Ctrl-C exits; run the same command later to continue with this request.`);
}

/** Many cameras open only https links. This page of the app leads to the same approval. */
function toWebLink(link: string): string {
  return link.replace(/^(?:farcaster|warpcast):\/\//, "https://client.farcaster.xyz/deeplinks/");
}

interface Wait {
  /** UNIX seconds. */
  deadline: number;
  signal: AbortSignal;
}

/** The fid that approved, if the network returns it. */
async function waitForAnswer(
  { say }: Answers,
  folder: SetupFolder,
  { deadline, signal }: Wait,
  look: () => Promise<{ state: string; userFid?: number | undefined }>,
): Promise<number | undefined> {
  let told = "";
  const announceOnce = (text: string) => {
    if (text !== told) say(text);
    told = text;
  };
  while (!signal.aborted) {
    const found = await look().catch((error: unknown) => {
      const known = asAppError(error);
      if (!known) throw error;
      if (known.code === "not_found") return { state: "gone" };
      if (!signal.aborted) announceOnce(`The client API does not answer (${known.message}); still trying.`);
      return { state: "silent" };
    });
    if (found.state === "completed") return "userFid" in found ? found.userFid : undefined;
    if (found.state === "approved") announceOnce("Approved; waiting until the network has confirmed it.");
    if (["gone", "denied", "failed"].includes(found.state)) {
      forget(folder);
      const why =
        found.state === "failed"
          ? `The approval failed; the app shows why. If it mentions a limit: ${explainLimit}`
          : "The request was refused or has expired.";
      throw new AppError("expired", `${why} Run the same command again to make a new one.`);
    }
    if (Date.now() / 1000 > deadline && found.state !== "approved") {
      forget(folder);
      throw new AppError(
        "expired",
        "Nobody answered the request within a day. Run the same command again to make a new one.",
      );
    }
    await sleep(lookEvery, undefined, { signal }).catch(() => {});
  }
  throw new AppError("expired", "Stopped before the answer. Run the same command again to continue.");
}
