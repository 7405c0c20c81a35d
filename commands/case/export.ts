import { answer, oneOf } from "../../src/discord/command.ts";
import { exportCases, maxExported, toCaseFile } from "../../src/moderation/cases/export-cases.ts";
import { amount } from "../../src/text/amount.ts";
import { filterOptions, readFilter } from "./filter-options.ts";
import { textView } from "../../src/discord/view.ts";

export const exportFile = answer({
  description: "The channel's cases as a file, newest first, filtered as in /case list",
  needs: "view",
  options: {
    format: oneOf(["csv", "jsonl"], {
      description: "For spreadsheets (csv), or a line of JSON each (jsonl)",
    }),
    ...filterOptions,
  },
  async run(context, { format = "csv", ...args }) {
    const { filter, said } = await readFilter(context, args);
    const { rows, isWhole } = await exportCases(context.database.query, filter);
    const text = toCaseFile(format, rows);
    const rest = isWhole
      ? ""
      : ` A file has at most ${maxExported}, so older ones are left out. Use until to export them.`;
    const description = `${amount(rows.length, "case")} of /${filter.channelId}${said === "" ? "" : `: ${said}`}.${rest}`;
    return {
      ...textView("plain", description),
      files: [{ name: `cases-${filter.channelId}.${format}`, text }],
    };
  },
});
