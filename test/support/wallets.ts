import { Signature, toBeHex, type TypedDataDomain, Wallet } from "ethers";

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
