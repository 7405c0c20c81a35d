// @ts-nocheck
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareTemplateFile, templateFile } from "./database-template.ts";

/** Puts a migrated database into a data directory, sooner than a first start would make one. */
export async function fillDirectory(directory: string): Promise<void> {
  await prepareTemplateFile();
  const files = join(directory, "postgres");
  await mkdir(files, { mode: 0o700 });
  await promisify(execFile)("tar", ["-xf", templateFile(), "-C", files]);
}
