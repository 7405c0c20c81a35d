import { flag, listing, oneOf, parsed } from "../../src/discord/command.ts";
import { kindOfNumber, readNumber } from "../../src/text/numbered.ts";
import { caseButtons } from "../shared/leading-buttons.ts";
import { suggestCasesAndBulks } from "../shared/suggest-numbers.ts";
import { refuseUseless } from "../shared/targets.ts";
import { exportFile } from "./export.ts";
import { filterOptions } from "./filter-options.ts";
import { listCases } from "./list.ts";
import { listOfBulks } from "./list-bulks.ts";
import { chooseChannelOfCase, requireCase } from "./require-case.ts";
import { showOneBulk } from "./show-bulk.ts";
import { showWithChanges } from "./show-with-changes.ts";

export const showCases = listing({
  description: "The channel's cases, newest first; or one case or bulk by its number; or a file of cases",
  needs: "view",
  console: true,
  options: {
    number: parsed(
      {
        description: "One of them, such as C-12, or a bulk and its targets, such as B-3",
        maxLength: 30,
        suggest: suggestCasesAndBulks,
      },
      (typed) => {
        const of = kindOfNumber(typed) === "bulk" ? "bulk" : "case";
        return { of, number: readNumber(of, typed) };
      },
    ),
    ...filterOptions,
    bulks: flag("Bulks instead, newest first"),
    file: oneOf(["csv", "jsonl"], {
      description: "As a file: for spreadsheets (csv), or a line of JSON each (jsonl)",
    }),
  },
  async page(context, { number: named, file, bulks, ...filters }, cursor) {
    if (named?.of === "bulk") return { view: await showOneBulk(context, named.number) };
    if (named) {
      const channelId = await chooseChannelOfCase(context, filters.channel, named.number);
      const subject = await requireCase(context, channelId, named.number);
      const view = await showWithChanges(context, subject);
      return { view: { ...view, buttons: [caseButtons(subject)] } };
    }
    if (bulks) {
      refuseUseless({ ...filters, file }, "is for cases, not for bulks");
      return listOfBulks(context, cursor);
    }
    return file === undefined ? listCases(context, filters, cursor) : exportFile(context, file, filters);
  },
});
