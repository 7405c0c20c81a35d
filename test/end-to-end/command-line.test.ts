import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPage } from "../support/page-client.ts";
import { type DataDirectory, makeDataDirectory, runProgram } from "../support/program.ts";

let home: DataDirectory;

beforeAll(async () => {
  home = await makeDataDirectory();
});

afterAll(() => home.remove());

/** Exit code and output of a command that ends by itself. */
async function run(words: string[], settings: Record<string, string> = {}): Promise<[number, string]> {
  const program = runProgram(words, { DATA_DIR: join(home.directory, "unused"), ...settings });
  return [await program.exit, program.output()];
}

const slow = { timeout: 60_000 };

it("--version is the package's", slow, async () => {
  const manifest = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const [code, output] = await run(["--version"]);
  expect(code).toBe(0);
  expect(manifest).toContain(`"version": "${output.trim()}"`);
});

it.each([["-v"], ["version"]])("%s is the same", slow, async (word) => {
  expect(await run([word])).toEqual(await run(["--version"]));
});

it.each([
  [["backup", "--help"], "castellan backup "],
  [["rules", "test", "-h"], "castellan rules test FILE --channel ID"],
])("%j shows how it is written, and does nothing", slow, async (words, expected) => {
  const [code, output] = await run(words);
  expect(code).toBe(0);
  for (const line of output.trim().split("\n")) expect(line).toContain(expected);
});

it.each([
  [["strat"], "start"],
  [["rules", "chek", "rules.yaml"], "rules check"],
  [["network", "imprt", "x.json"], "network import"],
])("%j: says which command is meant", slow, async (words, meant) => {
  const [code, output] = await run(words);
  expect(code).toBe(2);
  expect(output).toContain(`there is no command "${words.join(" ")}"; did you mean "${meant}"?\n`);
  expect(output.split("\n")[1]).toMatch(new RegExp(`^castellan ${meant} `));
});

it("rules test names an option that it does not have", slow, async () => {
  const [, output] = await run(["rules", "test", "x.yaml", "--chanel", "garden"]);
  expect(output).toMatch(/^castellan: unknown option --chanel; did you mean "--channel"\? Usage: /);
});

it.each([
  ["below a file", () => join(home.directory, "file", "data"), "a part of the path is a file"],
  ["where nothing can be made", () => "/proc/castellan", "there is no such file or directory"],
])("a data directory %s is named in one sentence", slow, async (_, directory, why) => {
  await writeFile(join(home.directory, "file"), "");
  const [code, output] = await run(["api"], { DATA_DIR: directory() });
  expect(code).toBe(1);
  expect(output).toBe(
    `castellan: DATA_DIR (${directory()}) cannot be used: ${why}. Set DATA_DIR to a directory that Castellan may write.\n`,
  );
});

it.each([[["frobnicate"]], [["start", "now"]]])(
  "%j is no command: exit code 2, and what there is",
  slow,
  async (words) => {
    const [code, output] = await run(words);
    expect(code).toBe(2);
    expect(output).toContain(`there is no command "${words.join(" ")}"`);
    expect(output).toContain("castellan network import FILE");
  },
);

it.each([
  [["network"], ["network import FILE", "network export FILE"]],
  [["rules", "check"], ["rules check FILE"]],
])("%j is not all of a command: exit code 2, and how it is written", slow, async (words, expected) => {
  const [code, output] = await run(words);
  expect(code).toBe(2);
  const written = output.split("\n").filter((line) => line.startsWith("castellan "));
  expect(written.map((line) => /^castellan (.*?)  /.exec(line)?.[1])).toEqual(expected);
});

it("a wrong configuration names every mistake at once", slow, async () => {
  const [code, output] = await run(["start"], {
    PORT: "huge",
    NETWORK: "moon",
    BOT_FID: "0",
    OPERATOR_TOKEN: "short",
    DATABASE_URL: "http://example.test",
  });
  expect(code).toBe(1);
  for (const name of ["PORT", "NETWORK", "BOT_FID", "OPERATOR_TOKEN", "DATABASE_URL"]) {
    expect(output).toMatch(new RegExp(`^  ${name} must `, "m"));
  }
});

it.each(["bot", "worker"])(
  "castellan %s without a shared database says what it needs",
  slow,
  async (role) => {
    const [code, output] = await run([role]);
    expect(code).toBe(1);
    expect(output).toContain("needs DATABASE_URL and DISCORD_TOKEN");
  },
);

it(
  "rules check reads a good file back and names the mistakes of a bad one by line and column",
  slow,
  async () => {
    const good = join(home.directory, "good.yaml");
    const bad = join(home.directory, "bad.yaml");
    const text = `version: 1
rules:
  - id: lures
    on: [cast.created]
    when: {text: {matches: "(?i)airdrop"}}
    then: [{hide: {}}]
`;
    await writeFile(good, text);
    await writeFile(bad, text.replace("(?i)airdrop", "(").replace("hide", "hid"));
    const [fine, told] = await run(["rules", "check", good]);
    expect(fine).toBe(0);
    expect(told).toMatch(/no mistakes[^]*lures: on cast.created: hide the cast/);
    const [code, output] = await run(["rules", "check", bad]);
    expect(code).toBe(1);
    expect(output).toMatch(/line 5, column \d+/);
    expect(output).toMatch(/line 6, column \d+/);
    const none = join(home.directory, "none.yaml");
    expect((await run(["rules", "check", none]))[1]).toContain(
      "none.yaml cannot be read: there is no such file or directory.",
    );
    expect((await run(["rules", "check", home.directory]))[1]).toContain("is a directory");
  },
);

it("castellan sandbox runs alone: a local Discord with its page, no network beside it", slow, async () => {
  const program = runProgram(["sandbox"], { DATA_DIR: join(home.directory, "alone") });
  const { sandbox } = await program.ready;
  const headers = { cookie: await openPage(sandbox) };
  expect(await (await fetch(`${sandbox}/panes`, { headers })).json()).toEqual(["chat"]);
  const [, api = "", token = ""] = /DISCORD_API=(\S+) DISCORD_TOKEN=(\S+)/.exec(program.output()) ?? [];
  const me = await fetch(`${api}/v10/users/@me`, { headers: { authorization: `Bot ${token}` } });
  expect(await me.json()).toMatchObject({ username: "castellan", bot: true });
  expect((await program.end()).code).toBe(0);
});
