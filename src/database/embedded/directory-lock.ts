import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { link, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { AppError } from "../../errors.ts";

/**
 * Makes this process the directory's only user until the returned function is called or the process dies in any way.
 * Throws `directory_in_use`, naming the process that has it. With two processes in one directory, writes would be lost.
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
  // Abstract sockets have no file, and the kernel frees their names when the process ends.
  const socket = await listen(abstractName(path + (await readSecret(path))));
  if (!socket) throw inUse(directory, await readHolder(holderFile));
  // Containers do not see each other's abstract names, but they see the directory's files.
  const inFile = await listenAtFile(path);
  // The name that earlier versions use. Any process could take it, so it counts only while one of ours holds it.
  const earlier = await listen(abstractName(path));
  const release = async () => {
    if (inFile) await rm(inFile.file, { force: true });
    for (const each of [socket, inFile?.server, earlier]) await close(each);
  };
  if (inFile?.isTaken || (!earlier && (await isHeld(holderFile)))) {
    await release();
    throw inUse(directory, await readHolder(holderFile));
  }
  const held = describeHolder();
  await writeAtOnce(holderFile, held, rename);
  // Asking the system starts a process; nothing waits for it, because the lock is already held.
  const noting = processBegan(held.pid)
    .then((began) => writeAtOnce(holderFile, { ...held, began }, rename))
    .catch(() => {});
  return async () => {
    await noting;
    await rm(holderFile, { force: true });
    await release();
  };
}

function abstractName(text: string): string {
  return `\0castellan:${hash(text)}`;
}

/** Undefined if the path or abstract name is in use. */
async function listen(path: string): Promise<Server | undefined> {
  // Only the name matters. An open connection would keep the server from closing, so each is closed at once.
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(path);
    await once(server, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  return server.unref();
}

/** Bytes in a socket's path; libuv cuts a longer one. */
const maxSocketPath = 107;
/** The name without random part is that of earlier versions. */
const socketFile = /^in-use\.(sock|[0-9a-f]{6})$/;

/**
 * Listens at a new file of the directory, and then looks whether another process answers at one (`isTaken`). Each listens
 * first, so of two that begin at once at least one finds the other. A killed process leaves its file. It can be removed,
 * because no process uses its name again. Undefined if the file system has no sockets, or the path is too long for one.
 */
export async function listenAtFile(
  directory: string,
): Promise<{ server: Server; file: string; isTaken: boolean } | undefined> {
  const name = `in-use.${randomBytes(3).toString("hex")}`;
  const [file, unseen] = [join(directory, name), join(directory, `.${name}`)];
  if (Buffer.byteLength(unseen) > maxSocketPath) return undefined;
  try {
    const server = await listen(unseen);
    if (!server) return undefined;
    // Others see it only now, when it answers.
    await rename(unseen, file);
    const others = (await readdir(directory)).filter((other) => socketFile.test(other) && other !== name);
    let isTaken = false;
    for (const other of others) {
      if (await answers(join(directory, other))) isTaken = true;
      else await rm(join(directory, other), { force: true });
    }
    return { server, file, isTaken };
  } catch {
    return undefined;
  }
}

async function answers(file: string): Promise<boolean> {
  const client = connect(file);
  try {
    await once(client, "connect");
    return true;
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}

async function close(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  server.close();
  await once(server, "close");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Makes the name unpredictable, so that the machine's other users cannot take it to lock us out. */
async function readSecret(directory: string): Promise<string> {
  const file = join(directory, "lock-secret");
  await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600, flush: true }).catch(
    (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    },
  );
  // Another process may just have created the file and not have written it yet.
  for (let look = 0; look < 50; look += 1) {
    const secret = await readFile(file, "utf8");
    if (secret.length === 64) return secret;
    await sleep(20);
  }
  throw new AppError(
    "database_unavailable",
    `${file} is damaged. Remove it while nothing uses the directory.`,
  );
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    // Only this module writes the file; without it the message only has less detail.
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

interface Holder {
  pid: number;
  command: string;
  /** When the lock was taken, ISO 8601. */
  since: string;
  /** Start time of the process in the system's words, to distinguish it from a later process with the same number. */
  began?: string | undefined;
}

function describeHolder(): Holder {
  return { pid: process.pid, command: process.argv.slice(1).join(" "), since: new Date().toISOString() };
}

/** Writes a file atomically. `rename` replaces an existing file, `link` fails with EEXIST. */
async function writeAtOnce(file: string, holder: Holder, place: typeof rename): Promise<void> {
  const part = `${file}.${randomBytes(8).toString("hex")}`;
  try {
    await writeFile(part, JSON.stringify(holder));
    await place(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/** For systems without abstract sockets. Undefined if a running process has the file. */
async function lockWithPidFile(file: string): Promise<(() => Promise<void>) | undefined> {
  const held = describeHolder();
  const holder = { ...held, began: await processBegan(held.pid) };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await writeAtOnce(file, holder, link);
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    if (await isHeld(file)) return undefined;
    await rm(file, { force: true });
  }
  return undefined;
}

/** Whether the process in a holder's file is still running. */
async function isHeld(file: string): Promise<boolean> {
  try {
    // Only this module writes the file; an unreadable one has no owner to check.
    const holder = JSON.parse(await readFile(file, "utf8")) as Holder;
    process.kill(holder.pid, 0);
    return holder.began === undefined || holder.began === (await processBegan(holder.pid));
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function processBegan(pid: number): Promise<string | undefined> {
  try {
    // Every process has to read the same words, whatever its locale and time zone.
    const ps = ["LC_ALL=C", "TZ=UTC", "ps", "-o", "lstart=", "-p", String(pid)];
    const { stdout } = await promisify(execFile)("env", ps);
    return stdout.trim() || undefined;
  } catch {
    // Without ps (Windows), the process number has to suffice.
    return undefined;
  }
}
