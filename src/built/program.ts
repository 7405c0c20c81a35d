/** What the build puts into one file, `program.cjs`: all of the program but what runs in threads of its own. */
export { runMain } from "../cli/run-main.ts";
export { startAndStop } from "./start-and-stop.ts";
