import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A fault, put into one file of the product. */
export interface Replacement {
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
}

/** The project in a folder of its own, where a fault does no harm. */
export interface Copy {
  root: string;
  /** Runs with the fault in its file, and puts the file back. Throws where the words are not there, or more than once. */
  withFault<T>(fault: Replacement, run: () => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

const copied = ["src", "commands", "workers", "test", "docs", "dist", "build.js", "build-pages.js"];
const settings = ["package.json", "tsconfig.json", "vitest.config.ts"];

export async function copyProject(): Promise<Copy> {
  const root = await mkdtemp(join(tmpdir(), "castellan-proof-"));
  // Not everybody has built it.
  for (const name of [...copied, ...settings].filter((one) => existsSync(one))) {
    await cp(join(process.cwd(), name), join(root, name), { recursive: true });
  }
  await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
  return {
    root,
    async withFault(fault, run) {
      const path = join(root, fault.file);
      const source = await readFile(path, "utf8");
      await writeFile(path, applyFault(source, fault));
      try {
        return await run();
      } finally {
        await writeFile(path, source);
      }
    },
    remove: () => rm(root, { recursive: true }),
  };
}

export function applyFault(source: string, { file, from, to }: Replacement): string {
  const [before, after, ...more] = source.split(from);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} does not have once: ${from}`);
  }
  return before + to + after;
}
