import { fileURLToPath } from "node:url";

export interface EntryPoint {
  file: string;
  /** For Node, when the file is still TypeScript (tests, development). */
  execArgv: string[];
}

/** A file to run in its own thread or process, compiled or not: `name`, next to the module `url`. */
export function entryPoint(url: string, name: string): EntryPoint {
  const source = url.endsWith(".ts");
  return {
    file: fileURLToPath(new URL(`./${name}${source ? ".ts" : ".js"}`, url)),
    execArgv: source ? ["--import", registerTypeScript()] : [],
  };
}

/** With its full address, because in Node 20 the bare name `tsx` registers itself in processes but not in threads. */
function registerTypeScript(): string {
  const tsx = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  return `data:text/javascript,${encodeURIComponent(`import { register } from ${tsx}; register();`)}`;
}
