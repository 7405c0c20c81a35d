import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { describeUser } from "../../src/observe/people.ts";
import {
  countStrikes,
  findStrike,
  removeStrike as removeOnce,
} from "../../src/rules/actions/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { showNumber } from "../../src/text/numbered.ts";

/** Removes strike points at once, a rule's too. */
export async function removeStrike(context: CommandContext, number: number): Promise<View> {
  const { database, clock, actor } = context;
  const name = showNumber("strike", number);
  const strike = await findStrike(database.query, actor.guildId, number);
  if (!strike)
    throw new AppError("not_found", `There is no strike ${name} here. </who> lists those of a person.`);
  const { channel_id: channelId, fid, points } = strike;
  await authorize(context, actor, channelId, "ban");
  if (!(await removeOnce(database.query, clock, number, actor.userId))) {
    throw new AppError("already_answered", `${name} has already been removed.`);
  }
  const total = await countStrikes(database.query, clock, { guildId: actor.guildId, channelId, fid });
  const who = describeUser({ fid, name: await findName(context, fid) });
  const description = `Removed ${name}: ${amount(points, "point")} of ${who} in /${channelId}, who now has ${total}. Actions that rules took because of them stay.`;
  return textView("good", description);
}
