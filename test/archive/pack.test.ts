import { execFile } from "node:child_process";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  statfs,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveEnd, checksumOf, packContent, packDirectory, packFile } from "../../src/archive/pack.ts";
import { unpack } from "../../src/archive/unpack.ts";

let home: string;
let target: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "castellan-archive-"));
  target = join(home, "target");
  await mkdir(target);
});
afterEach(() => rm(home, { recursive: true }));

const sizes = [0, 1, 511, 512, 513, 200_000];

async function* archive(): AsyncGenerator<Uint8Array> {
  yield packDirectory("deep/empty");
  for (const size of sizes) {
    await writeFile(join(home, String(size)), Buffer.alloc(size, `${size} `));
    yield* packFile(`deep/${size}`, join(home, String(size)));
  }
  yield* packFile("gone", join(home, "gone"));
  yield packContent("notes", Buffer.from("kept"));
  yield archiveEnd;
}

/** The bytes in pieces of this size, which cut headers and contents anywhere. */
function inPieces(bytes: Uint8Array, size: number): Readable {
  const count = Math.ceil(bytes.length / size);
  return Readable.from(
    Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)),
  );
}

const packed = async () => Buffer.concat(await Readable.from(archive()).toArray());

/** Names and contents of what was unpacked. */
async function readTarget(): Promise<Record<string, Buffer | string[]>> {
  const read = async (name: string) => [name, await readFile(join(target, name))] as const;
  const names = ["notes", ...sizes.map((size) => `deep/${size}`)];
  const folders = {
    "": (await readdir(target)).toSorted(),
    deep: (await readdir(join(target, "deep"))).toSorted(),
  };
  return { ...Object.fromEntries(await Promise.all(names.map(read))), ...folders };
}

const whole = {
  "": ["deep", "notes"],
  deep: [...sizes.map(String), "empty"].toSorted(),
  notes: Buffer.from("kept"),
  ...Object.fromEntries(sizes.map((size) => [`deep/${size}`, Buffer.alloc(size, `${size} `)])),
};

describe("an archive", () => {
  it.each([100, 512, 70_000])("comes out as it went in, in pieces of %i bytes", async (size) => {
    await unpack(inPieces(await packed(), size), target);
    expect(await readTarget()).toEqual(whole);
  });

  it("is one that tar reads", async () => {
    await writeFile(join(home, "archive.tar"), await packed());
    await promisify(execFile)("tar", ["-xf", join(home, "archive.tar"), "-C", target]);
    expect(await readTarget()).toEqual(whole);
  });

  it("has a file as long as it was when its turn came, whatever is written or cut off meanwhile", async () => {
    const file = join(home, "busy");
    for (const change of [() => appendFile(file, "more"), () => truncate(file, 70_000)]) {
      await writeFile(file, Buffer.alloc(100_000, "x"));
      const parts: Uint8Array[] = [];
      for await (const part of packFile("busy", file)) {
        if (parts.length === 0) await change();
        parts.push(part);
      }
      await unpack(Readable.from([...parts, archiveEnd]), target);
      expect((await readFile(join(target, "busy"))).length).toBe(100_000);
      await rm(join(target, "busy"));
    }
  });

  it("that ends too early is refused, wherever it ends", async () => {
    const all = await packed();
    for (const length of [0, 100, 512, 1000, 1024, 1500, 100_000, all.length - 1025]) {
      await expect(
        unpack(inPieces(all.subarray(0, length), 512), join(target, String(length))),
      ).rejects.toMatchObject({ code: "invalid_file", message: expect.stringContaining("ends too early") });
    }
  });

  it.each(["../out", "/etc/out", "a/../../out", "a//b", "a/./b", "..\\out"])(
    "with the name %s is refused, and writes nothing",
    async (name) => {
      const entry = packContent(name, Buffer.from("bad"));
      await expect(unpack(Readable.from([entry, archiveEnd]), target)).rejects.toMatchObject({
        code: "invalid_file",
        message: expect.stringContaining("leads out of the directory"),
      });
      expect(await readdir(target)).toEqual([]);
      expect(await readdir(home)).toEqual(["target"]);
    },
  );

  it("with a link, a wrong checksum, the same file twice, or anything behind its end is refused", async () => {
    const good = packContent("notes", Buffer.from("kept"));
    const link = Buffer.from(good);
    link.write("2", 156);
    link.write(checksumOf(link.subarray(0, 512)).toString(8).padStart(6, "0"), 148);
    const wrong = Buffer.from(good);
    wrong.write("x", 0);
    const all: [Uint8Array[], string][] = [
      [[link, archiveEnd], "not a plain file"],
      [[wrong, archiveEnd], "checksum"],
      [[good, good, archiveEnd], "cannot be written"],
      [[good, archiveEnd, good], "follows its end"],
    ];
    for (const [parts, reason] of all) {
      await expect(unpack(Readable.from(parts), target)).rejects.toMatchObject({
        code: "invalid_file",
        message: expect.stringContaining(reason),
      });
      await rm(join(target, "notes"), { force: true });
    }
  });
});

describe("an archive that would unpack to more than there is room for", () => {
  const limits = { spare: 0, entries: 100 };

  it("is refused for one small file that cannot be written, however many follow", async () => {
    async function* twice() {
      for (const path of ["same", "same", ...Array.from({ length: 60 }, (_, index) => `file-${index}`)])
        yield packContent(path, Buffer.from("some"));
      yield archiveEnd;
    }
    await expect(unpack(twice(), target)).rejects.toThrow("same cannot be written");
  });

  it("is refused before a file is begun that the disk cannot hold", async () => {
    const all = inPieces(await packed(), 1000);
    await expect(unpack(all, target, { ...limits, spare: Number.MAX_SAFE_INTEGER })).rejects.toThrow(
      /too full for this backup: deep\/0 needs 0 MB, but only 0 MB are free/,
    );
    expect(await readdir(join(target, "deep"))).toEqual(["empty"]);
  });

  it("is refused at the size that a header claims, whatever follows", async () => {
    const header = packContent("notes", Buffer.from("kept")).subarray(0, 512);
    header.write("77777777777\0", 124, "latin1");
    header.write("        ", 148, "latin1");
    header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
    const { bavail, bsize } = await statfs(target);
    const spare = Math.max(0, bavail * bsize - 1024 ** 3);
    await expect(unpack(Readable.from([header]), target, { ...limits, spare })).rejects.toThrow(
      /notes needs 8191 MB/,
    );
    expect(await readdir(target)).toEqual([]);
  });

  it("is refused at too many files, and at zeros without end", async () => {
    await expect(unpack(inPieces(await packed(), 1000), target, { ...limits, entries: 3 })).rejects.toThrow(
      "more than 3 files",
    );
    let given = 0;
    function* zeros() {
      yield archiveEnd;
      for (; given < 64; given++) yield Buffer.alloc(1024 * 1024);
    }
    await expect(unpack(Readable.from(zeros()), target, limits)).rejects.toThrow("something follows its end");
    expect(given).toBeLessThan(64);
  });
});
