/** Loads the program at a URL, says whether the code that was kept of it was taken, and runs a command of it. */
import { loadProgram } from "../../src/built/load-program.ts";

const [, , url = "", asked] = process.argv;
const { program, isKept, keepCode } = loadProgram(new URL(url));
process.stdout.write(`${isKept ? "kept" : "compiled"} `);
await program.runMain(["version"]);
if (asked === "keeps") keepCode();
if (asked === "fails") {
  const directory = 5 as unknown as string;
  await program.startAndStop(directory).catch((error: Error) => process.stdout.write(`${error.stack}`));
}
