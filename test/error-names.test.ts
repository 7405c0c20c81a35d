import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Names of the classes of errors in a source; the bundler writes some as `Name = class extends Error`. */
const errorsIn = (source: string) =>
  Array.from(
    source.matchAll(/\bclass (\w+) extends \w*Error\b|\b(\w+)\s*=\s*class extends \w*Error\b/g),
    ([, declared, assigned]) => declared ?? assigned ?? "",
  );

it("errors of the built program are called as in the sources: logs say by which class they were made", async () => {
  const files = await readdir(join(root, "src"), { recursive: true });
  const sources = await Promise.all(
    // The names of pages' classes are shortened, and in no log.
    files
      .filter((name) => name.endsWith(".ts") && !/[\\/](page|kit)[\\/]/.test(name))
      .map((name) => readFile(join(root, "src", name), "utf8")),
  );
  const bundles = (await readdir(join(root, "dist/src"))).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(bundles.map((name) => readFile(join(root, "dist/src", name), "utf8")));
  const built = new Set(texts.flatMap(errorsIn));
  const own = sources.flatMap(errorsIn);
  expect(own).toContain("AppError");
  expect(own.filter((name) => !built.has(name))).toEqual([]);
});
