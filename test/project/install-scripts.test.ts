import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const Lock = z.object({
  packages: z.record(z.string(), z.looseObject({ hasInstallScript: z.boolean().optional() })),
});
const Package = z.looseObject({ allowScripts: z.record(z.string(), z.boolean()) });
const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

it("package.json decides on every dependency's install script, so that npm does not ask for it", () => {
  const { packages } = Lock.parse(read("package-lock.json"));
  const names = Object.entries(packages).flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace(/^.*node_modules\//, "")] : [],
  );
  expect(Object.keys(Package.parse(read("package.json")).allowScripts).toSorted()).toEqual(names.toSorted());
});
