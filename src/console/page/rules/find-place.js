/**
 * Where the caret is in a YAML text: `path` leads to the map, list or value that is written there (names of keys, and "[]"
 * for an item), `writes` is "key", "value" or "item", `word` what is begun, `inFlow` whether it is between { } or [ ].
 * undefined in a comment or a quoted text.
 */
export function findPlace(text, caret) {
  const lines = text.slice(0, caret).split("\n");
  const head = lines.pop();
  const state = { block: [], flow: [], value: undefined };
  for (const line of lines) readLine(state, line);
  return placeIn(state, head);
}

/** Maps and lists that are open: of the block with the column of each, then those between brackets. */
function readLine(state, line) {
  if (state.flow.length > 0) return void readFlow(state, line);
  const content = readBlock(state, line);
  const key = /^("[^"]*"|'[^']*'|[^\s:#{}[\],]+):(?:\s+|$)/.exec(content.text);
  if (!key) return void readFlow(state, content.text);
  open(state, content.column, { column: content.column, key: unquote(key[1]) });
  readFlow(state, content.text.slice(key[0].length));
}

/** Opens an item for each dash before the content; gives the content and its column. */
function readBlock(state, line) {
  let column = line.search(/\S|$/);
  let text = line.slice(column);
  if (text === "" || text.startsWith("#")) return { column, text: "" };
  for (let dash = /^-(\s+|$)/.exec(text); dash; dash = /^-(\s+|$)/.exec(text)) {
    const at = column;
    // A list may stand right below its key, in the same column.
    state.block = state.block.filter(
      (one) => one.column < at || (one.column === at && one.key !== undefined),
    );
    state.block.push({ column: at, isItem: true });
    column += dash[0].length;
    text = text.slice(dash[0].length);
  }
  return { column, text };
}

function open(state, column, entry) {
  state.block = state.block.filter((one) => one.column < column);
  state.block.push(entry);
}

/** Follows brackets; gives what is written since the last mark, or undefined within quotes and comments. */
function readFlow(state, text) {
  let word = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    const top = state.flow.at(-1);
    const before = at === 0 ? " " : text[at - 1];
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

function endOfQuote(text, from) {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === "\\" && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function placeIn(state, head) {
  if (state.flow.length > 0) return placeInFlow(state, readFlow(state, head));
  if (/^\s*#/.test(head)) return undefined;
  const { column, text } = readBlock(state, head);
  const key = /^("[^"]*"|'[^']*'|[^\s:#{}[\],]+):\s+/.exec(text);
  if (key) {
    open(state, column, { column, key: unquote(key[1]) });
    const word = readFlow(state, text.slice(key[0].length));
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

function placeInFlow(state, word) {
  const top = state.flow.at(-1);
  // A bracket that closes is followed by nothing that could be offered.
  if (word === undefined || !top) return undefined;
  const writes = top.isList ? "item" : top.key === undefined ? "key" : "value";
  return { path: pathOf(state), writes, word, inFlow: true };
}

function pathOf({ block, flow }) {
  return [
    ...block.map(({ key }) => key ?? "[]"),
    ...flow.flatMap(({ isList, key }) => (isList ? ["[]"] : key === undefined ? [] : [key])),
  ];
}

function unquote(key) {
  return key.replace(/^(["'])(.*)\1$/, "$2");
}
