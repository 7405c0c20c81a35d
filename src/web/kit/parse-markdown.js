/**
 * The subset of Discord's markdown that a bot writes, as a tree: blocks of inline nodes. A node is a string, or
 * {type, …} with `children` where it holds more of them.
 */
export function parseMarkdown(text) {
  const blocks = [];
  const fence = /```(?:(\w+)\n)?([\s\S]*?)```/g;
  let at = 0;
  for (const match of text.matchAll(fence)) {
    blocks.push(...parseLines(text.slice(at, match.index)));
    blocks.push({ type: "code_block", text: match[2].replace(/^\n|\n$/g, "") });
    at = match.index + match[0].length;
  }
  blocks.push(...parseLines(text.slice(at)));
  return blocks;
}

function parseLines(text) {
  const blocks = [];
  for (const line of text.replace(/^\n|\n$/g, "").split("\n")) {
    const block = parseLine(line);
    const last = blocks.at(-1);
    if (block.type === "item") addItem(blocks, block);
    else if (block.type === "quote" && last?.type === "quote")
      last.children.push({ type: "break" }, ...block.children);
    else if (block.type === "lines" && last?.type === "lines")
      last.children.push({ type: "break" }, ...block.children);
    else blocks.push(block);
  }
  return blocks.length === 1 && blocks[0].type === "lines" && blocks[0].children.length === 0 ? [] : blocks;
}

/**
 * Puts an item at the end of the list that is open, or of one within its last item where it is indented further. As in
 * Discord a numbered list counts on from its first number, whatever the others are.
 */
function addItem(blocks, { depth, number, children }) {
  const last = blocks.at(-1);
  const item = { children, within: [] };
  if (last?.type !== "list") blocks.push({ type: "list", depth, start: number, items: [item] });
  else if (depth > last.depth) addItem(last.items.at(-1).within, { depth, number, children });
  else if ((last.start === null) === (number === null)) last.items.push(item);
  else blocks.push({ type: "list", depth, start: number, items: [item] });
}

/** Text where no blocks can be, such as a title: only what stands within a line is marked. */
export function parseTitle(text) {
  return text
    .split("\n")
    .flatMap((line, at) => (at === 0 ? parseInline(line) : [{ type: "break" }, ...parseInline(line)]));
}

function parseLine(line) {
  const heading = /^(#{1,3}) (.+)$/.exec(line);
  if (heading) return { type: "heading", level: heading[1].length, children: parseInline(heading[2]) };
  const small = /^-# (.+)$/.exec(line);
  if (small) return { type: "small", children: parseInline(small[1]) };
  const quote = /^> (.*)$/.exec(line);
  if (quote) return { type: "quote", children: parseInline(quote[1]) };
  const item = /^(\s*)(?:[-*]|(\d+)\.) (.+)$/.exec(line);
  if (item) {
    const [, indent, number, rest] = item;
    return {
      type: "item",
      depth: Math.floor(indent.length / 2),
      number: number === undefined ? null : Number(number),
      children: parseInline(rest),
    };
  }
  return { type: "lines", children: parseInline(line) };
}

const word = /[\p{L}\p{N}]/u;

/** Tried in this order at each place of the text; the first that fits takes its part. */
const inlineRules = [
  [/\\([^\p{L}\p{N}\s])/uy, ([, character]) => character],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, ([, , code]) => ({ type: "code", text: code.trim() || code })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    ([, seconds, style]) => ({ type: "time", seconds: Number(seconds), style: style ?? "f" }),
  ],
  [/<@!?(\d+)>/y, ([, id]) => ({ type: "user", id })],
  [/<@&(\d+)>/y, ([, id]) => ({ type: "role", id })],
  [/<#(\d+)>/y, ([, id]) => ({ type: "room", id })],
  [/<\/([^:>]{1,100}):\d+>/y, ([, name]) => ({ type: "command", name })],
  [/<a?:(\w+):\d+>/y, ([, name]) => `:${name}:`],
  [/@(everyone|here)/y, ([, name]) => ({ type: "everyone", name })],
  [
    /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y,
    ([, label, url]) => ({ type: "link", url, children: parseInline(label) }),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, ([, url]) => ({ type: "link", url, children: [url] })],
  [/https?:\/\/[^\s<>)\]*_~|]*[^\s<>)\]*_~|.,:;"'!?]/y, ([url]) => ({ type: "link", url, children: [url] })],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, ([, inner]) => ({ type: "strong", children: parseInline(inner) })],
  [/__([\s\S]+?)__(?!_)/y, ([, inner]) => ({ type: "underline", children: parseInline(inner) })],
  [/~~([\s\S]+?)~~/y, ([, inner]) => ({ type: "strike", children: parseInline(inner) })],
  [/\|\|([\s\S]+?)\|\|/y, ([, inner]) => ({ type: "spoiler", children: parseInline(inner) })],
  [/\*(?!\s)([^*\n]+?)\*/y, ([, inner]) => ({ type: "emphasis", children: parseInline(inner) })],
  [
    /_(?!\s)([^_\n]+?)_(?![\p{L}\p{N}])/uy,
    ([, inner], before) => (word.test(before) ? null : { type: "emphasis", children: parseInline(inner) }),
  ],
];

function parseInline(text) {
  const nodes = [];
  let at = 0;
  while (at < text.length) {
    const found = matchAt(text, at);
    const node = found?.node ?? text[at];
    if (typeof node === "string" && typeof nodes.at(-1) === "string") nodes.push(nodes.pop() + node);
    else nodes.push(node);
    at += found?.length ?? 1;
  }
  return nodes;
}

function matchAt(text, at) {
  for (const [pattern, build] of inlineRules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const node = match && build(match, text[at - 1] ?? "");
    if (node) return { node, length: match[0].length };
  }
  return null;
}
