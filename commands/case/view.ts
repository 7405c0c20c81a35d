import { answer, integer } from "../../src/discord/command.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findCase } from "../../src/moderation/cases/case.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { showCase } from "../shared/show-case.ts";

export const viewCase = answer({
  description: "One case, by its number",
  options: {
    number: integer({ description: "The case's number", required: true, min: 1, max: 2_147_483_647 }),
    channel: channelOption,
  },
  async run(context, { number, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const { guildId } = context.actor;
    const subject = await findCase(context.database.query, { guildId, channelId, number });
    if (!subject) throw new AppError("invalid_input", `There is no case #${number} in /${channelId}.`);
    return showCase(context, subject);
  },
});
