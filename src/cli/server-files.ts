import { Option, type Command } from "commander";
import { parseConfig } from "../config.ts";
import type { TextOutput } from "../text/show-controls.ts";
import type { ExportOptions } from "./export-records.ts";
import { filled, serverId } from "./filled.ts";

/** `castellan export`. */
export function addExports(program: Command): void {
  const exports = program.command("export").description("a server's records and configuration as files");
  const add = (of: "cases" | "audit", summary: string) =>
    exports
      .command(of)
      .requiredOption("--server <id>", "the Discord server", serverId)
      .option("--channel <id>", "only this channel", filled)
      .option("--since <time>", "only after this time: 7d ago, 20:00 or 2026-11-23 20:00 (UTC)", filled)
      .addOption(
        new Option("--format <format>", "for spreadsheets (csv), or a line of JSON each (jsonl)")
          .choices(["csv", "jsonl"])
          .default("csv"),
      )
      .option("--output <file>", "a new file; - is standard output", filled, "-")
      .description(summary)
      .action(async (options: ExportOptions) => {
        const { exportRecords } = await import("./export-records.ts");
        await exportRecords(parseConfig(), of, options, process.stdout);
      });
  add("cases", "writes a server's cases as a table; asks the instance that runs");
  add("audit", "writes who changed a server's setup as a table; asks the instance that runs");
  exports
    .command("config")
    .requiredOption("--server <id>", "the Discord server", serverId)
    .option("--output <file>", "a new file; - is standard output", filled, "-")
    .description("writes a server's configuration as a YAML file; asks the instance that runs")
    .action(async (options: { server: string; output: string }) => {
      const { exportConfig } = await import("./server-config.ts");
      await exportConfig(parseConfig(), options, process.stdout);
    });
}

/** `castellan import`. */
export function addImports(program: Command, out: TextOutput): void {
  const imports = program.command("import").description("a server's configuration and bans from files");
  imports
    .command("config")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--server <id>", "the Discord server", serverId)
    .option("--dry-run", "only shows what would change")
    .description("shows what a configuration file changes in a server, and changes it")
    .action(async (file: string, { server, dryRun = false }: { server: string; dryRun?: boolean }) => {
      const { importConfig } = await import("./server-config.ts");
      await importConfig(parseConfig(), { file, server, dryRun }, out);
    });
  imports
    .command("bans")
    .argument("<file>", "- is standard input", filled)
    .requiredOption("--server <id>", "the Discord server", serverId)
    .requiredOption("--channel <id>", "the channel to ban from", filled)
    .option("--dry-run", "only shows who would be banned")
    .description("bans the users of a list from elsewhere, as one bulk of the instance that runs")
    .action(async (file: string, options: { server: string; channel: string; dryRun?: boolean }) => {
      const { importBans } = await import("./import-bans.ts");
      await importBans(parseConfig(), { file, dryRun: false, ...options }, out);
    });
}
