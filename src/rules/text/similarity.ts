import { readAsShapes } from "../../text/skeleton.ts";
import { takeAddresses } from "../links/address.ts";
import { readText } from "./rule-text.ts";

/** Bits of a similarity fingerprint. */
export const printBits = 64;
/** Fingerprints of nearly identical texts differ in at most this many bits; others in about half. */
export const maxBitsApart = 10;

/** Characters that are hashed together. */
const width = 3;
/** Characters of a text that are hashed; bounds one text's cost. */
const most = 2000;
/** Mentions and numbers differ from copy to copy, and so do links. Words may follow with no space between. */
const ofOneCopy = /@[\p{Script=Latin}\p{N}._-]+|\p{N}+/gu;

/**
 * A similarity hash (Charikar's simhash) of a text: 64 characters 0 and 1, of which few differ between texts that differ
 * in few words. Mentions, links and numbers do not count. Undefined if nothing is left.
 */
export function similarityPrint(text: string): string | undefined {
  const unlinked = takeAddresses(readText(text).folded, " ").text;
  const read = readAsShapes(unlinked).slice(0, most).replace(ofOneCopy, " ");
  const letters = read
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
  if (letters === "") return undefined;
  const votes = new Int32Array(printBits);
  const padded = ` ${letters} `;
  for (let at = 0; at + width <= padded.length; at++) {
    const [low, high] = hashOf(padded, at);
    for (let bit = 0; bit < 32; bit++) {
      votes[bit] = (votes[bit] ?? 0) + ((low >>> bit) & 1) * 2 - 1;
      votes[bit + 32] = (votes[bit + 32] ?? 0) + ((high >>> bit) & 1) * 2 - 1;
    }
  }
  return Array.from(votes, (vote) => (vote > 0 ? "1" : "0")).join("");
}

/** Two 32-bit numbers for the characters from a position on (FNV-1a, then mixed like murmur3). */
function hashOf(text: string, from: number): [low: number, high: number] {
  let hash = 0x811c9dc5;
  for (let at = from; at < from + width; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return [mix(hash), mix(hash ^ 0x5bd1e995)];
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
