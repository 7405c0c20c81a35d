import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../support/program.ts";

/** What the image's last stage takes along, by its Dockerfile. */
const dockerfile = await readFile("Dockerfile", "utf8");
const lastStage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
const copies = [...lastStage.matchAll(/^COPY (?:--from=build \/castellan\/)?(\S+) (\S+)$/gm)].map(
  ([, from = "", to = ""]) => [from, to] as const,
);

let image: string;
beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), "castellan-image-"));
  for (const [from, to] of copies) {
    const target = to.endsWith("/") ? join(image, to, from) : join(image, to);
    await cp(from, target, { recursive: true });
  }
});
afterAll(() => rm(image, { recursive: true }));

test("what is in the image is enough to start all of Castellan, with its page", async () => {
  const data = join(image, "data");
  const program = runProgram(["start"], { DATA_DIR: data }, undefined, {
    file: join(image, "dist/src/main.js"),
  });
  try {
    const { network, sandbox } = await program.ready;
    expect((await fetch(`${network}/healthcheck`)).status).toBe(200);
    for (const path of ["reference", "reference/reference.js", "reference/scalar.js", "openapi.json"]) {
      const answer = await fetch(`${network}/${path}`);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const page = await (await fetch(sandbox)).text();
    const [, first = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    const seen = new Set<string>();
    const follow = async (url: string): Promise<void> => {
      if (seen.has(url)) return;
      seen.add(url);
      const response = await fetch(url);
      expect([url, response.status]).toEqual([url, 200]);
      const imports = (await response.text()).matchAll(/(?:from|import)\s*"([./][^"]+)"/g);
      await Promise.all([...imports].map(([, path = ""]) => follow(new URL(path, url).href)));
    };
    await follow(new URL(first, sandbox).href);
    const libraries = [...seen].filter((url) => url.includes("/modules/"));
    expect(libraries).toHaveLength(4);
  } finally {
    await program.end();
  }
});
