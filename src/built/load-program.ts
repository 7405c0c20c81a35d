import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, Script } from "node:vm";
import { setV8Flags } from "../v8-flags.ts";
import type * as Program from "./program.ts";

export interface LoadedProgram {
  program: typeof Program;
  /** Whether it came with code that was kept. */
  isKept: boolean;
  /** Keeps the code that V8 has made of it so far, for whoever loads it next. */
  keepCode: () => void;
}

/** Where the build puts the program: beside what loads it. */
const besideUs = new URL("./program.cjs", import.meta.url);

/**
 * Loads the program as the build made it, with the code that V8 made of it when it was built: to read and compile it anew takes a
 * quarter of a start. Where there is no such code, or other flags were given to V8, it is compiled anew.
 */
export function loadProgram(url = besideUs): LoadedProgram {
  setV8Flags();
  const file = fileURLToPath(url);
  const require = createRequire(url);
  // Node reads source maps of what it has loaded itself.
  if (process.sourceMapsEnabled)
    return { program: require(file) as typeof Program, isKept: false, keepCode: () => {} };
  // Code of V8 is of use to the same V8 alone.
  const codeFile = `${file}.${process.version}-${process.arch}.cache`;
  const cachedData = readCode(codeFile, file);
  // As Node wraps a module.
  const text = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, "latin1")}\n})`;
  const script = new Script(text, {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, require, module, file, dirname(file));
  return {
    program: module.exports as typeof Program,
    isKept: script.cachedDataRejected === false,
    keepCode() {
      const unfinished = `${codeFile}-unfinished`;
      writeFileSync(unfinished, script.createCachedData());
      renameSync(unfinished, codeFile);
    },
  };
}

/** V8 looks at flags, version and lengths, but takes what is kept of another text of the same length. */
function readCode(codeFile: string, file: string): Buffer | undefined {
  try {
    return statSync(codeFile).mtimeMs >= statSync(file).mtimeMs ? readFileSync(codeFile) : undefined;
  } catch {
    return undefined;
  }
}
