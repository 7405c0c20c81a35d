import { answer } from "../../src/discord/command.ts";
import { channelOption, chooseChannel, numberOption } from "../shared/options.ts";
import { caseButtons } from "../shared/leading-buttons.ts";
import { requireCase } from "./require-case.ts";
import { showWithChanges } from "./show-with-changes.ts";
import { suggestCases } from "../shared/suggest-numbers.ts";

export const viewCase = answer({
  description: "One case, by its number",
  needs: "view",
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    channel: channelOption,
  },
  async run(context, { number, channel: given }) {
    const channelId = await chooseChannel(context, given);
    const subject = await requireCase(context, channelId, number);
    return { ...(await showWithChanges(context, subject)), buttons: [caseButtons(subject)] };
  },
});
