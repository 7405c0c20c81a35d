import { Command, CommanderError, InvalidArgumentError } from "commander";
import { parseConfig } from "../config.ts";
import { AppError, asAppError } from "../errors.ts";
import { readVersion } from "../package-folder.ts";
import type { Role } from "../start/role.ts";
import { plainOutput, showControls } from "../text/show-controls.ts";
import { addSetupOptions, readSetupOptions } from "./setup/setup-options.ts";

/** The exit code of words that are no command, or not all of one. */
const misused = 2;
/** The exit code of `rules diff --exit-code` where the file would change something. */
const different = 3;

const out = plainOutput(process.stdout);
const atTerminal = () => ({ input: process.stdin, out: process.stdout });

/**
 * Runs the command that the words after "castellan" say; without any, `start`. Words that are no command set the exit code
 * 2 and are answered on standard error. Throws what the command throws; `invalid_input` with how the command is written.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = createProgram(await readVersion());
  let running: Command | undefined;
  program.hook("preAction", (_, command) => void (running = command));
  try {
    await program.parseAsync(inFull(program, words), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // What there is to say has been written.
      if (error.exitCode !== 0) process.exitCode = misused;
      return;
    }
    const wrong = asAppError(error, "invalid_input");
    if (!wrong || !running) throw error;
    const message = `${wrong.message} Usage: ${running.createHelp().commandUsage(running)}`;
    throw new AppError("invalid_input", message, { cause: error, mistakes: [...wrong.mistakes] });
  }
}

/** The words as commander takes them: with `start` where there are none, and help asked for in one manner. */
function inFull(program: Command, words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return ["start"];
  const helpFlags = ["--help", "-h"];
  // Of all words, for some commands have two.
  const all = first === "help" ? [...rest, "--help"] : [...words];
  // For a command that it does not know commander would show all that there are, and not say so.
  return isKnown(program, all) ? all : all.filter((word) => !helpFlags.includes(word));
}

function isKnown(program: Command, words: readonly string[]): boolean {
  let group = program;
  for (const word of words) {
    if (word.startsWith("-") || group.commands.length === 0) return true;
    const next = group.commands.find((command) => command.name() === word);
    if (!next) return false;
    group = next;
  }
  return true;
}

/** Each command loads its own part alone: most of the program is not needed to check a file. */
function createProgram(version: string): Command {
  const program = new Command("castellan")
    .description("Moderation of Farcaster channels from Discord.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show how a command is written")
    .helpCommand("help [command...]", "show how a command is written")
    .addHelpText("after", "\nSettings come from the environment; .env.example explains each.")
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeErr: (text) => process.stderr.write(showControls(text)),
      outputError: (text, write) => write(text.replace(/^error:/, "castellan:")),
    });
  addSetup(program);
  addRoles(program);
  addNetworkFiles(program);
  addBackups(program);
  addMigrate(program);
  addRules(program);
  program
    .command("history")
    .description("what users wrote")
    .command("erase")
    .argument("<fid>", "the user's number", filled)
    .description("erases what a user wrote from everything that is stored, at their request")
    .action(async (fid: string) => {
      const { eraseAuthor } = await import("./erase-author.ts");
      await eraseAuthor(parseConfig(), fid, out);
    });
  program
    .command("completion")
    .description("prints a script with which bash and zsh complete these commands")
    .action(async () => {
      const { writeCompletion } = await import("./completion.ts");
      out.write(writeCompletion(program));
    });
  program
    .command("version")
    .description("print the version")
    .action(() => void process.stdout.write(`${version}\n`));
  return program;
}

/** An argument that is not forgotten in a script whose variable is empty. */
function filled(value: string): string {
  if (value === "") throw new InvalidArgumentError("It is empty.");
  return value;
}

function addSetup(program: Command): void {
  const setup = program
    .command("setup")
    .description("asks for what is needed for Discord and the live network; may be run again");
  addSetupOptions(setup).action(async () => {
    const { runSetup } = await import("./setup/run-setup.ts");
    process.exitCode = await runSetup(readSetupOptions(setup), atTerminal());
  });
  program
    .command("doctor")
    .option("--json", "the same for programs")
    .description("says of everything that Castellan needs whether it works, and how to fix it")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runDoctor } = await import("./doctor.ts");
      process.exitCode = await runDoctor(json, out);
    });
  const rotate = program
    .command("key")
    .description("the bot's key")
    .command("rotate")
    .description("a new key for the bot: made, approved, and then used instead of the old one");
  addSetupOptions(rotate).action(async () => {
    const { rotateKey } = await import("./setup/rotate-key.ts");
    process.exitCode = await rotateKey(readSetupOptions(rotate), atTerminal());
  });
}

function addRoles(program: Command): void {
  const add = (role: Role, summary: string) =>
    program
      .command(role)
      .description(summary)
      .action(async () => {
        const config = parseConfig();
        const { runRole } = await import("./run-role.ts");
        await runRole(role, config);
      });
  add("start", "everything in one process; this is what castellan alone does");
  add("api", "only the embedded network");
  add("bot", "only the gateway; shares a PostgreSQL server with other processes");
  add("worker", "only the background work; shares a PostgreSQL server with other processes");
  program
    .command("sandbox")
    .description("only the local Discord with its page")
    .action(async () => {
      const { runSandbox } = await import("./run-sandbox.ts");
      await runSandbox(parseConfig());
    });
}

function addNetworkFiles(program: Command): void {
  const network = program.command("network").description("files of the embedded network");
  network
    .command("import")
    .argument("<file>", "- is standard input", filled)
    .description("sends a network file to the running instance")
    .action(async (file: string) => {
      const { importNetwork } = await import("./network-file.ts");
      await importNetwork(parseConfig(), file, process.stdout, process.stderr);
    });
  network
    .command("export")
    .argument("<file>", "- is standard output", filled)
    .description("writes the running instance's network as a network file")
    .action(async (file: string) => {
      const { exportNetwork } = await import("./network-file.ts");
      await exportNetwork(parseConfig(), file, process.stdout);
    });
}

function addBackups(program: Command): void {
  program
    .command("backup")
    .argument("<file>", "- is standard output", filled)
    .option("--portable", "for any later version, and for either kind of database")
    .description("writes a backup of the running instance")
    .action(async (file: string, { portable = false }: { portable?: boolean }) => {
      const { backUp, backUpPortable } = await import("./back-up.ts");
      const write = portable ? backUpPortable : backUp;
      await write(parseConfig(), file, process.stdout, process.stderr);
    });
  program
    .command("restore")
    .argument("<file>", "- is standard input", filled)
    .description("makes a new DATA_DIR from a backup")
    .action(async (file: string) => {
      const { restoreBackup } = await import("./restore.ts");
      await restoreBackup(parseConfig(), file, out);
    });
}

function addMigrate(program: Command): void {
  program
    .command("migrate")
    .option("--check", "only say what would be done; the exit code is 1 if anything")
    .description("brings the database up to date, as a start does unless AUTO_MIGRATE is off")
    .action(async ({ check = false }: { check?: boolean }) => {
      const { checkMigrations, migrateDatabase } = await import("./migrate.ts");
      const config = parseConfig();
      if (check) process.exitCode = await checkMigrations(config, out);
      else await migrateDatabase(config, out);
    });
}

function addRules(program: Command): void {
  const rules = program.command("rules").description("rule files");
  rules
    .command("check")
    .argument("<file>", "- is standard input", filled)
    .description("reads a rule file and lists its mistakes")
    .action(async (file: string) => {
      const { checkRules } = await import("./rule-file.ts");
      await checkRules(file, out);
    });
  rules
    .command("diff")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--server <id>", "the Discord server", filled)
    .option("--exit-code", "the exit code is 3 if anything would change")
    .description("says what a rule file would change in a server; asks the instance that runs")
    .action(async (file: string, { server, exitCode = false }: { server: string; exitCode?: boolean }) => {
      const { diffRules } = await import("./apply-rules.ts");
      const differs = await diffRules(parseConfig(), { file, server }, out);
      if (differs && exitCode) process.exitCode = different;
    });
  rules
    .command("apply")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--server <id>", "the Discord server", filled)
    .description("puts a rule file in force in a server; asks the instance that runs")
    .action(async (file: string, { server }: { server: string }) => {
      const { applyRules } = await import("./apply-rules.ts");
      await applyRules(parseConfig(), { file, server }, out);
    });
  rules
    .command("schema")
    .description("writes the JSON Schema of rule files, for editors")
    .action(async () => {
      const { printRuleSchema } = await import("./rule-file.ts");
      printRuleSchema(out);
    });
  rules
    .command("test")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--channel <id>", "the channel whose history is read", filled)
    .option("--server <id>", "the Discord server, if several are linked to the channel", filled)
    .option("--days <number>", "how many days back", readDays, 7)
    .description("tries a rule file on what happened; nothing is done")
    .action(async (file: string, options: { channel: string; server?: string; days: number }) => {
      const { testRules } = await import("./test-rules.ts");
      await testRules(parseConfig(), { file, ...options }, out, process.stderr);
    });
}

function readDays(value: string): number {
  if (/^[1-9][0-9]{0,2}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a number from 1 to 999.");
}
