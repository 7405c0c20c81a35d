import { fileURLToPath } from "node:url";

export interface EntryPoint {
  file: string;
  /** For Node, when the file is still TypeScript (tests, development). */
  execArgv: string[];
}

/** A file that runs in a thread or process of its own, whether built or not: `name` beside the module `url`. */
export function entryPoint(url: string, name: string): EntryPoint {
  const source = url.endsWith(".ts");
  return {
    file: fileURLToPath(new URL(`./${name}${source ? ".ts" : ".js"}`, url)),
    execArgv: source ? ["--import", registerTypeScript()] : [],
  };
}

/** Said in full, because tsx by its name alone registers itself in processes but not in threads (Node 20). */
function registerTypeScript(): string {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `data:text/javascript,${encodeURIComponent(`import { register } from ${tsx}; register();`)}`;
}
