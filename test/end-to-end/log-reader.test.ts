import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSync } from "esbuild";
import { afterAll, afterEach, expect, test } from "vitest";
import { makeDataDirectory, runProgram } from "../support/program.ts";

/** Bundled, because a loader of TypeScript starts a process that makes the shared standard error blocking. */
const directory = mkdtempSync(join(tmpdir(), "castellan-log-"));
const bundle = join(directory, "log.mjs");
buildSync({
  stdin: {
    contents: `export { createLog } from "./src/log.ts"; export { exitWith } from "./src/last-words.ts";`,
    resolveDir: process.cwd(),
  },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: bundle,
  // pino is CommonJS and requires Node's own modules.
  banner: {
    js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
  },
});
afterAll(() => rmSync(directory, { recursive: true }));

/** What a process of its own does with the program's log; it goes on when it is told to. */
const beginning = `
  import { once } from "node:events";
  import { setImmediate as turn } from "node:timers/promises";
  import { createLog, exitWith } from ${JSON.stringify(bundle)};
  const log = createLog("info");
  const filling = "x".repeat(1000);
  async function flood(lines) {
    for (let n = 0; n < lines; n += 1) {
      log.info({ n, filling }, "line");
      if (n % 100 === 0) await turn();
    }
  }
  const told = () => once(process.stdin, "data");
  const say = (word) => process.stdout.write(word + "\\n");
`;

const children = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

function run(body: string, stderr: "pipe" | number = "pipe") {
  const stdio: StdioOptions = ["pipe", "pipe", stderr];
  const child = spawn(process.execPath, ["--input-type=module", "-e", beginning + body], {
    stdio,
  });
  children.add(child);
  const { stdin, stdout, stderr: logged } = child;
  if (!stdin || !stdout) throw new Error("the process has no pipes");
  const exit = once(child, "exit").then(([code]) => Number(code));
  const ended = exit.then((code) => {
    throw new Error(`it ended with ${code}`);
  });
  ended.catch(() => {});
  return {
    child,
    logged,
    /** What it says next on standard output. */
    hear: async () => String((await Promise.race([once(stdout, "data"), ended]))[0]).trim(),
    goOn: () => stdin.write("go on\n"),
    exit,
  };
}

/** Everything that comes out of it until its end, by lines; `onText` is given all that there is so far. */
async function readLines(
  stream: NodeJS.ReadableStream | null,
  onText: (text: string) => void = () => {},
): Promise<string[]> {
  let text = "";
  for await (const chunk of stream ?? []) {
    text += chunk.toString();
    onText(text);
  }
  return text.trimEnd().split("\n");
}

interface Line {
  msg: string;
  dropped?: number;
}
// pino writes one JSON object a line.
const parse = (lines: string[]) => lines.map((line) => JSON.parse(line) as Line);

const lines = 150_000;

test("what a reader that stops does not take fills no memory, and it hears how many lines were dropped", async () => {
  const { logged, hear, goOn, exit } = run(`
    const before = process.memoryUsage.rss();
    await flood(${lines});
    say(process.memoryUsage.rss() - before);
    await told();
    log.info("the last line");
    process.exit(0);
  `);
  const grown = Number(await hear());
  // They are 160 MB.
  expect(grown).toBeLessThan(80e6);
  let noteAnnounced = () => {};
  const announced = new Promise<void>((resolve) => (noteAnnounced = resolve));
  const all = readLines(logged, (text) => {
    if (text.includes("the reader was too slow")) noteAnnounced();
  });
  // When the reader has taken all that waited.
  await announced;
  goOn();
  const read = parse(await all);
  expect(await exit).toBe(0);
  const dropped = read.flatMap(({ dropped: count }) => count ?? []);
  expect(dropped).toHaveLength(1);
  expect(read.filter(({ msg }) => msg === "line")).toHaveLength(lines - (dropped[0] ?? 0));
  expect(read.find((line) => line.dropped)?.msg).toBe(
    `${dropped[0]} log lines were dropped because the reader was too slow`,
  );
  expect(read.at(-1)?.msg).toBe("the last line");
});

test("a reader that is gone costs nothing, and the process lives on", async () => {
  const { logged, hear, goOn, exit } = run(`
    await told();
    await flood(20_000);
    say("alive");
    await told();
    process.exit(0);
  `);
  logged?.destroy();
  goOn();
  expect(await hear()).toBe("alive");
  goOn();
  expect(await exit).toBe(0);
});

test("a disk that is full does not end the process", async () => {
  const full = openSync("/dev/full", "w");
  const { hear, goOn, exit } = run(`await flood(20_000); say("alive"); await told(); process.exit(0);`, full);
  closeSync(full);
  expect(await hear()).toBe("alive");
  goOn();
  expect(await exit).toBe(0);
});

test("a process ends although its reader has stopped", async () => {
  const { exit } = run(`await flood(20_000); exitWith(3, "castellan: why");`);
  expect(await exit).toBe(3);
});

test("a slow reader has every line, and the reason last, of a process that ends at once", async () => {
  const { logged, hear, exit } = run(`
    say("begins");
    for (let n = 0; n < 1000; n += 1) log.info({ n, filling }, "line");
    exitWith(3, "castellan: why\\n");
  `);
  await hear();
  await sleep(200);
  const read = await readLines(logged);
  expect(await exit).toBe(3);
  expect(read.pop()).toBe("castellan: why");
  expect(parse(read).map(({ msg }) => msg)).toEqual(Array(1000).fill("line"));
});

test("nobody reads what the whole program says, and it goes on until it is asked to end", async () => {
  const home = await makeDataDirectory();
  const port = await freePort();
  const settings = { DATA_DIR: home.directory, LOG_LEVEL: "trace", PORT: String(port) };
  const program = runProgram(["api"], settings);
  try {
    program.child.stdout?.destroy();
    program.child.stderr?.destroy();
    const check = () => fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined);
    await expect.poll(async () => (await check())?.status, { timeout: 150_000 }).toBe(200);
    for (let calls = 0; calls < 50; calls += 1) expect((await check())?.status).toBe(200);
    expect(await program.end()).toBe(0);
  } finally {
    program.child.kill("SIGKILL");
    await home.remove();
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("a port is a number");
  return address.port;
}
