import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface Holder {
  pid: number;
  command: string;
  /** When the directory was taken, ISO 8601. */
  since: string;
  /** When the process began, as the system words it: tells it from a later process with the same number. */
  began: string | undefined;
}

export async function holderOf(pid: number): Promise<Holder> {
  return {
    pid,
    command: process.argv.slice(1).join(" "),
    since: new Date().toISOString(),
    began: await processBegan(pid),
  };
}

/** For systems without abstract sockets. Undefined when a living process has the file. */
export async function lockWithPidFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const content = JSON.stringify(await holderOf(process.pid));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await writeFile(file, content, { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (await isHeld(file)) return undefined;
    await rm(file, { force: true });
  }
  return undefined;
}

/** Whether the process that a holder's file names still lives. */
export async function isHeld(file: string): Promise<boolean> {
  try {
    // Only ever written by this folder; an unreadable file belongs to nobody who could still be asked.
    const holder = JSON.parse(await readFile(file, "utf8")) as Holder;
    process.kill(holder.pid, 0);
    return holder.began === undefined || holder.began === (await processBegan(holder.pid));
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function processBegan(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]);
    return stdout.trim() || undefined;
  } catch {
    // Without ps (Windows) the process number alone must do.
    return undefined;
  }
}
