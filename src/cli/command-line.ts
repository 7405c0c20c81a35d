import { Command, CommanderError, InvalidArgumentError } from "commander";
import { parseConfig } from "../config.ts";
import { AppError, asAppError } from "../errors.ts";
import { readVersion } from "../package-folder.ts";
import type { Role } from "../start/role.ts";
import { plainOutput, showControls } from "../text/show-controls.ts";
import { filled, serverId } from "./filled.ts";
import { addExports, addImports } from "./server-files.ts";
import { addSetupOptions, readSetupOptions } from "./setup/setup-options.ts";

/** The exit code for words that are not a command, or not a complete one. */
const misused = 2;
/** The exit code of `rules diff --exit-code` where the file would change something. */
const different = 3;

const out = plainOutput(process.stdout);
const atTerminal = () => ({ input: process.stdin, out: process.stdout });

/**
 * Runs the command in the words after "castellan"; without any, `start`. For words that are not a command it sets exit
 * code 2 and answers on standard error. Throws the command's errors, and `invalid_input` with the command's usage.
 */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  const program = createProgram(await readVersion());
  let running: Command | undefined;
  program.hook("preAction", (_, command) => void (running = command));
  try {
    await program.parseAsync(inFull(program, words), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already written its message.
      if (error.exitCode !== 0) process.exitCode = misused;
      return;
    }
    const wrong = asAppError(error, "invalid_input");
    if (!wrong || !running) throw error;
    const message = `${wrong.message} Usage: ${running.createHelp().commandUsage(running)}`;
    throw new AppError("invalid_input", message, { cause: error, mistakes: [...wrong.mistakes] });
  }
}

/** The words in the form that commander expects: `start` if there are none, and one form for help. */
function inFull(program: Command, words: readonly string[]): string[] {
  const [first, ...rest] = words;
  if (first === undefined) return ["start"];
  const helpFlags = ["--help", "-h"];
  // Search all words, because some commands have two.
  const all = first === "help" ? [...rest, "--help"] : [...words];
  // For an unknown command, commander would list all commands without an error.
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

/** Each command loads only its own modules: checking a file does not need most of the program. */
function createProgram(version: string): Command {
  const program = new Command("castellan")
    .description("Moderation of Farcaster channels from Discord.")
    .version(version, "-v, --version", "prints the version")
    .helpOption("-h, --help", "shows a command's usage")
    .helpCommand("help [command...]", "shows a command's usage")
    .addHelpText("after", "\nSettings come from the environment. .env.example explains each one.")
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
  addExports(program);
  addImports(program, out);
  program
    .command("history")
    .description("users' stored texts")
    .command("erase")
    .argument("<fid>", "the user's fid", filled)
    .description("erases a user's texts from all stored data, at their request")
    .action(async (fid: string) => {
      const { eraseAuthor } = await import("./erase-author.ts");
      await eraseAuthor(parseConfig(), fid, out);
    });
  program
    .command("completion")
    .description("prints a completion script for bash and zsh")
    .action(async () => {
      const { writeCompletion } = await import("./completion.ts");
      out.write(writeCompletion(program));
    });
  program
    .command("version")
    .description("prints the version")
    .action(() => void process.stdout.write(`${version}\n`));
  return program;
}

function addSetup(program: Command): void {
  const setup = program
    .command("setup")
    .description("asks for the settings of Discord and the live network; can be run again");
  addSetupOptions(setup).action(async () => {
    const { runSetup } = await import("./setup/run-setup.ts");
    process.exitCode = await runSetup(readSetupOptions(setup), atTerminal());
  });
  program
    .command("doctor")
    .option("--json", "machine-readable output")
    .description("checks everything that Castellan needs, and explains how to fix problems")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { runDoctor } = await import("./doctor.ts");
      process.exitCode = await runDoctor(json, out);
    });
  const rotate = program
    .command("key")
    .description("the bot's key")
    .command("rotate")
    .description("makes a new key for the bot, has it approved, and replaces the old one");
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
  add("start", "runs everything in one process (the default command)");
  add("api", "runs only the embedded network");
  add("bot", "runs only the gateway; needs a PostgreSQL server");
  add("worker", "runs only the background work; needs a PostgreSQL server");
  program
    .command("sandbox")
    .description("runs only the local Discord with its page")
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
    .option("--portable", "restorable by any later version, into either kind of database")
    .description("writes a backup of the running instance")
    .action(async (file: string, { portable = false }: { portable?: boolean }) => {
      const { backUp, backUpPortable } = await import("./back-up.ts");
      const write = portable ? backUpPortable : backUp;
      await write(parseConfig(), file, process.stdout, process.stderr);
    });
  program
    .command("restore")
    .argument("<file>", "- is standard input", filled)
    .description("makes a new DATA_DIR from a backup, or fills an empty DATABASE_URL")
    .action(async (file: string) => {
      const { restoreBackup } = await import("./restore.ts");
      await restoreBackup(parseConfig(), file, out);
    });
}

function addMigrate(program: Command): void {
  program
    .command("migrate")
    .option("--check", "only lists missing migrations; the exit code is 1 if there are any")
    .description("upgrades the database, as a start does unless AUTO_MIGRATE is off")
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
    .description("checks a rule file and lists its mistakes")
    .action(async (file: string) => {
      const { checkRules } = await import("./rule-file.ts");
      await checkRules(file, out);
    });
  rules
    .command("diff")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--server <id>", "the Discord server", serverId)
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
    .requiredOption("--server <id>", "the Discord server", serverId)
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
    .option("--server <id>", "the Discord server, if several are linked to the channel", serverId)
    .option("--days <number>", "how many days back", readDays, 7)
    .description("tests a rule file on past events without acting")
    .action(async (file: string, options: { channel: string; server?: string; days: number }) => {
      const { testRules } = await import("./test-rules.ts");
      await testRules(parseConfig(), { file, ...options }, out, process.stderr);
    });
}

function readDays(value: string): number {
  if (/^[1-9][0-9]{0,2}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It must be a number from 1 to 999.");
}
