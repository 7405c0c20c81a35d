// @ts-nocheck
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
    execArgv: source ? ["--import", registerTypeScript()] : [],
  };
}

/** Said in full, because tsx by its name alone registers itself in processes but not in threads (Node 20). */
function registerTypeScript(): string {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `data:text/javascript,${encodeURIComponent(`import { register } from ${tsx}; register();`)}`;
}
