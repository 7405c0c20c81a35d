import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const program = resolve(import.meta.dirname, "../../dist/src/main.js");

/** A role of the built program, in a process of its own. */
export interface CastellanProcess {
  /** Settles when it is up: what it serves, by name ("network", "sandbox"). Fails when it ends before. */
  ready: Promise<Record<string, string>>;
  /** Settles when it has ended, however it did. */
  exited: Promise<unknown>;
  kill(): Promise<void>;
  /** SIGTERM; gives the exit code. */
  stop(): Promise<number | null>;
  /** The last lines that it wrote. */
  output(): string;
}

const linesKept = 400;
/** What still runs when this process ends, because a test was cut off, ends with it. */
const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** Starts `castellan <role>` with these settings alone. Port 0 takes a free one. */
export function startCastellan(role: string, settings: Record<string, string>): CastellanProcess {
  if (!existsSync(program)) throw new Error("the program is not built: npm run build");
  const child = spawn(process.execPath, [program, role], {
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
