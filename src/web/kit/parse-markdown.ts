/** Inline content of a line: text or marked-up text. */
export type Node = string | Inline;

export type Inline =
  | { type: "break" }
  | { type: "code"; text: string }
  | { type: "strong" | "emphasis" | "underline" | "strike" | "spoiler"; children: Node[] }
  | { type: "link"; url: string; children: Node[] }
  | { type: "time"; seconds: number; style: string }
  | { type: "user" | "role" | "room"; id: string }
  | { type: "command" | "everyone"; name: string };

export type Block =
  | { type: "code_block"; text: string }
  | { type: "heading"; level: number; children: Node[] }
  | { type: "small" | "quote" | "lines"; children: Node[] }
  | List;

interface List {
  type: "list";
  depth: number;
  /** The list's first number; null for bullets. */
  start: number | null;
  items: { children: Node[]; within: Block[] }[];
}

/** One line of a list. */
interface Item {
  type: "item";
  depth: number;
  number: number | null;
  children: Node[];
}

/** A tree of the subset of Discord's markdown that a bot writes. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const fence = /```(?:(\w+)\n)?([\s\S]*?)```/g;
  let at = 0;
  for (const match of text.matchAll(fence)) {
    const [whole, , code = ""] = match;
    blocks.push(...parseLines(text.slice(at, match.index)));
    blocks.push({ type: "code_block", text: code.replace(/^\n|\n$/g, "") });
    at = match.index + whole.length;
  }
  blocks.push(...parseLines(text.slice(at)));
  return blocks;
}

function parseLines(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.replace(/^\n|\n$/g, "").split("\n")) {
    const block = parseLine(line);
    const last = blocks.at(-1);
    if (block.type === "item") addItem(blocks, block);
    else if ((block.type === "quote" || block.type === "lines") && last?.type === block.type)
      last.children.push({ type: "break" }, ...block.children);
    else blocks.push(block);
  }
  const [only] = blocks;
  return blocks.length === 1 && only?.type === "lines" && only.children.length === 0 ? [] : blocks;
}

/**
 * Adds an item to the open list, or, if it is indented further, to a list within its last item. As in Discord, a
 * numbered list continues from its first number, whatever the other numbers are.
 */
function addItem(blocks: Block[], item: Item): void {
  const { depth, number, children } = item;
  const last = blocks.at(-1);
  const open = last?.type === "list" ? last : undefined;
  const within = open && depth > open.depth ? open.items.at(-1)?.within : undefined;
  if (within) addItem(within, item);
  else if (open && depth <= open.depth && (open.start === null) === (number === null))
    open.items.push({ children, within: [] });
  else blocks.push({ type: "list", depth, start: number, items: [{ children, within: [] }] });
}

/** Text with inline markup only, such as a title. */
export function parseTitle(text: string): Node[] {
  return text
    .split("\n")
    .flatMap((line, at): Node[] =>
      at === 0 ? parseInline(line) : [{ type: "break" }, ...parseInline(line)],
    );
}

function parseLine(line: string): Exclude<Block, List> | Item {
  const [, marks, heading] = /^(#{1,3}) (.+)$/.exec(line) ?? [];
  if (marks !== undefined && heading !== undefined)
    return { type: "heading", level: marks.length, children: parseInline(heading) };
  const [, small] = /^-# (.+)$/.exec(line) ?? [];
  if (small !== undefined) return { type: "small", children: parseInline(small) };
  const [, quote] = /^> (.*)$/.exec(line) ?? [];
  if (quote !== undefined) return { type: "quote", children: parseInline(quote) };
  const [, indent, number, rest] = /^(\s*)(?:[-*]|(\d+)\.) (.+)$/.exec(line) ?? [];
  if (indent !== undefined && rest !== undefined) {
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

/** Returns the node for a match, from its groups; null if it does not match after the preceding text. */
type Build = (groups: readonly string[], before: string) => Node | null;

const marked =
  (type: "strong" | "emphasis" | "underline" | "strike" | "spoiler"): Build =>
  ([inner = ""]) => ({ type, children: parseInline(inner) });
const mention =
  (type: "user" | "role" | "room"): Build =>
  ([id = ""]) => ({ type, id });
const link: Build = ([url = ""]) => ({ type: "link", url, children: [url] });

/** Tried in this order at each position of the text; the first match wins. */
const inlineRules: readonly (readonly [RegExp, Build])[] = [
  [/\\([^\p{L}\p{N}\s])/uy, ([character = ""]) => character],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, ([, code = ""]) => ({ type: "code", text: code.trim() || code })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    ([seconds, style = "f"]) => ({ type: "time", seconds: Number(seconds), style }),
  ],
  [/<@!?(\d+)>/y, mention("user")],
  [/<@&(\d+)>/y, mention("role")],
  [/<#(\d+)>/y, mention("room")],
  [/<\/([^:>]{1,100}):\d+>/y, ([name = ""]) => ({ type: "command", name })],
  [/<a?:(\w+):\d+>/y, ([name]) => `:${name}:`],
  [/@(everyone|here)/y, ([name = ""]) => ({ type: "everyone", name })],
  [
    /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y,
    ([label = "", url = ""]) => ({ type: "link", url, children: parseInline(label) }),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, link],
  [/(https?:\/\/[^\s<>)\]*_~|]*[^\s<>)\]*_~|.,:;"'!?])/y, link],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, marked("strong")],
  [/__([\s\S]+?)__(?!_)/y, marked("underline")],
  [/~~([\s\S]+?)~~/y, marked("strike")],
  [/\|\|([\s\S]+?)\|\|/y, marked("spoiler")],
  [/\*(?!\s)([^*\n]+?)\*/y, marked("emphasis")],
  [
    /_(?!\s)([^_\n]+?)_(?![\p{L}\p{N}])/uy,
    (groups, before) => (word.test(before) ? null : marked("emphasis")(groups, before)),
  ],
];

function parseInline(text: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  while (at < text.length) {
    const { node, length } = matchAt(text, at) ?? { node: text.charAt(at), length: 1 };
    const last = nodes.at(-1);
    if (typeof node === "string" && typeof last === "string") nodes.splice(-1, 1, last + node);
    else nodes.push(node);
    at += length;
  }
  return nodes;
}

function matchAt(text: string, at: number): { node: Node; length: number } | undefined {
  for (const [pattern, build] of inlineRules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const node = match && build(match.slice(1), text[at - 1] ?? "");
    if (node) return { node, length: match[0].length };
  }
  return undefined;
}
