import { expect, test } from "vitest";
import { castColumns } from "../../../src/moderation/bulks/find-casts.ts";
import { userColumns } from "../../../src/moderation/bulks/find-users.ts";
import { splitLines } from "../../../src/moderation/bulks/file-lines.ts";

const written = (text: string, columns = userColumns) =>
  splitLines(text, columns).lines.map((line) => line.written);
const mistakes = (text: string) => splitLines(text, userColumns).mistakes.map(({ number }) => number);

test("reads one target a line, whatever ends it and however it is quoted", () => {
  expect(written('\ufeff7\r\n"8"\r@alice\n\n  9  \n"10","x"')).toEqual(["7", "8", "@alice", "9", "10"]);
});

test.each([
  ["fid,name,reason\n28,dana,spam\n29,,", ["28", "29"]],
  ["name;reason;fid\nbob;spam, again;28", ["28"]],
  ["sep=;\nfid;reason\n28;spam", ["28"]],
  ["Username\tWhy\n12\tspam", ["12"]],
  ['reason,fid\n"a\n12\n""b"",c",28\nx,29', ["28", "29"]],
  ["fid\n28,", ["28"]],
])("%j: the heading says which column names the users", (text, expected) => {
  expect(written(text)).toEqual(expected);
  expect(splitLines(text, userColumns).heading).toBeDefined();
});

test("an export of cases names users and casts by its own columns", () => {
  const file = 'number,action,subject_fid,cast,by_fid,reason\r\n"C-12","hide",7,"0xabcdef",9,"spam"\r\n';
  expect(written(file)).toEqual(["7"]);
  expect(written(file, castColumns)).toEqual(["0xabcdef"]);
});

test("a word that can be a reason is no heading", () => {
  expect(splitLines("alice,link\nbob,spam", userColumns)).toMatchObject({
    heading: undefined,
    lines: [{ written: "alice" }, { written: "bob" }],
  });
});

test.each([
  ["fid\n12,345", [2]],
  ["fid,reason\n12,345", [2]],
  ["fid,reason\n28,spam, again", [2]],
  ["fid,reason\n,spam", [2]],
  [",28", [1]],
  ['7\n"8\n9', [2]],
  ['"7" 8\n9', [1]],
  ["7\n12.345\n1 234\n1'234", [2, 3, 4]],
  [`28${" ".repeat(400)}29`, [1]],
])("%j: what cannot be read for sure is refused by its line", (text, expected) => {
  expect(mistakes(text)).toEqual(expected);
});
