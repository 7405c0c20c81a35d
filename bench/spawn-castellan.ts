import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Launch {
  checkout: string;
  /** `start`, `api`, … */
  role: string;
  env: Record<string, string>;
  /** Destination of its output. */
  stdout: "ignore" | "pipe";
}

/** Starts a built checkout's program with the Node options of its own `npm start`. */
export function spawnCastellan({ checkout, role, env, stdout }: Launch): ChildProcess {
  const { scripts } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(" ").filter((word) => word !== "exec");
  const begins = words.indexOf("node");
  const settings = Object.fromEntries(words.slice(0, begins).map((word) => word.split("=")));
  return spawn(process.execPath, [...words.slice(begins + 1, -1), role], {
    cwd: checkout,
    env: { ...process.env, ...settings, ...env },
    stdio: ["ignore", stdout, "inherit"],
  });
}
