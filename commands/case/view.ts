import { answer } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findCase } from "../../src/moderation/cases/case.ts";
import { numberOption } from "../shared/number-option.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { showCase } from "../shared/show-case.ts";

export const viewCase = answer({
  description: "One case, by its number",
  options: {
    number: numberOption("case", "The case's number, such as C-12"),
    channel: channelOption,
  },
  async run(context, { number, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const { guildId } = context.actor;
    const subject = await findCase(context.database.query, { guildId, channelId, number });
    if (!subject)
      throw new AppError("invalid_input", `There is no case ${showNumber("case", number)} in /${channelId}.`);
    return showCase(context, subject);
  },
});
