import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { fillDirectory } from "./database-template.ts";

/** Where programs of this machine are looked for. */
export const searchPath: string = process.env["PATH"] ?? "";

const main = fileURLToPath(new URL("../../dist/src/main.js", import.meta.url));

/** Each empty where the program does not serve it. */
interface ProgramAddresses {
  network: string;
  sandbox: string;
  console: string;
  metrics: string;
}

/** A process of the built program. */
export interface Program {
  child: ChildProcess;
  /** Everything that it has printed. */
  output(): string;
  /** The addresses of its ready line; rejects when it ends before, with what it printed. */
  ready: Promise<ProgramAddresses>;
  /** Its exit code; -1 when a signal ended it. */
  exit: Promise<number>;
  /** Asks it to end and gives its exit code. */
  end(): Promise<number>;
}

/** How a program is run, where not as the test itself. */
interface Running {
  /** Of another place than this checkout. */
  file?: string;
  /** Niceness; and who runs it. */
  nice?: number;
  uid?: number;
}

/** Runs `castellan …` with these settings only; ports are free ones and the log is quiet unless said otherwise. */
export function runProgram(
  words: string[],
  settings: Record<string, string>,
  input?: string,
  { file = main, nice, uid }: Running = {},
): Program {
  if (!existsSync(file))
    throw new Error("The program is not built: npm run build, or npm test, which builds it.");
  const command = [...(nice === undefined ? [] : ["nice", "-n", String(nice)]), process.execPath, file];
  const [name = "", ...rest] = command;
  const child = spawn(name, [...rest, ...words], {
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      PATH: searchPath,
      PORT: "0",
      SANDBOX_PORT: "0",
      CONSOLE_PORT: "0",
      LOG_LEVEL: "warn",
      SANDBOX_TRAFFIC: "off",
      ...settings,
    },
    stdio: "pipe",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  child.stdin.end(input);
  const exit = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  const ready = new Promise<ProgramAddresses>((resolve, reject) => {
    child.stdout.on("data", () => {
      const line = /^castellan ready: .*$/m.exec(output)?.[0];
      if (!line) return;
      const [, network = ""] = /network (http:\S+?)(,|$)/.exec(line) ?? [];
      const [, sandbox = ""] = /sandbox (http:\S+?)(,|$)/.exec(line) ?? [];
      const [, console = ""] = /console (http\S+?)(,|$)/.exec(line) ?? [];
      const [, metrics = ""] = /metrics (http\S+?)(,|$)/.exec(line) ?? [];
      resolve({ network, sandbox, console, metrics });
    });
    void exit.then((code) => reject(new Error(`It ended with ${code}: ${output}`)));
  });
  // Whoever waits for the exit only does not ask whether it was ready.
  ready.catch(() => {});
  return {
    child,
    output: () => output,
    ready,
    exit,
    async end() {
      child.kill("SIGTERM");
      return exit;
    },
  };
}

export interface DataDirectory {
  directory: string;
  remove: () => Promise<void>;
}

/** An empty data directory of a test's own. */
export async function makeDataDirectory(): Promise<DataDirectory> {
  const directory = await mkdtemp(join(tmpdir(), "castellan-start-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

/** One with a migrated database, for programs whose first start is not what is looked at: it takes half as long. */
export async function makeFilledDirectory(): Promise<DataDirectory> {
  const made = await makeDataDirectory();
  await fillDatabase(made.directory);
  return made;
}

/** What makes one the operator of the instance that was started there. */
export async function readOperatorToken(directory: string): Promise<string> {
  return Keys.parse(JSON.parse(await readFile(join(directory, "keys.json"), "utf8"))).operatorToken;
}

const Keys = z.object({ operatorToken: z.string() });

/** Puts a migrated database into a data directory. */
export async function fillDatabase(directory: string): Promise<void> {
  const database = join(directory, "database");
  await mkdir(database, { recursive: true, mode: 0o700 });
  await fillDirectory(database);
}

/** A role of the built program, in a process of its own. */
export interface CastellanProcess {
  /** Settles when it is up: what it serves, by name ("network", "sandbox"). Fails when it ends before. */
  ready: Promise<Record<string, string>>;
  /** Settles when it has ended, however it did. */
  exited: Promise<unknown>;
  pid: number;
  signal(signal: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
  /** The last lines that it wrote. */
  output(): string;
}

const linesKept = 400;
/** What still runs when this process ends, because a test was cut off, ends with it. */
const running = new Set<ChildProcess>();
for (const event of ["exit", "SIGTERM"] as const) {
  process.once(event, () => {
    for (const child of running) child.kill("SIGKILL");
    if (event === "SIGTERM") process.exit();
  });
}

/** Starts `castellan <role>` with these settings alone. Port 0 takes a free one. */
export function startCastellan(role: string, settings: Record<string, string>): CastellanProcess {
  if (!existsSync(main)) throw new Error("the program is not built: npm run build");
  const child = spawn(process.execPath, [main, role], {
    env: { PATH: process.env["PATH"], LOG_LEVEL: "info", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  const exited = once(child, "exit");
  void exited.then(() => running.delete(child));
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > linesKept) lines.shift();
  };
  createInterface(child.stderr).on("line", keep);
  const ready = new Promise<Record<string, string>>((settle, fail) => {
    createInterface(child.stdout).on("line", (line) => {
      keep(line);
      if (line.startsWith("castellan ready:")) settle(readAddresses(line));
    });
    void exited.then(() => fail(new Error(`castellan ${role} ended:\n${lines.slice(-20).join("\n")}`)));
  });
  // Who kills it while it starts does not wait for it.
  ready.catch(() => {});
  return {
    ready,
    exited,
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
      return child.exitCode;
    },
    output: () => lines.join("\n"),
  };
}

function readAddresses(line: string): Record<string, string> {
  const found = line.matchAll(/(\w+) (http:\/\/[^\s,]+)/g);
  return Object.fromEntries([...found].map(([, name = "", address = ""]) => [name, address]));
}
