import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import { createChannelGuilds } from "../../src/start/channel-guilds.ts";
import { collectLog } from "../support/log.ts";

const folder = mkdtempSync(join(tmpdir(), "castellan-guilds-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, "guilds");
const log = collectLog();

const open = (more: Record<string, string> = {}) =>
  createChannelGuilds(parseConfig({ CHANNEL_GUILDS_FILE: path, ...more }), log.log);
const shown = (guilds: ReturnType<typeof open>) =>
  Object.fromEntries([...guilds()].map(([channel, ids]) => [channel, [...ids]]));

beforeEach(() => {
  log.lines.length = 0;
  writeFileSync(path, "memes:12345 # the club\n\nart:12345, art:67890\n");
});

test("the servers of the file and of the setting may link their channels", () => {
  expect(shown(open({ CHANNEL_GUILDS: "memes:11111" }))).toEqual({
    memes: ["11111", "12345"],
    art: ["12345", "67890"],
  });
});

test("a change of the file counts at once, also where another file takes its place", () => {
  const guilds = open();
  writeFileSync(path, "art:67890\n");
  expect(shown(guilds)).toEqual({ art: ["67890"] });
  writeFileSync(`${path}.new`, "pit:67890\n");
  renameSync(`${path}.new`, path);
  expect(shown(guilds)).toEqual({ pit: ["67890"] });
  writeFileSync(path, "");
  expect(shown(guilds)).toEqual({});
  expect(log.lines.filter(({ msg }) => String(msg).includes("contents are in effect"))).toHaveLength(3);
});

test("a file with a mistake, or without a file, leaves what it said last, and the log says why, once", () => {
  const guilds = open();
  writeFileSync(path, "memes 12345");
  for (let look = 0; look < 3; look += 1) expect(shown(guilds)).toMatchObject({ memes: ["12345"] });
  expect(log.lines.map(({ msg }) => msg)).toEqual([
    "CHANNEL_GUILDS_FILE cannot be used; its previous contents stay in effect",
  ]);
  rmSync(path);
  expect(shown(guilds)).toMatchObject({ memes: ["12345"] });
  expect(log.lines).toHaveLength(2);
  writeFileSync(path, "memes:67890");
  expect(shown(guilds)).toEqual({ memes: ["67890"] });
});

test("a file that cannot be used at the start is a mistake of the configuration, told with its reason", () => {
  writeFileSync(path, "memes:12345\nART:12345");
  expect(() => open()).toThrow(
    expect.objectContaining({
      code: "invalid_configuration",
      mistakes: [{ path: "CHANNEL_GUILDS_FILE", message: expect.stringContaining('not "ART:12345"') }],
    }),
  );
  rmSync(path);
  const message = `names ${path}, which cannot be used: there is no such file or directory`;
  expect(() => open()).toThrow(
    expect.objectContaining({
      code: "invalid_configuration",
      mistakes: [{ path: "CHANNEL_GUILDS_FILE", message }],
    }),
  );
});
