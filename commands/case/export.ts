import type { ArgumentsOf } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView } from "../../src/discord/view.ts";
import { exportCases, maxExported, toCaseFile } from "../../src/moderation/cases/export-cases.ts";
import { amount } from "../../src/text/amount.ts";
import { readFilter, type filterOptions } from "./filter-options.ts";

/** The filtered cases as a file, newest first. */
export async function exportFile(
  context: CommandContext,
  format: "csv" | "jsonl",
  args: ArgumentsOf<typeof filterOptions>,
) {
  const { filter, said } = await readFilter(context, args);
  const { rows, isWhole } = await exportCases(context.database.query, filter);
  const file = { name: `cases-${filter.channelId}.${format}`, text: toCaseFile(format, rows) };
  const rest = isWhole
    ? ""
    : ` A file has at most ${maxExported}, so older ones are left out. Use until to export them.`;
  const description = `${amount(rows.length, "case")} of /${filter.channelId}${said === "" ? "" : `: ${said}`}.${rest}`;
  return { file, view: { ...textView("plain", description), files: [file] } };
}
