import { loadProgram } from "./load-program.ts";

/** Stands in the build for `cli/run-main.ts`. */
export const { runMain } = loadProgram().program;
