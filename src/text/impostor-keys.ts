import { lookAlikeKeys } from "./skeleton.ts";

/** What impostors add to a name to sound like its holder, or like somebody who speaks for them. */
const roleWords =
  "official real the true original admin administrator moderator mod mods support help helpdesk helper team staff dev hq desk service verified account care bot app".split(
    " ",
  );
/** Without a hyphen between, a role and a shorter name make too many words: the+ory. */
const minJoined = 4;
/** Shorter names are a letter away from too many others. */
const minEdited = 6;
const alphabet = Array.from("abcdefghijkmnopqrstuvwxyz6");

/** All keys (lookAlikeKeys) of names for which somebody may take this one: with a role, a letter more, less or other. */
export function impostorKeys(name: string): ReadonlySet<string> {
  const keys = lookAlikeKeys(name);
  const found = new Set(keys);
  for (const rest of withoutRoles(name.toLowerCase())) for (const key of lookAlikeKeys(rest)) found.add(key);
  for (const key of keys)
    for (const edited of editsOf(key)) if (edited.length >= minEdited) found.add(edited);
  return found;
}

/** What is left of a name without words for roles at its beginning and end: magpie of the-real-magpie. */
function withoutRoles(name: string): Set<string> {
  const found = new Set<string>();
  const open = [name.replace(/(?:\.base)?\.eth$/, "")];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const word of roleWords) {
      for (const rest of [
        one.startsWith(word) && one.slice(word.length),
        one.endsWith(word) && one.slice(0, -word.length),
      ]) {
        if (rest === false) continue;
        const bare = rest.replace(/^[-_.]+|[-_.]+$/g, "");
        const isParted = bare !== rest;
        if (bare === "" || found.has(bare) || (!isParted && bare.length < minJoined)) continue;
        found.add(bare);
        open.push(bare);
      }
    }
  }
  return found;
}

/** All that is one edit away: a letter less, other or more, or two swapped; but for the plural. */
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
