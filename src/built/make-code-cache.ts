/** Starts the program that was built once, and keeps the code that V8 made of it beside it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProgram } from "./load-program.ts";

const directory = await mkdtemp(join(tmpdir(), "castellan-build-"));
try {
  const { program, keepCode } = loadProgram();
  await program.startAndStop(directory);
  keepCode();
} finally {
  await rm(directory, { recursive: true });
}
