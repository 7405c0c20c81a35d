// @ts-nocheck
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { holderOf, lockWithPidFile, type Holder } from "./pid-file-lock.ts";

/**
 * Makes this process the directory's only user until the returned function is called or the process dies, however it
 * dies. Throws `directory_in_use`, naming the process that has it. Two processes on one directory would lose writes.
 */
export async function lockDirectory(
  directory: string,
  platform = process.platform,
): Promise<() => Promise<void>> {
  const path = await realpath(directory);
  const holderFile = join(path, "in-use.json");
  if (platform !== "linux") {
    const release = await lockWithPidFile(holderFile);
    if (!release) throw inUse(directory, await readHolder(holderFile));
    return release;
  }
  const server = createServer();
  try {
    // An abstract socket: it has no file, and the kernel frees its name when the process ends.
    server.listen(`\0castellan:${createHash("sha256").update(path).digest("hex")}`);
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw inUse(directory, await readHolder(holderFile));
    }
    throw error;
  }
  server.unref();
  await writeFile(holderFile, JSON.stringify(await holderOf(process.pid)));
  return async () => {
    await rm(holderFile, { force: true });
    server.close();
    await once(server, "close");
  };
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    // Only ever written by this module; a half-written or missing file merely makes the message poorer.
    return JSON.parse(await readFile(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

function inUse(directory: string, holder: Holder | undefined): AppError {
  const who = holder
    ? `by process ${holder.pid} (${holder.command}) since ${holder.since}`
    : "by another process";
  return new AppError(
    "directory_in_use",
    `The data directory ${directory} is already in use ${who}. Stop that process, or choose another directory.`,
  );
}
