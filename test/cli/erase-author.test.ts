import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { eraseAuthor } from "../../src/cli/erase-author.ts";
import { parseConfig } from "../../src/config.ts";
import { makeFilledDirectory, type DataDirectory } from "../support/program.ts";

const home: DataDirectory = await makeFilledDirectory();
afterAll(() => home.remove());

async function erase(fid: string): Promise<string> {
  const out = new PassThrough();
  await eraseAuthor(parseConfig({ DATA_DIR: home.directory }), fid, out);
  out.end();
  return text(out);
}

test.each(["7", "123456789012345", "9007199254740991"])(
  "says that nothing of fid %s is stored",
  async (fid) => {
    expect(await erase(fid)).toBe(
      `Castellan has stored nothing about fid ${fid}, so nothing was erased. Is the number right?\n`,
    );
  },
);

test.each(["", "0", "07", "-1", "1.5", "1e3", "alice", "9007199254740992", "99999999999999999"])(
  "%j is no fid",
  async (fid) => {
    await expect(erase(fid)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("is not a fid"),
    });
  },
);
