import { createPublicKey, verify } from "node:crypto";
import { verifyTypedData } from "ethers";
import type { LiveChain } from "./live-hub.ts";
import { Refused, type Json } from "./live-server.ts";

export const requestDomain = {
  name: "Farcaster SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0x00000000fc700472606ed4fa22623acf62c60553",
};
const requestTypes = {
  SignedKeyRequest: [
    { name: "requestFid", type: "uint256" },
    { name: "key", type: "bytes" },
    { name: "deadline", type: "uint256" },
  ],
};

interface KeyRequest {
  token: string;
  key: string;
  state: string;
  userFid?: number;
}

/** What the live network's client API knows of application keys: whom they act for, and who was asked for one. */
export class LiveKeys {
  /** The fid that a key acts for. */
  readonly all = new Map<string, number>();
  /** Keys that are known, but that may do nothing. */
  readonly powerless = new Set<string>();
  readonly requests: KeyRequest[] = [];
  /** What it says that an approval costs; undefined: the route is not there. */
  offering: Json | undefined = { productId: "farcaster.signer", price: "$0.99" };
  /** How it writes the links to requests. */
  links: "farcaster" | "https" = "farcaster";
  /** The account has added and revoked as many keys as it may for now. */
  limitReached = false;
  /** How it refuses application keys where a session of the official app is wanted. */
  sessionRefusal: 401 | 403 = 401;
  readonly #now: () => number;
  readonly #chain: LiveChain;

  /** `now` in UNIX milliseconds. */
  constructor(now: () => number, chain: LiveChain) {
    this.#now = now;
    this.#chain = chain;
  }

  /** The key acts for the fid, and signs for it. */
  add(key: string, fid: number): void {
    this.all.set(key, fid);
    const own = this.#chain.signers.get(fid) ?? [];
    this.#chain.signers.set(fid, [...own, { source: "SIGNER_SOURCE_ONCHAIN", key, keyType: 1, fid }]);
  }

  /** Nobody acts or signs by the key any more. */
  revoke(key: string): void {
    this.all.delete(key);
    for (const [fid, own] of this.#chain.signers) {
      this.#chain.signers.set(
        fid,
        own.filter((signer) => signer.key !== key),
      );
    }
  }

  /** Somebody answers a request in the app; the newest one where none is named. */
  decide(state: "approved" | "completed" | "denied" | "failed", userFid: number, token?: string): void {
    const found = this.requests.findLast((one) => token === undefined || one.token === token);
    if (!found) throw new Error(`there is no request ${token}`);
    found.state = state;
    if (state === "denied" || state === "failed") return;
    found.userFid = userFid;
    if (state === "completed") this.add(found.key, userFid);
  }

  /** The fid that a request's token speaks for; undefined where there is none. Throws `Refused`. */
  authenticate(header: string | undefined): number | undefined {
    if (header === undefined) return undefined;
    const token = readToken(header);
    if (!token || !token.holds || token.exp < this.#seconds() || token.exp > this.#seconds() + 600)
      throw new Refused(401, "Invalid authorization token");
    if (this.powerless.has(token.key)) throw new Refused(403, "Key lacks the scope for this call");
    const fid = this.all.get(token.key);
    if (fid === undefined) throw new Refused(401, "Unknown app key");
    return fid;
  }

  /** What it answers to the routes that are about keys; undefined for all others. Throws `Refused`. */
  answer(route: string, query: URLSearchParams, body: Json): Json | undefined {
    switch (route) {
      case "GET /v2/me":
        // The official app's own sessions alone, which no application has.
        throw new Refused(this.sessionRefusal, "Unable to authenticate session");
      case "GET /v2/offering":
        if (!this.offering) throw new Refused(404, "Not found");
        if (query.get("onchainTransactionType") !== "create-onchain-signer")
          throw new Refused(400, "querystring must have required property 'onchainTransactionType'");
        return { result: { offering: this.offering } };
      case "POST /v2/signed-key-requests":
        return this.#describe(this.#request(body));
      case "GET /v2/signed-key-request": {
        const found = this.requests.find(({ token }) => token === query.get("token"));
        if (!found) throw new Refused(404, "Signed key request not found");
        return this.#describe(found);
      }
      default:
        return undefined;
    }
  }

  #request({ key, requestFid, deadline, signature }: Json): KeyRequest {
    const asked = { requestFid, key, deadline };
    const signer = verifyTypedData(requestDomain, requestTypes, asked, String(signature));
    if (signer.toLowerCase() !== this.#chain.custody.get(Number(requestFid))?.toLowerCase())
      throw new Refused(400, "Invalid signature.");
    if (this.limitReached)
      throw new Refused(403, "Too many key changes for this account", "key_transaction_limit");
    const token = `0x${String(this.requests.length + 1).padStart(24, "0")}`;
    const made = { token, key: String(key), state: "pending" };
    this.requests.push(made);
    return made;
  }

  #describe({ token, key, state, userFid }: KeyRequest): Json {
    const place = this.links === "https" ? "https://client.farcaster.xyz/deeplinks/" : "farcaster://";
    const shown = { token, deeplinkUrl: `${place}signed-key-request?token=${token}`, key, state };
    return { result: { signedKeyRequest: { ...shown, ...(userFid && { userFid }) } } };
  }

  #seconds(): number {
    return this.#now() / 1000;
  }
}

/** What a bearer token says, and whether its key signed that. */
export function readToken(
  header: string | undefined,
): { fid: number | undefined; key: string; exp: number; holds: boolean } | undefined {
  const [head = "", payload = "", signature = ""] = header?.replace(/^Bearer /, "").split(".") ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}") as Json;
  const { key, fid } = read(head);
  const { exp } = read(payload);
  if (typeof key !== "string" || typeof exp !== "number") return undefined;
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.slice(2), "hex").toString("base64url") };
  const holds = verify(
    null,
    Buffer.from(`${head}.${payload}`),
    createPublicKey({ key: jwk, format: "jwk" }),
    Buffer.from(signature, "base64url"),
  );
  return { fid: typeof fid === "number" ? fid : undefined, key, exp, holds };
}
