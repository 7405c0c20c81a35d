import { expect, test } from "vitest";
import { parseMarkdown, parseTitle } from "../../../src/web/kit/parse-markdown.ts";

const lines = (...children: unknown[]) => [{ type: "lines", children }];
const strong = (...children: unknown[]) => ({ type: "strong", children });

test.each<[string, string, unknown[]]>([
  ["plain text", "a < b", lines("a < b")],
  ["nothing", "", []],
  ["bold in bold words", "**a** b", lines(strong("a"), " b")],
  ["emphasis in bold", "**a *b***", lines(strong("a ", { type: "emphasis", children: ["b"] }))],
  ["names with underscores", "snake_case_name", lines("snake_case_name")],
  ["code keeps its marks", "`**a**`", lines({ type: "code", text: "**a**" })],
  ["escaped marks", "\\*\\*a\\*\\*", lines("**a**")],
  ["an unclosed mark", "**a", lines("**a")],
  ["two lines", "a\nb", lines("a", { type: "break" }, "b")],
  ["a heading", "## a", [{ type: "heading", level: 2, children: ["a"] }]],
  ["no heading without a blank", "#a", lines("#a")],
  ["small print", "-# a", [{ type: "small", children: ["a"] }]],
  ["a quote of two lines", "> a\n> b", [{ type: "quote", children: ["a", { type: "break" }, "b"] }]],
  ["a time", "<t:1700000000:R>", lines({ type: "time", seconds: 1_700_000_000, style: "R" })],
  [
    "mentions",
    "<@1> <#2> <@&3>",
    lines({ type: "user", id: "1" }, " ", { type: "room", id: "2" }, " ", { type: "role", id: "3" }),
  ],
  [
    "a link with a label",
    "[a](https://b.example)",
    lines({ type: "link", url: "https://b.example", children: ["a"] }),
  ],
  ["no link to a script", "[a](javascript:b)", lines("[a](javascript:b)")],
  [
    "a bare link ends before its full stop",
    "https://b.example.",
    lines({ type: "link", url: "https://b.example", children: ["https://b.example"] }, "."),
  ],
  ["a block of code", "a\n```ts\n# b\n```", [...lines("a"), { type: "code_block", text: "# b" }]],
])("%s", (_, text, tree) => {
  expect(parseMarkdown(text)).toEqual(tree);
});

const item = (text: string, ...within: unknown[]) => ({ children: [text], within });

test("a list has its items, and lists within them", () => {
  const within = { type: "list", depth: 1, start: null, items: [item("b"), item("c")] };
  expect(parseMarkdown("3. a\n  - b\n  * c\n4. d")).toEqual([
    { type: "list", depth: 0, start: 3, items: [item("a", within), item("d")] },
  ]);
});

test("a numbered list counts on from its first number, and is another than one with bullets", () => {
  expect(parseMarkdown("1. a\n1. b\n- c\n7. d")).toEqual([
    { type: "list", depth: 0, start: 1, items: [item("a"), item("b")] },
    { type: "list", depth: 0, start: null, items: [item("c")] },
    { type: "list", depth: 0, start: 7, items: [item("d")] },
  ]);
});

test("a title has no blocks, and loses nothing for it", () => {
  expect(parseTitle("1. **a**\n# b")).toEqual(["1. ", strong("a"), { type: "break" }, "# b"]);
});

test.each(["*", "**", "_", "`", "||", "[", "<", "> ", "~~"])(
  "a text of nothing but %s is read to its end",
  (mark) => expect(parseMarkdown(mark.repeat(2000))).not.toEqual([]),
);
