/** Loads the program at a URL, says whether the code that was kept of it was taken, and runs a command of it. */
import { loadProgram } from "../../src/built/load-program.ts";

const [, , url = "", keeps] = process.argv;
const { program, isKept, keepCode } = loadProgram(new URL(url));
process.stdout.write(`${isKept ? "kept" : "compiled"} `);
await program.runMain(["version"]);
if (keeps) keepCode();
