const shownControls = new Map([
  ["\b", String.raw`\b`],
  ["\f", String.raw`\f`],
  ["\v", String.raw`\v`],
  ["\u0007", String.raw`\a`],
]);
const control = /(?![\t\n\r])\p{Cc}/u;
/** A word of another alphabet at a boundary, including the first or last of a choice. */
const foreignEdge = /\\b(?:\((?:\?:|\?i:)?)*(?![\p{ASCII}])\p{L}|(?![\p{ASCII}])[\p{L}\p{M}](?:\)|\])*\\b/u;
const foreignClassEdge = /\\b(?:\((?:\?:)?)*\[[^\]]*\P{ASCII}|\[[^\]]*\P{ASCII}[^\]]*\][+*?]*\)*\\b/u;
const foreignLetter = /(?!\p{ASCII})\p{L}/u;

/** Parts of a pattern that do not do what they seem to, and how to write them. */
export function hintsOfPattern(source: string): string[] {
  const hints: string[] = [];
  const [found] = control.exec(source) ?? [];
  if (found !== undefined) {
    const written = shownControls.get(found);
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    hints.push(
      written === undefined
        ? `has a control character (${code}), which texts never contain: remove it`
        : `has a control character (${code}), which texts never contain: in double quotes ${written} stands for it. Put the pattern in single quotes, or write \\${written}`,
    );
  }
  const [, inner, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(source) ?? [];
  if (inner !== undefined) {
    hints.push(`looks for the slashes, too: write ${flags.includes("i") ? "(?i)" : ""}${inner} without them`);
  }
  if (foreignEdge.test(source) || foreignClassEdge.test(source)) {
    hints.push(
      String.raw`never matches there: \b knows only the letters a to z, so it is not a word boundary next to others. ` +
        String.raw`Write (?:^|[^\pL\pN]) before the word and (?:[^\pL\pN]|$) after it, or use contains`,
    );
  } else if (source.includes(String.raw`\w`) && foreignLetter.test(source)) {
    hints.push(
      String.raw`\w matches only a to z, 0 to 9 and _: write [\pL\pN_] for letters of all alphabets`,
    );
  }
  return hints;
}

const quotePairs = ["“”", "”“", "„“", "„”", "‘’", "‚‘", "«»", "»«", "‹›", "「」", "″″"];

/** Warns about typographic quotes around a text, which YAML reads as part of it. */
export function hintsOfQuotes(written: string): string[] {
  const last = written.at(-1) ?? "";
  const isQuoted = quotePairs.includes(written.charAt(0) + last);
  if (!isQuoted || written.length < 3) return [];
  const inner = written.slice(1, -1);
  return [
    `looks for the typographic quotes, too: write ${JSON.stringify(inner)} with straight ones, or '${written}' if they are meant`,
  ];
}
