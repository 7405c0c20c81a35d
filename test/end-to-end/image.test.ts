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
    const files = [...page.matchAll(/(?:src|href)="([^"#]+\.(?:js|css))"/g)].map(([, path = ""]) => path);
    expect(files.map((path) => path.replace(/.*\./, "")).toSorted()).toEqual(["css", "js"]);
    for (const path of files) {
      const answer = await fetch(new URL(path, sandbox));
      expect([path, answer.status, (await answer.text()).length > 1000]).toEqual([path, 200, true]);
    }
  } finally {
    await program.end();
  }
});
