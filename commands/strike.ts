import { answer, integer } from "../src/discord/command.ts";
import { describeUser } from "../src/observe/people.ts";
import { giveStrike } from "../src/rules/actions/strikes-and-notes.ts";
import { amount } from "../src/text/amount.ts";
import { showNumber } from "../src/text/numbered.ts";
import {
  channelOption,
  chooseChannelFor,
  durationOption,
  reasonOption,
  userOption,
} from "./shared/options.ts";
import { textView } from "../src/discord/view.ts";

export const strike = answer({
  description: "Give a person strike points, as rules do; rules can act on a person's total",
  needs: "ban",
  console: true,
  options: {
    user: userOption("Whom: fid, @name or profile link"),
    points: integer({ description: "How many (1)", min: 1, max: 100 }),
    reason: reasonOption("Why"),
    duration: durationOption("How long they count; permanently if left out"),
    channel: channelOption,
  },
  async run(context, { user, points = 1, reason, duration: forSeconds, channel: given }) {
    const channelId = await chooseChannelFor(context, given, "ban");
    const { database, clock, actor, appendEvents } = context;
    const person = { guildId: actor.guildId, channelId, fid: user.fid };
    const made = await database.transaction(async (tx) => {
      const wanted = { points, reason, forSeconds, userId: actor.userId };
      const strikeGiven = await giveStrike(tx, clock, person, wanted);
      await appendEvents(tx, [strikeGiven.event]);
      return strikeGiven;
    });
    const number = showNumber("strike", made.id);
    const description = `${number}: ${amount(points, "strike point")} for ${describeUser(user)} in /${channelId}, who now has ${made.total}. </undo> removes them.`;
    return textView("good", description);
  },
});
