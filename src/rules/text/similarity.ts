import { readAsShapes } from "../../text/skeleton.ts";
import { takeAddresses } from "../links/address.ts";
import { readText } from "./rule-text.ts";

/** Bits of a similarity print. */
export const printBits = 64;
/** Prints of nearly the same text differ in so many bits at most; those of others in about half of all. */
export const maxBitsApart = 10;

/** Characters that are looked at together. */
const width = 3;
/** Characters of a text that are looked at; keeps one text's cost bounded. */
const most = 2000;
/** Who is addressed and which number it has differ from copy to copy, as does where it leads. Words may follow with no space between. */
const ofOneCopy = /@[\p{Script=Latin}\p{N}._-]+|\p{N}+/gu;

/**
 * A similarity hash (Charikar's simhash) of what a text says: 64 characters 0 and 1, of which few differ between texts that
 * differ in few words. Whom it calls, links and numbers do not count. undefined where nothing is left.
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

/** Two numbers of 32 bits for the characters from a place on (FNV-1a, then mixed as murmur3 does). */
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
