import { exportFile } from "../../commands/case/export.ts";
import { filterOptions } from "../../commands/case/filter-options.ts";
import type { ArgumentsOf } from "../discord/command.ts";
import type { CommandContext } from "../discord/command-context.ts";
import { readArguments } from "../discord/run-command.ts";
import { AppError } from "../errors.ts";
import { withoutEmpty } from "./run-button.ts";

const contentTypes = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson" } as const;

/** The file of /case show with the same filters; `format` is "csv" or "jsonl". */
export async function exportCasesFor(
  context: CommandContext,
  format: string,
  typed: Readonly<Record<string, string>>,
): Promise<{ name: string; text: string; contentType: string }> {
  if (format !== "csv" && format !== "jsonl") throw new AppError("not_found", "There is no such file.");
  const args = await readArguments(context, filterOptions, withoutEmpty(typed));
  // The arguments' types follow from the options.
  const { file } = await exportFile(context, format, args as ArgumentsOf<typeof filterOptions>);
  return { ...file, contentType: contentTypes[format] };
}
