import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the files of a page lie. They are served as they are written: in src also when this file runs compiled. */
export function pageFolder(name: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return join(folder, "src", "api", "http", name);
}
