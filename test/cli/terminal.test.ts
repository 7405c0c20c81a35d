import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAnswers } from "../../src/cli/setup/answers.ts";
import { openTerminal, type Terminal } from "../../src/cli/setup/terminal.ts";

let input: PassThrough;
let shown: string;
let terminal: Terminal;

beforeEach(() => {
  input = new PassThrough();
  shown = "";
  const output = new PassThrough();
  output.setEncoding("utf8").on("data", (text: string) => (shown += text));
  terminal = openTerminal(input, output);
});
afterEach(() => terminal.close());

async function type(text: string): Promise<void> {
  input.write(text);
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
}

it("shows what is typed to a question, and nothing of what is typed to a hidden one", async () => {
  const fid = terminal.ask("Fid: ");
  await type("9001\r");
  expect(await fid).toBe("9001");
  const token = terminal.ask("Token (hidden): ", true);
  await type("the.secret\r");
  expect(await token).toBe("the.secret");
  expect(shown).toContain("Fid: ");
  expect(shown).toContain("9001");
  expect(shown).toContain("Token (hidden): ");
  expect(shown).not.toContain("secret");
});

it("never shows what is typed between two questions, whether Enter follows or not", async () => {
  const token = terminal.ask("Token (hidden): ", true);
  await type("wrong.token\r");
  await token;
  // While it is tried, the right one is pasted, and then again without an Enter.
  await type("the.secret.token\r");
  await type("the.secret.token");
  expect(await terminal.ask("Token (hidden): ", true)).toBe("the.secret.token");
  const network = terminal.ask("Network: ");
  await type("live\r");
  expect(await network).toBe("live");
  expect(shown).not.toContain("secret");
});

it("takes lines that were pasted at once for the questions to come, without showing them", async () => {
  await type("one\rtwo\r");
  expect(await terminal.ask("First: ")).toBe("one");
  expect(await terminal.ask("Second: ")).toBe("two");
  expect(shown).not.toMatch(/one|two/);
});

it("shows a question without what a terminal would obey", async () => {
  const asked = terminal.ask("Client API [\u001b[2J]: ");
  await type("x\r");
  await asked;
  expect(shown).toContain("Client API [\\u001b[2J]: ");
});

it("shows what services say of themselves without it, too", () => {
  const out = new PassThrough();
  createAnswers({ given: {}, earlier: {}, terminal: undefined, out }).say("Hub: version \u001b[2J");
  expect(String(out.read())).toBe("Hub: version \\u001b[2J\n");
});
