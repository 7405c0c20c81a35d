import { PassThrough, Readable } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { importNetwork } from "../../src/cli/network-file.ts";
import { parseConfig } from "../../src/config.ts";

afterEach(() => vi.restoreAllMocks());

test("an empty standard input is no network file", async () => {
  vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([]) as typeof process.stdin);
  const out = new PassThrough() as unknown as NodeJS.WriteStream; // as a pipe
  const config = parseConfig({ PORT: "1", OPERATOR_TOKEN: "t".repeat(32) });
  await expect(importNetwork(config, "-", out, out)).rejects.toMatchObject({
    code: "invalid_file",
    message: "standard input is empty.",
  });
});
