// @ts-nocheck
import { join } from "node:path";
import { packageFolder } from "../../package-folder.ts";

/** Where the files of a page of the network's server lie. */
export function pageFolder(name: string): string {
  return join(packageFolder(), "src", "api", "http", name);
}
