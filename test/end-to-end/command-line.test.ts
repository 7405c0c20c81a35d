import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPage } from "../support/page-client.ts";
import { type DataDirectory, makeDataDirectory, runProgram } from "../support/program.ts";

const main = fileURLToPath(new URL("../../dist/src/main.js", import.meta.url));
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

it.each([[["-v"]], [["version"]], [["sandbox", "-v"]], [["network", "import", "--version"]]])(
  "%j is the same",
  slow,
  async (words) => {
    expect(await run(words)).toEqual(await run(["--version"]));
  },
);

it.each([
  [["backup", "--help"], "castellan backup [options] <file>\n"],
  [["help", "backup"], "castellan backup [options] <file>\n"],
  [["help", "rules", "test"], "castellan rules test [options] <file>\n"],
  [["rules", "test", "-h"], "castellan rules test [options] <file>\n"],
  [["start", "--help"], "castellan start [options]\n"],
])("%j shows how it is written, and does nothing", slow, async (words, expected) => {
  const [code, output] = await run(words);
  expect(code).toBe(0);
  expect(output.startsWith(`Usage: ${expected}`)).toBe(true);
});

it("no line of the help is wider than a terminal of 120 columns", slow, async () => {
  const [, output] = await run(["help"]);
  expect(output).toContain("  start ");
  expect(output.split("\n").filter((line) => line.length > 120)).toEqual([]);
});

it.each([
  ["what doctor finds", ["doctor"], { DATA_DIR: "/nowhere/\u001b[2J" }],
  ["its last words", ["rules", "check", "/nowhere/\u001b[2J"], {}],
  ["a command that is none", ["\u001b[2J"], {}],
])("%s holds nothing that a terminal would obey", slow, async (_, words, settings) => {
  const [, output] = await run(words, settings);
  expect(output).toContain("\\u001b[2J");
  expect(output).not.toContain("\u001b");
});

it.each([["help"], ["version"], ["rules", "schema"]])(
  "%j whose reader goes away ends without a word",
  slow,
  async (...words) => {
    const program = runProgram(words, { DATA_DIR: join(home.directory, "unused") });
    program.child.stdout?.destroy();
    expect([await program.exit, program.output()]).toEqual([1, ""]);
  },
);

it.runIf(existsSync("/dev/full"))("says when its output cannot be written", slow, async () => {
  const full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [main, "rules", "schema"], { stdio: ["ignore", full.fd, "pipe"] });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [code] = (await once(child, "close")) as [number];
  await full.close();
  expect([code, said]).toEqual([1, "castellan: standard output cannot be written: the disk is full\n"]);
});

it("an older Node is told what it needs, and nothing else is loaded by it", slow, async () => {
  // As far as an older one gets before it misses something: the file itself and what it imports at once.
  const loaded = new Set([main]);
  for (const path of loaded) {
    for (const [, name = ""] of (await readFile(path, "utf8")).matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
      loaded.add(join(dirname(path), name));
  }
  const imported = await Promise.all([...loaded].map((path) => readFile(path, "utf8")));
  expect(imported.join("").length).toBeLessThan(3_000);
  const older = `Object.defineProperty(process.versions, "node", { value: "18.20.8" });`;
  const program = spawn(process.execPath, ["--import", `data:text/javascript,${older}`, main, "start"]);
  const said: string[] = [];
  program.stderr.on("data", (text: Buffer) => said.push(text.toString()));
  const [code] = (await once(program, "close")) as [number];
  expect([code, said.join("")]).toEqual([
    1,
    expect.stringMatching(/^castellan: needs Node 20\.19 or later; this is v[\d.]+\.\n$/),
  ]);
});

it.each([
  [["strat"], "unknown command 'strat'\n(Did you mean start?)"],
  [["rules", "chek", "rules.yaml"], "unknown command 'chek'\n(Did you mean check?)"],
  [["startt", "--help"], "unknown command 'startt'\n(Did you mean start?)"],
  [["help", "backp"], "unknown command 'backp'\n(Did you mean backup?)"],
  [["network", "imprt", "x.json"], "unknown command 'imprt'\n(Did you mean import?)"],
  [["doctor", "--jsn"], "unknown option '--jsn'\n(Did you mean --json?)"],
  [["setup", "--netwrk", "live"], "unknown option '--netwrk'\n(Did you mean --network?)"],
])("%j: exit code 2, and what is meant", slow, async (words, expected) => {
  const [code, output] = await run(words);
  expect(code).toBe(2);
  expect(output.startsWith(`castellan: ${expected}\n`)).toBe(true);
});

it.each([
  ["below a file", () => join(home.directory, "file", "data"), "a part of the path is a file"],
  ["where nothing can be made", () => "/proc/castellan", "there is no such file or directory"],
])("a data directory %s is named in one sentence, whoever would make it", slow, async (_, directory, why) => {
  const file = join(home.directory, "file");
  await writeFile(file, "");
  for (const words of [["api"], ["sandbox"], ["setup"], ["restore", file]]) {
    const [code, output] = await run(words, { DATA_DIR: directory() });
    expect(code).toBe(1);
    expect(output).toBe(
      `castellan: DATA_DIR (${directory()}) cannot be used: ${why}. Set DATA_DIR to a directory that Castellan can write to.\n`,
    );
  }
});

it.each([
  ["castellan ba", ["backup"]],
  ["castellan rules ", ["apply", "check", "diff", "schema", "test", "--help"]],
  ["castellan rules test --d", ["--days"]],
  ["castellan rules test rules.yaml --ch", ["--channel"]],
  ["castellan backup --p", ["--portable"]],
  ["castellan key rotate --acc", ["--accept-cost"]],
])("bash completes %j", slow, async (line, expected) => {
  const [, script] = await run(["completion"]);
  const words = line.split(" ").map((word) => `"${word}"`);
  const completing = `${script}COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _castellan; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["-euc", completing]);
  expect(stdout.trim().split(" ").toSorted()).toEqual(expected.toSorted());
});

it("what is no command: exit code 2, and what there is", slow, async () => {
  const [code, output] = await run(["frobnicate"]);
  expect(code).toBe(2);
  expect(output).toContain("castellan: unknown command 'frobnicate'\n");
  expect(output).toMatch(/^ {2}network +files of the embedded network$/m);
});

it.each([
  [["start", "now"], "too many arguments for 'start'", "start [options]"],
  [["start", "--hlep"], "unknown option '--hlep'\n(Did you mean --help?)", "start [options]"],
  [["backup", "a", "b"], "too many arguments for 'backup'", "backup [options] <file>"],
  [["backup"], "missing required argument 'file'", "backup [options] <file>"],
  [["restore", ""], "command-argument value '' is invalid for argument 'file'", "restore [options] <file>"],
  [["rules", "test", "x"], "required option '--channel <id>' not specified", "rules test [options] <file>"],
  [
    ["rules", "test", "x", "--channel", "a", "--days", "0"],
    "option '--days <number>' argument '0' is invalid. It must be a number from 1 to 999.",
    "rules test [options] <file>",
  ],
])(
  "%j is not what the command takes: exit code 2, and how it is written",
  slow,
  async (words, why, usage) => {
    const [code, output] = await run(words);
    expect(code).toBe(2);
    expect(output.startsWith(`castellan: ${why}`)).toBe(true);
    expect(output).toContain(`\nUsage: castellan ${usage}\n`);
  },
);

it("what a command finds wrong in its arguments is followed by how it is written", slow, async () => {
  const [code, output] = await run(["history", "erase", "alice"]);
  expect(code).toBe(1);
  expect(output).toBe(
    'castellan: "alice" is not a fid. Give a number such as 9001. Usage: castellan history erase [options] <fid>\n',
  );
});

it.each([
  ["history", "erase", "12"],
  ["rules", "test", "rules.yaml", "--channel", "garden"],
  ["backup", "--portable", "b.tar.gz"],
])(
  "%s %s makes no data directory, nor a database in one that a broken restore left",
  slow,
  async (...words) => {
    const none = join(home.directory, "none-there");
    const left = join(home.directory, "left");
    await mkdir(join(left, "database"), { recursive: true });
    await writeFile(join(home.directory, "rules.yaml"), "version: 1\nrules: []\n");
    const given = words.map((word) => (word === "rules.yaml" ? join(home.directory, word) : word));
    for (const DATA_DIR of [none, left]) {
      const [code, output] = await run(given, { DATA_DIR });
      expect([code, output]).toEqual([
        1,
        `castellan: There is no Castellan data in DATA_DIR (${DATA_DIR}).\n`,
      ]);
    }
    expect(existsSync(none)).toBe(false);
    expect(await readdir(join(left, "database"))).toEqual([]);
  },
);

it("a group of commands is no command: exit code 2, and what is in it", slow, async () => {
  const [code, output] = await run(["network"]);
  expect(code).toBe(2);
  expect(output).toMatch(/^Usage: castellan network [^]*^ {2}import <file> [^]*^ {2}export <file> /m);
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
  expect(await program.end()).toBe(0);
});
