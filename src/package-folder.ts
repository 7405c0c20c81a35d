import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's root folder, compiled or not. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

export async function readVersion(): Promise<string> {
  const manifest = await readFile(join(packageFolder(), "package.json"), "utf8");
  // Our own manifest has a version.
  return (JSON.parse(manifest) as { version: string }).version;
}
