import { answer } from "../../src/discord/command.ts";
import { channelOption, numberOption } from "../shared/options.ts";
import { caseButtons } from "../shared/leading-buttons.ts";
import { chooseChannelOfCase, requireCase } from "./require-case.ts";
import { showWithChanges } from "./show-with-changes.ts";
import { suggestCases } from "../shared/suggest-numbers.ts";

export const showOneCase = answer({
  description: "One case, by its number",
  needs: "view",
  console: true,
  options: {
    number: numberOption("case", "The case's number, such as C-12", suggestCases),
    channel: channelOption,
  },
  async run(context, { number, channel: given }) {
    const channelId = await chooseChannelOfCase(context, given, number);
    const subject = await requireCase(context, channelId, number);
    return { ...(await showWithChanges(context, subject)), buttons: [caseButtons(subject)] };
  },
});
