import { expect, it } from "vitest";
import { plainOutput, showControls } from "../../src/text/show-controls.ts";

it.each([
  ["an escape sequence", "v\u001b]0;owned\u0007\u001b[2J", "v\\u001b]0;owned\\u0007\\u001b[2J"],
  ["controls of one byte more", "a\u009b31mb", "a\\u009b31mb"],
  ["a return that writes over the line", "ok\rWRONG", "ok\\u000dWRONG"],
  ["text that runs backwards", "\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"],
  ["a line that only some see", "a\u2028b", "a\\u2028b"],
])("shows %s", (_, text, shown) => {
  expect(showControls(text)).toBe(shown);
});

it("leaves lines, tabs, letters of all scripts and QR codes as they are", () => {
  const text = "één\tשלום\n▀▄█ 👩‍🚀\n";
  expect(showControls(text)).toBe(text);
});

it("keeps JSON what it is", () => {
  const value = { name: "a\u009b\u202eb" };
  let written = "";
  plainOutput({ write: (text) => (written += text) }).write(JSON.stringify(value));
  expect(written).not.toContain("\u009b");
  expect(JSON.parse(written)).toEqual(value);
});
