/** The position, from 1 on, where a text stops being JSON, and the reason. */
interface JsonMistake {
  line: number;
  column: number;
  why: string;
}

/** What is allowed next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or ]" | ", or }" | "end";

const reasons: Readonly<Record<Expected, string>> = {
  value: "a value is expected here",
  "value or ]": "a value or ] is expected here",
  name: 'a name in double quotes is expected here ("fid")',
  "name or }": 'a name in double quotes or } is expected here ("fid")',
  ":": "a colon is expected here, between name and value",
  ", or ]": "a comma or ] is expected here",
  ", or }": "a comma or } is expected here",
  end: "the JSON ends before this: nothing may follow it",
};

const space = /[ \t\r\n]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;
const escapes = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where and why a text is not JSON, because Node does not always say; undefined if it is valid. */
export function findJsonMistake(text: string): JsonMistake | undefined {
  const open: ("]" | "}")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const afterValue = (): Expected => {
    const closing = open.at(-1);
    if (closing === undefined) return "end";
    return closing === "]" ? ", or ]" : ", or }";
  };

  for (;;) {
    at = match(space, text, at) ?? at;
    const sign = text[at];
    if (sign === undefined) {
      return expected === "end"
        ? undefined
        : place(text, at, `the text ends too early: ${reasons[expected]}`);
    }
    if ((sign === "]" || sign === "}") && expected.endsWith(`or ${sign}`)) {
      open.pop();
      expected = afterValue();
      at += 1;
    } else if (sign === "," && expected.startsWith(",")) {
      expected = open.at(-1) === "]" ? "value" : "name";
      at += 1;
    } else if (sign === ":" && expected === ":") {
      expected = "value";
      at += 1;
    } else if (sign === '"' && /^(value|name)/.test(expected)) {
      const end = endOfString(text, at);
      if (typeof end !== "number") return end;
      expected = expected.startsWith("name") ? ":" : afterValue();
      at = end;
    } else if (!expected.startsWith("value")) return place(text, at, reasons[expected]);
    else if (sign === "[" || sign === "{") {
      open.push(sign === "[" ? "]" : "}");
      expected = sign === "[" ? "value or ]" : "name or }";
      at += 1;
    } else {
      const end = match(scalar, text, at);
      if (end === undefined) return place(text, at, reasons[expected]);
      expected = afterValue();
      at = end;
    }
  }
}

/** The position after its closing quotation mark. */
function endOfString(text: string, from: number): number | JsonMistake {
  for (let at = from + 1; ;) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (Number.isNaN(code)) return place(text, from, "this text has no closing quotation mark");
    if (code < 0x20) return place(text, at, "a text must not contain a line break or tab: write \\n or \\t");
    if (code !== 0x5c) at += 1;
    else {
      const end = match(escapes, text, at);
      if (end === undefined) return place(text, at, "this is not a valid JSON escape");
      at = end;
    }
  }
}

function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function place(text: string, at: number, why: string): JsonMistake {
  const before = text.slice(0, at);
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: at - start + 1, why };
}
