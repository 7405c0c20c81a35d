import { lookAlikeKeys } from "./skeleton.ts";

/** Words that impostors add to a name to sound like its holder, or a representative. */
const roleWords =
  "official real the true original admin administrator moderator mod mods support help helpdesk helper team staff dev hq desk service customer security contact verified account care backup founder bot app airdrop giveaway farcaster".split(
    " ",
  );
/** The same, but common as endings of names: they count only with long names or after a hyphen. */
const partedWords = "eth xyz fc new alt info news owner host ceo channel iam its".split(" ");
/** Without a hyphen, a role and a shorter name form too many words: the+ory. */
const minJoined = 4;
/** Shorter names have too many others one letter away. */
const minEdited = 6;
const alphabet = Array.from("abcdefghijkmnopqrstuvwxyz6");

/** All keys (lookAlikeKeys) of names that this one imitates: with an added role, or one letter more, fewer or different. */
export function impostorKeys(name: string): ReadonlySet<string> {
  const keys = lookAlikeKeys(name);
  const found = new Set(keys);
  for (const rest of withoutRoles(name.toLowerCase())) for (const key of lookAlikeKeys(rest)) found.add(key);
  for (const key of keys)
    for (const edited of editsOf(key)) if (edited.length >= minEdited) found.add(edited);
  return found;
}

/** A name without role words at its start and end: magpie for the-real-magpie. */
function withoutRoles(name: string): Set<string> {
  const found = new Set<string>();
  const open = [name.replace(/(?:\.base)?\.eth$/, "")];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const { rest, least } of restsOf(one)) {
      const bare = rest.replace(/^[-_.]+|[-_.]+$/g, "");
      const isParted = bare !== rest;
      if (bare === "" || found.has(bare) || (!isParted && bare.length < least)) continue;
      found.add(bare);
      open.push(bare);
    }
  }
  return found;
}

/** A name without a word or digits at its start or end. A digit changes a name more than a letter does. */
function* restsOf(name: string): Generator<{ rest: string; least: number }> {
  for (const word of [...roleWords, ...partedWords]) {
    const least = partedWords.includes(word) ? minEdited : minJoined;
    if (name.startsWith(word)) yield { rest: name.slice(word.length), least };
    if (name.endsWith(word)) yield { rest: name.slice(0, -word.length), least };
  }
  for (const rest of [name.replace(/^[0-9]+/, ""), name.replace(/[0-9]+$/, "")]) {
    if (rest !== name) yield { rest, least: minEdited };
  }
}

/** All keys one edit away: a letter less, different or more, or two swapped, except for the plural. */
function* editsOf(key: string): Generator<string> {
  if (key.length < minEdited - 1 || /[^a-z0-9]/.test(key)) return;
  for (let at = 0; at <= key.length; at++) {
    const [before, after] = [key.slice(0, at), key.slice(at)];
    const isEnd = after.length <= 1;
    if (after !== "" && !(isEnd && after === "s")) yield before + after.slice(1);
    if (after.length > 1) yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
    for (const letter of alphabet) {
      if (after !== "") yield before + letter + after.slice(1);
      if (!(after === "" && letter === "s")) yield before + letter + after;
    }
  }
}
