import { Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { readTextFile } from "../../src/cli/text-file.ts";

afterEach(() => vi.restoreAllMocks());

function pipeIn(...chunks: string[]): void {
  const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as typeof process.stdin);
}

test("standard input is read to its end", async () => {
  pipeIn("fid\n12", "345\n");
  expect(await readTextFile("-", 100)).toBe("fid\n12345\n");
});

test("standard input that is too large is refused, not cut: a part of a fid is somebody else's", async () => {
  pipeIn("fid\n", "1234", "5\n");
  await expect(readTextFile("-", 7)).rejects.toMatchObject({
    code: "invalid_file",
    message: expect.stringMatching(/^Standard input is too large/),
  });
});
