const small = "abcdefghijklmnopqrstuvwxyz";

/** Letters in a contiguous range from one code point on. */
const rowOf = (first: number): [string, string][] =>
  Array.from(small, (letter, index) => [String.fromCodePoint(first + index), letter]);

const pairsOf = (drawn: string, letters: string): [string, string][] =>
  Array.from(drawn, (character, index) => [character, letters[index] ?? character]);

/**
 * Letters in circles, squares and small capitals that NFKC leaves unchanged, and letters that text generators borrow from
 * other alphabets: the f of small capitals is a Kazakh letter.
 */
const drawn = new Map([
  ...rowOf(0x1f150),
  ...rowOf(0x1f170),
  ...pairsOf("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
  ...pairsOf("ғƒ₣ʄ₳ɓ฿ɮ₵¢ƈ∂ɖɇɛ₲ɦⱨɨʝ₭ӄҝⱡ₥ɱ₦₱ꞯɽ₴ֆ₮ȶʉʊʋ₩ɏⱬʐ", "ffffabbbcccddeeghhijkkklmmnpqrssttuuvwyzz"),
]);
const flagLetters = new Map(rowOf(0x1f1e6));
const flags = /[\u{1F1E6}-\u{1F1FF}]+/gu;
const inParentheses = /(?:\(\p{L}\)\s?){2,}/gu;
const enclosing = /[\u20DD-\u20E4]/gu;

/** A text, in lower case, with enclosed and drawn letters read as plain ones. */
export function readDrawn(text: string): string {
  const open = text.replace(inParentheses, (letters) => letters.replace(/[()]/g, ""));
  if (!/\P{ASCII}/u.test(open)) return open;
  const letters = Array.from(open.replace(enclosing, ""), (character) => drawn.get(character) ?? character);
  // Two of them form a flag.
  return letters.join("").replace(flags, (row) => (row.length === 4 ? row : spellFlags(row)));
}

function spellFlags(row: string): string {
  return Array.from(row, (flag) => flagLetters.get(flag) ?? flag).join("");
}

const turned = new Map([
  ...pairsOf("ɐqɔpǝɟƃɓɥᴉıɾʞןʅɯuodbɹsʇnʌʍʎ", "abcdefgghiijkllmnopqrstuvwy"),
  ...pairsOf("∀ↄᗡⅎ⅁פ⅂˥ꓤᴚ┴⊥∩ᴧ⅄ʇɥɔƐ", "acdfgglLrrttuvythc3"),
]);
const onlyTurned = /[ɐɔǝɟɥᴉɾʞɯɹʇʌʍʎ]/gu;

/** An upside-down text turned the right way up, as a whole and word by word. */
export function turnUpright(text: string): string[] {
  const signs = text.match(onlyTurned);
  if (!signs || signs.length < 3 || new Set(signs).size < 2) return [];
  const letters = Array.from(text, (character) => turned.get(character) ?? character);
  const words = letters.join("").split(" ");
  return [
    letters.toReversed().join(""),
    words.map((word) => Array.from(word).toReversed().join("")).join(" "),
  ];
}
