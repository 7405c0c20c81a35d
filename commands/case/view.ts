import { answer } from "../../src/discord/command.ts";
import { integer } from "../../src/discord/option.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { showCase } from "../shared/carry-out.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { channelOption } from "../shared/options.ts";

export const viewCase = answer({
  description: "One case, by its number",
  options: {
    number: integer({ description: "The case's number", required: true, min: 1, max: 2_147_483_647 }),
    channel: channelOption,
  },
  async run(context, { number, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const subject = await context.database.query
      .selectFrom("castellan.cases")
      .selectAll()
      .where("guild_id", "=", context.actor.guildId)
      .where("channel_id", "=", channelId)
      .where("number", "=", number)
      .executeTakeFirst();
    if (!subject) throw new AppError("invalid_input", `There is no case #${number} in /${channelId}.`);
    return showCase(context, subject);
  },
});
