import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "../config.ts";
import { AppError, asAppError } from "../errors.ts";
import { packageFolder } from "../package-folder.ts";
import type { Role } from "../start/role.ts";
import { findNear } from "../text/suggest.ts";

interface Command {
  /** What follows "castellan". */
  words: string;
  /** The arguments, as usage shows them. A command with options reads them itself, and says what is wrong with them. */
  takes?: string;
  summary: string;
  /** Gets the arguments. Loads its own part alone: most of the program is not needed to check a file. */
  run: (...given: string[]) => Promise<void>;
}

const runAs = (role: Role) => async () => {
  const config = parseConfig();
  const { runRole } = await import("./run-role.ts");
  await runRole(role, config);
};

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
      process.exitCode = await runDoctor(given, process.stdout);
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
      await importNetwork(parseConfig(), file, process.stdout);
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
      await restoreBackup(parseConfig(), file, process.stdout);
    },
  },
  {
    words: "rules check",
    takes: "FILE",
    summary: "reads a rule file and lists its mistakes (- is standard input)",
    async run(file) {
      const { checkRules } = await import("./rule-file.ts");
      await checkRules(file, process.stdout);
    },
  },
  {
    words: "rules schema",
    summary: "writes the JSON Schema of rule files, for editors",
    async run() {
      const { printRuleSchema } = await import("./rule-file.ts");
      printRuleSchema(process.stdout);
    },
  },
  {
    words: "rules test",
    takes: "FILE --channel ID [--server ID] [--days 7]",
    summary: "tries a rule file on what happened; nothing is done",
    async run(...given) {
      const { testRules } = await import("./test-rules.ts");
      await testRules(parseConfig(), given, process.stdout, process.stderr);
    },
  },
  {
    words: "history erase",
    takes: "FID",
    summary: "erases what a user wrote from everything that is stored, at their request",
    async run(fid) {
      const { eraseAuthor } = await import("./erase-author.ts");
      await eraseAuthor(parseConfig(), fid, process.stdout);
    },
  },
  {
    words: "help",
    summary: "this text; --help after a command shows that command",
    run: async () => void process.stdout.write(usage()),
  },
  { words: "version", summary: "the version", run: printVersion },
];

/**
 * Runs the command that the words after "castellan" say; without any, `start`. Words that are no command set the exit code
 * 2 and are answered on standard error. Throws what the command throws; `invalid_input` with how the command is written.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const helpAt = words.findIndex((word) => word === "--help" || word === "-h");
  if (helpAt >= 0) return void process.stdout.write(helpFor(words.slice(0, helpAt)));
  const command = findCommand(words);
  if (!command) {
    process.stderr.write(explainWords(words.filter((word) => word !== "")));
    process.exitCode = 2;
    return;
  }
  try {
    await command.run(...words.slice(wordsOf(command).length));
  } catch (error) {
    const wrong = asAppError(error, "invalid_input");
    if (!wrong || command.takes === undefined) throw error;
    const message = `${wrong.message} Usage: ${writtenAs(command)}`;
    throw new AppError("invalid_input", message, { cause: error, mistakes: [...wrong.mistakes] });
  }
}

function findCommand(words: readonly string[]): Command | undefined {
  const [only = "start"] = words;
  if (words.length <= 1) {
    const name = only === "-v" || only === "--version" ? "version" : only;
    return commands.find((command) => command.words === name && fits(command, []));
  }
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

function wordsOf({ words }: Command): string[] {
  return words.split(" ");
}

function writtenAs({ words, takes = "" }: Command): string {
  return `castellan ${words} ${takes}`.trimEnd();
}

function lineOf(command: Command): string {
  return `${writtenAs(command).padEnd(32)}  ${command.summary}\n`;
}

function usage(): string {
  const lines = commands.map(lineOf).join("");
  return `${lines}Settings come from the environment; .env.example explains each.\n`;
}

/** The usage of one command or group, whatever arguments follow; all of it where there is none of that name. */
function helpFor(words: readonly string[]): string {
  const found = commands.filter((command) =>
    wordsOf(command).every((word, at) => at >= words.length || word === words[at]),
  );
  return words.length === 0 || found.length === 0 ? usage() : found.map(lineOf).join("");
}

/** Why words are no command: an argument is missing, or something near is meant, or nothing that is known. */
function explainWords(words: readonly string[]): string {
  const begun = commands.filter((command) => words.every((word, at) => word === wordsOf(command)[at]));
  if (begun.length > 0) return `castellan: missing argument. Usage:\n${begun.map(lineOf).join("")}`;
  const names = commands.map((command) => command.words);
  // What follows a name may be its arguments.
  const near = [words.slice(0, 2), words.slice(0, 1)]
    .map((some) => findNear(some.join(" "), names))
    .find((name) => name !== undefined && name !== words.slice(0, name.split(" ").length).join(" "));
  const unknown = `castellan: there is no command "${words.join(" ")}"`;
  if (near === undefined) return `${unknown}.\n\n${usage()}`;
  return `${unknown}; did you mean "${near}"?\n${helpFor(near.split(" "))}`;
}

async function printVersion(): Promise<void> {
  const manifest = await readFile(join(packageFolder(), "package.json"), "utf8");
  // Our own manifest has a version.
  process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
}
