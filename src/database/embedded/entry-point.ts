import { fileURLToPath } from "node:url";

export interface EntryPoint {
  file: string;
  /** For Node, when the file is still TypeScript (tests, development). */
  execArgv: string[];
}

/** A file beside this one that runs in a thread or process of its own, whether built or not. */
export function entryPoint(name: string): EntryPoint {
  const source = import.meta.url.endsWith(".ts");
  return {
    file: fileURLToPath(new URL(`./${name}${source ? ".ts" : ".js"}`, import.meta.url)),
    execArgv: source ? ["--import", "tsx"] : [],
  };
}
