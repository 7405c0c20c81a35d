import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import { AppError } from "../../src/errors.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findName } from "../../src/moderation/find-target.ts";
import { describeUser } from "../../src/observe/people.ts";
import { findNote, removeNote as removeOnce } from "../../src/rules/actions/strikes-and-notes.ts";
import { showNumber } from "../../src/text/numbered.ts";

/** Removes a note at once, a rule's or a colleague's too. It takes the same right as writing one. */
export async function removeNote(context: CommandContext, number: number): Promise<View> {
  const { database, clock, actor } = context;
  const name = showNumber("note", number);
  const note = await findNote(database.query, actor.guildId, number);
  if (!note)
    throw new AppError("not_found", `There is no note ${name} here. </note> lists those about a person.`);
  const { channel_id: channelId, fid } = note;
  await authorize(context, actor, channelId, "ban");
  if (!(await removeOnce(database.query, clock, number, actor.userId)))
    throw new AppError("already_answered", `${name} has already been removed.`);
  const who = describeUser({ fid, name: await findName(context, fid) });
  return textView("good", `Removed ${name} about ${who} in /${channelId}.`);
}
