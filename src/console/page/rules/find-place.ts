/** The caret's place in a YAML text. */
export interface YamlPlace {
  /** Leads to the map, list or value there: names of keys, and "[]" for an item. */
  path: string[];
  writes: "key" | "value" | "item";
  /** The started word. */
  word: string;
  /** Whether it is between { } or [ ]. */
  inFlow: boolean;
}

/** An open map or list in a block, with its column. */
interface Open {
  column: number;
  key?: string;
  isItem?: boolean;
}

/** The open collections: first in blocks, then in brackets. */
interface State {
  block: Open[];
  flow: { isList: boolean; key?: string | undefined }[];
}

/** undefined in a comment or a quoted text. */
export function findPlace(text: string, caret: number): YamlPlace | undefined {
  const lines = text.slice(0, caret).split("\n");
  const head = lines.pop() ?? "";
  const state: State = { block: [], flow: [] };
  for (const line of lines) readLine(state, line);
  return placeIn(state, head);
}

function readLine(state: State, line: string): void {
  if (state.flow.length > 0) return void readFlow(state, line);
  const { column, text } = readBlock(state, line);
  const [start, key] = keyBeforeAnything.exec(text) ?? [];
  if (start === undefined || key === undefined) return void readFlow(state, text);
  open(state, { column, key: unquote(key) });
  readFlow(state, text.slice(start.length));
}

const keyBeforeAnything = /^("[^"]*"|'[^']*'|[^\s:#{}[\],]+):(?:\s+|$)/;
const keyBeforeBlank = /^("[^"]*"|'[^']*'|[^\s:#{}[\],]+):\s+/;

/** Opens an item for each dash before the content. Returns the content and its column. */
function readBlock(state: State, line: string): { column: number; text: string } {
  let column = line.search(/\S|$/);
  let text = line.slice(column);
  if (text === "" || text.startsWith("#")) return { column, text: "" };
  for (let dash = /^-(\s+|$)/.exec(text); dash; dash = /^-(\s+|$)/.exec(text)) {
    const at = column;
    // A list can start directly below its key, in the same column.
    state.block = state.block.filter(
      (one) => one.column < at || (one.column === at && one.key !== undefined),
    );
    state.block.push({ column: at, isItem: true });
    column += dash[0].length;
    text = text.slice(dash[0].length);
  }
  return { column, text };
}

function open(state: State, entry: Open): void {
  state.block = state.block.filter((one) => one.column < entry.column);
  state.block.push(entry);
}

/** Follows brackets. Returns the text since the last mark, or undefined within quotes and comments. */
function readFlow(state: State, text: string): string | undefined {
  let word = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const top = state.flow.at(-1);
    const before = at === 0 ? " " : text.charAt(at - 1);
    if (char === "#" && /\s/.test(before)) return undefined;
    if ((char === '"' || char === "'") && word.trim() === "") {
      const end = endOfQuote(text, at);
      if (end === -1) return undefined;
      word = text.slice(at + 1, end);
      at = end;
    } else if ((char === "{" || char === "[") && word.trim() === "") {
      state.flow.push({ isList: char === "[" });
      word = "";
    } else if (top && (char === "}" || char === "]")) {
      state.flow.pop();
      word = "";
    } else if (top && char === ",") {
      top.key = undefined;
      word = "";
    } else if (top && !top.isList && char === ":" && top.key === undefined) {
      top.key = word.trim();
      word = "";
    } else word += char;
  }
  return word.trimStart();
}

function endOfQuote(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\" && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function placeIn(state: State, head: string): YamlPlace | undefined {
  if (state.flow.length > 0) return placeInFlow(state, readFlow(state, head));
  if (/^\s*#/.test(head)) return undefined;
  const { column, text } = readBlock(state, head);
  const [start, key] = keyBeforeBlank.exec(text) ?? [];
  if (start !== undefined && key !== undefined) {
    open(state, { column, key: unquote(key) });
    const word = readFlow(state, text.slice(start.length));
    if (state.flow.length > 0) return placeInFlow(state, word);
    return word === undefined ? undefined : { path: pathOf(state), writes: "value", word, inFlow: false };
  }
  const word = readFlow(state, text);
  if (state.flow.length > 0) return placeInFlow(state, word);
  if (word === undefined) return undefined;
  state.block = state.block.filter((one) => one.column < column);
  const isItem = state.block.at(-1)?.isItem && /^\s*(-\s+)+[^\s]*$/.test(head);
  return { path: pathOf(state), writes: isItem ? "item" : "key", word, inFlow: false };
}

function placeInFlow(state: State, word: string | undefined): YamlPlace | undefined {
  const top = state.flow.at(-1);
  // After a closing bracket there is nothing to suggest.
  if (word === undefined || !top) return undefined;
  const writes = top.isList ? "item" : top.key === undefined ? "key" : "value";
  return { path: pathOf(state), writes, word, inFlow: true };
}

function pathOf({ block, flow }: State): string[] {
  return [
    ...block.map(({ key }) => key ?? "[]"),
    ...flow.flatMap(({ isList, key }) => (isList ? ["[]"] : key === undefined ? [] : [key])),
  ];
}

function unquote(key: string): string {
  return key.replace(/^(["'])(.*)\1$/, "$2");
}
