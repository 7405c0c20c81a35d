import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../config.ts";
import { AppError, asAppError } from "../errors.ts";
import { packageFolder } from "../package-folder.ts";
import type { Role } from "../start/role.ts";
import { plainOutput, showControls } from "../text/show-controls.ts";
import { explainWords, helpFor, wordsOf, writtenAs, type WrittenCommand } from "./usage.ts";

interface Command extends WrittenCommand {
  /** Gets the arguments. Loads its own part alone: most of the program is not needed to check a file. */
  run: (...given: string[]) => Promise<void>;
}

const runAs = (role: Role) => async () => {
  const config = parseConfig();
  const { runRole } = await import("./run-role.ts");
  await runRole(role, config);
};

const out = plainOutput(process.stdout);
const atTerminal = () => ({ input: process.stdin, out: process.stdout });

const commands: readonly Command[] = [
  {
    words: "setup",
    takes: "[--OPTION VALUE ...]",
    summary: "asks for what is needed for Discord and the live network; may be run again",
    async run(...given) {
      const { runSetup } = await import("./setup/run-setup.ts");
      process.exitCode = await runSetup(given, atTerminal());
    },
  },
  {
    words: "doctor",
    takes: "[--json]",
    summary: "says of everything that Castellan needs whether it works, and how to mend it",
    async run(...given) {
      const { runDoctor } = await import("./doctor.ts");
      process.exitCode = await runDoctor(given, out);
    },
  },
  {
    words: "key rotate",
    takes: "[--OPTION VALUE ...]",
    summary: "a new key for the bot: made, approved, and then used instead of the old one",
    async run(...given) {
      const { rotateKey } = await import("./setup/rotate-key.ts");
      process.exitCode = await rotateKey(given, atTerminal());
    },
  },
  { words: "start", summary: "everything in one process", run: runAs("start") },
  { words: "api", summary: "only the embedded network", run: runAs("api") },
  {
    words: "bot",
    summary: "only the gateway; shares a PostgreSQL server with other processes",
    run: runAs("bot"),
  },
  {
    words: "worker",
    summary: "only the background work; shares a PostgreSQL server with other processes",
    run: runAs("worker"),
  },
  {
    words: "sandbox",
    summary: "only the local Discord with its page",
    async run() {
      const { runSandbox } = await import("./run-sandbox.ts");
      await runSandbox(parseConfig());
    },
  },
  {
    words: "network import",
    takes: "FILE",
    summary: "sends a network file (- is standard input) to the running instance",
    async run(file) {
      const { importNetwork } = await import("./network-file.ts");
      await importNetwork(parseConfig(), file, process.stdout, process.stderr);
    },
  },
  {
    words: "network export",
    takes: "FILE",
    summary: "writes the running instance's network as a network file (- is standard output)",
    async run(file) {
      const { exportNetwork } = await import("./network-file.ts");
      await exportNetwork(parseConfig(), file, process.stdout);
    },
  },
  {
    words: "backup",
    takes: "FILE",
    summary: "writes a backup of the running instance (- is standard output)",
    async run(file) {
      const { backUp } = await import("./back-up.ts");
      await backUp(parseConfig(), file, process.stdout, process.stderr);
    },
  },
  {
    words: "backup --portable",
    takes: "FILE",
    summary: "the same for any later version, and for either kind of database",
    async run(file) {
      const { backUpPortable } = await import("./back-up.ts");
      await backUpPortable(parseConfig(), file, process.stdout, process.stderr);
    },
  },
  {
    words: "restore",
    takes: "FILE",
    summary: "makes a new DATA_DIR from a backup (- is standard input)",
    async run(file) {
      const { restoreBackup } = await import("./restore.ts");
      await restoreBackup(parseConfig(), file, out);
    },
  },
  {
    words: "rules check",
    takes: "FILE",
    summary: "reads a rule file and lists its mistakes (- is standard input)",
    async run(file) {
      const { checkRules } = await import("./rule-file.ts");
      await checkRules(file, out);
    },
  },
  {
    words: "rules schema",
    summary: "writes the JSON Schema of rule files, for editors",
    async run() {
      const { printRuleSchema } = await import("./rule-file.ts");
      printRuleSchema(out);
    },
  },
  {
    words: "rules test",
    takes: "FILE --channel ID [--server ID] [--days 7]",
    summary: "tries a rule file on what happened; nothing is done",
    async run(...given) {
      const { testRules } = await import("./test-rules.ts");
      await testRules(parseConfig(), given, out, process.stderr);
    },
  },
  {
    words: "history erase",
    takes: "FID",
    summary: "erases what a user wrote from everything that is stored, at their request",
    async run(fid) {
      const { eraseAuthor } = await import("./erase-author.ts");
      await eraseAuthor(parseConfig(), fid, out);
    },
  },
  {
    words: "help",
    takes: "[COMMAND]",
    summary: "this text, or how one command is written; so does --help after it",
    // Answered before any command is looked for.
    run: async () => {},
  },
  { words: "version", summary: "the version, as -v and --version say it", run: printVersion },
];

/**
 * Runs the command that the words after "castellan" say; without any, `start`. Words that are no command set the exit code
 * 2 and are answered on standard error. Throws what the command throws; `invalid_input` with how the command is written.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const asked = words.length === 0 ? ["start"] : words;
  if (asked.some((word) => word === "-v" || word === "--version")) return printVersion();
  const about = readHelp(asked);
  if (about) return explain(commands, about, helpFor(commands, about));
  const command = findCommand(commands, asked);
  if (!command) return explain(commands, asked, undefined);
  try {
    await command.run(...asked.slice(wordsOf(command).length));
  } catch (error) {
    const wrong = asAppError(error, "invalid_input");
    if (!wrong || command.takes === undefined) throw error;
    const message = `${wrong.message} Usage: ${writtenAs(command)}`;
    throw new AppError("invalid_input", message, { cause: error, mistakes: [...wrong.mistakes] });
  }
}

/** The words of which help is asked for: before `--help`, or after `help`. */
function readHelp(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === "--help" || word === "-h");
  if (at >= 0) return words.slice(0, at);
  return words[0] === "help" ? words.slice(1) : undefined;
}

function explain(commands: readonly Command[], words: readonly string[], help: string | undefined): void {
  if (help !== undefined) return void process.stdout.write(help);
  const given = words.filter((word) => word !== "");
  process.stderr.write(showControls(`castellan: ${explainWords(commands, given)}`));
  process.exitCode = 2;
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find((command) => {
    const own = wordsOf(command);
    return own.every((word, at) => word === words[at]) && fits(command, words.slice(own.length));
  });
}

function fits({ takes = "" }: Command, given: readonly string[]): boolean {
  if (takes.includes("--")) return true;
  const expected = takes === "" ? 0 : takes.split(" ").length;
  return given.length === expected && given.every((word) => word !== "" && !word.startsWith("--"));
}

async function printVersion(): Promise<void> {
  const manifest = await readFile(join(packageFolder(), "package.json"), "utf8");
  // Our own manifest has a version.
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
}
