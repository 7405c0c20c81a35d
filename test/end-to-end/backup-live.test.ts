import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openLiveSite, type LiveSite } from "../live/live-site.ts";
import { makeDataDirectory, runProgram } from "../support/program.ts";
import { findPort, hasServer } from "../support/services.ts";

// On a database server the command reads that.
const isEmbedded = !hasServer;

let site: LiveSite;
let home: Awaited<ReturnType<typeof makeDataDirectory>>;
beforeAll(async () => {
  [site, home] = await Promise.all([openLiveSite(), makeDataDirectory()]);
  site.settings["PORT"] = String(await findPort());
  await site.start();
}, 120_000);
afterAll(async () => {
  await site.close();
  await home.remove();
});

async function run(...words: string[]): Promise<[number, string]> {
  const command = runProgram(words, site.settings);
  return [await command.exit, command.output()];
}

it.runIf(isEmbedded)(
  "backs up an instance of the live network while it runs",
  { timeout: 120_000 },
  async () => {
    for (const words of [["backup"], ["backup", "--portable"]]) {
      const file = join(home.directory, `${words.length}.tar.gz`);
      expect(await run(...words, file)).toEqual([
        0,
        `${file} contains the data and the keys. Keep it secret.\n`,
      ]);
      const restored = { DATA_DIR: join(home.directory, `restored-${words.length}`) };
      const restore = runProgram(["restore", file], restored);
      expect([await restore.exit, restore.output()]).toEqual([
        0,
        expect.stringContaining("database, keys.json"),
      ]);
    }
  },
);

it.runIf(isEmbedded)("says why it has no network file", { timeout: 120_000 }, async () => {
  const [code, output] = await run("network", "export", "-");
  expect([code, output]).toEqual([1, expect.stringContaining("This process serves no network.")]);
});
