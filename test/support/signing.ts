import { randomBytes } from "node:crypto";
import { getPublicKeyAsync, signAsync } from "@noble/ed25519";
import { Signature, toBeHex, Wallet, type TypedDataDomain } from "ethers";
import { privateKeyToAccount } from "viem/accounts";
import { defaultSettings } from "../../src/api/context.ts";
import type { InputOf } from "../../src/contract/endpoint.ts";
import { describeKeyAnswer, describeKeyRequest, type KeyAnswer } from "../../src/contract/key-request.ts";
import { describeClaim, describeConsent } from "../../src/contract/name-claim.ts";
import type { transfers } from "../../src/contract/registry.ts";

/** The claim of a name, as wallets sign it. */
export const proofTypes = {
  UserNameProof: [
    { name: "name", type: "string" },
    { name: "timestamp", type: "uint256" },
    { name: "owner", type: "address" },
  ],
};

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

/** The custody address of a user as ethers has it; what it signs is written here once more, from the interface. */
export function walletOf(fid: number): Wallet {
  return new Wallet(toBeHex(fid, 32));
}

export const nameDomain: TypedDataDomain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xca57e11a00000000000000000000000000000002",
};

/** Where names are registered that are worth something. */
export const liveNameDomain: TypedDataDomain = {
  ...nameDomain,
  verifyingContract: "0xe3be01d99baa8db9905b33a3ca391238234b79d1",
};

export const keyDomain: TypedDataDomain = {
  name: "Service SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0xca57e11a00000000000000000000000000000001",
};

/** Domains for which a signature is worth nothing here. */
export const otherDomains = (domain: TypedDataDomain): [string, TypedDataDomain][] => [
  ["another name", { ...domain, name: "Farcaster name verificatiom" }],
  ["another version", { ...domain, version: "2" }],
  ["another chain", { ...domain, chainId: 5 }],
  ["another contract", { ...domain, verifyingContract: walletOf(77).address }],
  ["no contract", { ...domain, verifyingContract: null }],
];

/** Half of the order of secp256k1, rounded down. */
export const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const order = 2n * halfOrder + 1n;

/** The other signature with the same r, which anyone can make: n - s, and the other parity. */
export function twinOf(signature: string): string {
  const { r, s, yParity } = Signature.from(signature);
  return `${r}${toBeHex(order - BigInt(s), 32).slice(2)}${yParity === 0 ? "1c" : "1b"}`;
}

const endWith = (last: (parity: 0 | 1) => string) => (signature: string) =>
  signature.slice(0, 130) + last(Signature.from(signature).yParity);

/** Good signatures, written as nobody has to read them. */
export const badForms: [string, (signature: string) => string][] = [
  ["the twin with a high s", twinOf],
  ["the twin with its parity as 0 or 1", (signature) => endWithParity(twinOf(signature))],
  ["64 bytes, without the parity", (signature) => signature.slice(0, -2)],
  ["64 bytes, as EIP-2098 packs them", (signature) => Signature.from(signature).compactSerialized],
  ["66 bytes, a zero after the last", (signature) => `${signature}00`],
  ["66 bytes, a zero before the first", (signature) => `0x00${signature.slice(2)}`],
  ["the wrong parity", endWith((parity) => (parity === 0 ? "1c" : "1b"))],
  ["a parity of 2 or 3", endWith((parity) => `0${parity + 2}`)],
  ["a parity of 29 or 30", endWith((parity) => (parity === 0 ? "1d" : "1e"))],
  ["a parity with a chain in it (EIP-155)", endWith((parity) => (parity === 0 ? "25" : "26"))],
];

/** The same signature, as some wallets write it. */
export const goodForms: [string, (signature: string) => string][] = [
  ["a parity of 27 or 28", (signature) => signature],
  ["a parity of 0 or 1", endWithParity],
  ["capital digits", (signature) => `0x${signature.slice(2).toUpperCase()}`],
];

function endWithParity(signature: string): string {
  return `${signature.slice(0, 130)}0${signature.endsWith("1b") ? 0 : 1}`;
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

export const secretOf = (fid: number) => Buffer.from(fid.toString(16).padStart(64, "0"), "hex");

/** The public application key of a user in these tests, as it is stored. */
export async function keyOf(fid: number): Promise<string> {
  return `0x${Buffer.from(await getPublicKeyAsync(secretOf(fid))).toString("hex")}`;
}

export interface TokenParts {
  header?: unknown;
  payload?: unknown;
  /** Signs in place of the fid's key. */
  secret?: Uint8Array;
  /** In place of a signature. */
  signature?: Uint8Array | string;
}

/** A bearer token of `fid`, with parts of it replaced; whatever it says is signed. */
export async function makeToken(fid: number, exp: number, parts: TokenParts = {}): Promise<string> {
  const header = encode(parts.header ?? { fid, type: "app_key", key: await keyOf(fid) });
  const signed = `${header}.${encode(parts.payload ?? { exp })}`;
  const secret = parts.secret ?? secretOf(fid);
  const signature = parts.signature ?? (await signAsync(Buffer.from(signed), secret));
  const last = typeof signature === "string" ? signature : Buffer.from(signature).toString("base64url");
  return `${signed}.${last}`;
}

const domain = defaultSettings.keyRequestDomain;

export interface KeyPair {
  privateKey: Buffer;
  key: `0x${string}`;
}

export async function createKeyPair(): Promise<KeyPair> {
  const privateKey = randomBytes(32);
  return { privateKey, key: `0x${Buffer.from(await getPublicKeyAsync(privateKey)).toString("hex")}` };
}

interface RequestDraft {
  key: `0x${string}`;
  requestFid: number;
  deadline: number;
  sponsorFid?: number;
  /** Who signs, where it is not who should. */
  signedBy?: number;
}

/** The body of POST /v2/signed-key-request, signed by the custody addresses that it needs. */
export async function signKeyRequest({ signedBy, sponsorFid, ...request }: RequestDraft) {
  const signer = custodyOf(signedBy ?? request.requestFid);
  const signature = await signer.signTypedData(describeKeyRequest(domain, request));
  const sponsorship = sponsorFid !== undefined && {
    sponsorship: {
      sponsorFid,
      signature: await custodyOf(sponsorFid).signMessage({ message: { raw: signature } }),
    },
  };
  return { ...request, signature, ...sponsorship };
}

/** What a question says that an answer to it binds. */
export interface Asked {
  token: string;
  key: `0x${string}`;
  requestFid: number;
  deadline: number;
}

/** The body of POST /signed-key-request/answer. */
export async function signKeyAnswer(asked: Asked, userFid: number, answer: KeyAnswer, signedBy = userFid) {
  const { token } = asked;
  const message = describeKeyAnswer(domain, { ...asked, userFid, answer });
  return { token, userFid, answer, signature: await custodyOf(signedBy).signTypedData(message) };
}
