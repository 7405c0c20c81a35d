import { exportFile } from "../../commands/case/export.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { readArguments } from "../discord/run-command.ts";
import { AppError } from "../errors.ts";
import { withoutEmpty } from "./run-button.ts";

/** The file of /case export with the same filters; `format` is "csv" or "jsonl". */
export async function exportCasesFor(
  context: CommandContext,
  format: string,
  typed: Readonly<Record<string, string>>,
): Promise<{ name: string; text: string; contentType: string }> {
  const contentType = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson" }[format];
  if (contentType === undefined || exportFile.kind !== "answer")
    throw new AppError("not_found", "There is no such file.");
  const args = await readArguments(context, exportFile.options, { ...withoutEmpty(typed), format });
  const { files: [file] = [] } = await exportFile.run(context, args);
  if (!file) throw new Error("an export returned no file");
  return { ...file, contentType };
}
