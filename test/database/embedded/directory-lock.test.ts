import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listenAtFile, lockDirectory } from "../../../src/database/embedded/directory-lock.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "castellan-test-"));
});
afterEach(() => rm(directory, { recursive: true }));

test.each(["linux", "darwin"] as const)("on %s a directory has one user at a time", async (platform) => {
  const unlock = await lockDirectory(directory, platform);
  await expect(lockDirectory(directory, platform)).rejects.toMatchObject({
    code: "directory_in_use",
    message: expect.stringContaining(`process ${process.pid} `),
  });
  await unlock();
  await (
    await lockDirectory(directory, platform)
  )();
  expect(await readdir(directory)).toEqual(platform === "linux" ? ["lock-secret"] : []);
});

test.each(["linux", "darwin"] as const)(
  "on %s the file that names the holder is never half written",
  async (platform) => {
    const seen = new Set<string>();
    const watch = { done: false };
    const locking = lockDirectory(directory, platform).then(async (unlock) => {
      await unlock();
      watch.done = true;
    });
    while (!watch.done) {
      // It comes and goes at any moment.
      const text = await readFile(join(directory, "in-use.json"), "utf8").catch(() => "{}");
      seen.add(text);
    }
    await locking;
    expect([...seen].filter((text) => !text.endsWith("}"))).toEqual([]);
  },
);

describe.runIf(process.platform === "linux")("a name that can be known", () => {
  let squatter: Server;
  beforeEach(async () => {
    squatter = createServer().listen(`\0castellan:${createHash("sha256").update(directory).digest("hex")}`);
    await once(squatter, "listening");
  });
  afterEach(() => squatter.close());

  test("keeps nobody out when another user takes it", async () => {
    const unlock = await lockDirectory(directory);
    expect((await stat(join(directory, "lock-secret"))).mode & 0o777).toBe(0o600);
    await unlock();
  });

  test("is given back though somebody stays connected to it", async () => {
    squatter.close();
    await once(squatter, "close");
    const unlock = await lockDirectory(directory);
    const visitor = connect(`\0castellan:${createHash("sha256").update(directory).digest("hex")}`);
    await once(visitor, "connect");
    await expect(unlock()).resolves.toBeUndefined();
    visitor.destroy();
    await (
      await lockDirectory(directory)
    )();
  });

  test("still tells of an earlier version that runs", async () => {
    const { pid } = process;
    await writeFile(join(directory, "in-use.json"), JSON.stringify({ pid, command: "castellan", since: "" }));
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "directory_in_use" });
  });
});

describe.runIf(process.platform === "linux")("a container, which does not see the names of others", () => {
  // As the other container has it.
  const listenAt = async (file: string) => {
    const server = createServer((socket) => socket.destroy()).listen(file);
    await once(server, "listening");
    return server;
  };

  test.each(["in-use.sock", "in-use.1a2b3c"])(
    "is kept out while a process in another one has %s",
    async (name) => {
      const other = await listenAt(join(directory, name));
      await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "directory_in_use" });
      other.close();
      await once(other, "close");
      await (
        await lockDirectory(directory)
      )();
    },
  );

  test("finds a directory with a running process taken", async () => {
    const unlock = await lockDirectory(directory);
    const [name = ""] = (await readdir(directory)).filter((one) => /^in-use\.[0-9a-f]{6}$/.test(one));
    const visitor = connect(join(directory, name));
    await once(visitor, "connect");
    visitor.destroy();
    await unlock();
    expect(await readdir(directory)).toEqual(["lock-secret"]);
  });

  /** Leaves a socket's file at which nobody answers. */
  const leaveFile = async (name: string) => {
    const [file, elsewhere] = [join(directory, name), join(directory, "left")];
    const killed = await listenAt(file);
    // Closing would remove it.
    await rename(file, elsewhere);
    killed.close();
    await once(killed, "close");
    await rename(elsewhere, file);
  };

  test("takes a directory whose process was killed", async () => {
    for (const name of ["in-use.sock", "in-use.1a2b3c"]) await leaveFile(name);
    const unlock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toMatchObject({ code: "directory_in_use" });
    await unlock();
    expect(await readdir(directory)).toEqual(["lock-secret"]);
  });

  test("never takes it together with another that starts at the same time", async () => {
    const late = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
      return listenAtFile(directory);
    };
    for (let turns = 0; turns < 40; turns += 1) {
      await leaveFile("in-use.1a2b3c");
      const found = await Promise.all([late(0), late(turns)]);
      expect(found.filter((one) => one?.isTaken === false).length).toBeLessThan(2);
      for (const one of found) {
        one?.server.close();
        await rm(one?.file ?? "", { force: true });
      }
    }
  });
});

test("where a pid file is the lock, it counts in every time zone", async () => {
  const unlock = await lockDirectory(directory, "darwin");
  vi.stubEnv("TZ", "Asia/Tokyo");
  try {
    await expect(lockDirectory(directory, "darwin")).rejects.toMatchObject({ code: "directory_in_use" });
  } finally {
    vi.unstubAllEnvs();
    await unlock();
  }
});

test.each([
  ["a process that ended", { pid: 2 ** 22 + 1, began: "long ago" }],
  ["an earlier process with the same number", { pid: process.pid, began: "long ago" }],
])("where a pid file is the lock, one of %s does not count", async (_whose, holder) => {
  await writeFile(join(directory, "in-use.json"), JSON.stringify({ ...holder, command: "", since: "" }));
  const unlock = await lockDirectory(directory, "darwin");
  expect(await readdir(directory)).toEqual(["in-use.json"]);
  await unlock();
});
