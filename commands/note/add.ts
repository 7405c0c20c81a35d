import { answer, text } from "../../src/discord/command.ts";
import { describeUser } from "../../src/observe/people.ts";
import { writeNote } from "../../src/rules/actions/strikes-and-notes.ts";
import { describeHistory } from "../shared/describe-history.ts";
import { channelOption, chooseChannelFor, userOption } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

export const addNote = answer({
  description: "Write a note about a person for the other moderators",
  needs: "ban",
  console: true,
  options: {
    user: userOption("About whom: fid, @name or profile link"),
    text: text({ description: "What they should know", required: true }),
    channel: channelOption,
  },
  async run(context, { user, text: note, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "ban");
    const { database, clock, actor } = context;
    const person = { guildId: actor.guildId, channelId, fid: user.fid };
    await writeNote(database.query, clock, person, { text: note, userId: actor.userId });
    const description = await describeHistory(context, channelId, user);
    return textView("good", `${describeUser(user)}\n${description}`, { title: "Noted" });
  },
});
