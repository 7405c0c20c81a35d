import { answer, text } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { writeNote } from "../../src/rules/decide/strikes-and-notes.ts";
import { colors } from "../../src/text/colors.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";

export const addNote = answer({
  description: "Write down something about a person, for the other moderators",
  needs: "ban",
  console: true,
  options: {
    user: userOption("About whom: fid, @name or profile link"),
    text: text({ description: "What they should know", required: true }),
    channel: channelOption,
  },
  async run(context, { user, text: note, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "ban");
    const { database, clock, actor } = context;
    const person = { guildId: actor.guildId, channelId, fid: user.fid };
    await writeNote(database.query, clock, person, { text: note, userId: actor.userId });
    const description = await describeHistory(context, channelId, user);
    return {
      embeds: [{ title: "Noted", description: `${describeUser(user)}\n${description}`, color: colors.good }],
    };
  },
});
