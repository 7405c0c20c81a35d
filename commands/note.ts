import { listing, text } from "../src/discord/command.ts";
import type { CommandContext } from "../src/discord/command-context.ts";
import { textView, type View } from "../src/discord/view.ts";
import { runButton } from "../src/feed/run-button.ts";
import { maxListText } from "../src/limits/discord-limits.ts";
import { describeUser, type User } from "../src/observe/people.ts";
import { listNotes, writeNote } from "../src/rules/actions/strikes-and-notes.ts";
import { amount } from "../src/text/amount.ts";
import { showNumber } from "../src/text/numbered.ts";
import { describeTime, escapeText, fitLines } from "../src/text/message-text.ts";
import { describeHistory, describeWriter } from "./shared/describe-history.ts";
import { channelOption, chooseChannelFor, userOption } from "./shared/options.ts";

const pageSize = 10;

export const note = listing({
  description: "Write a note about a person for the other moderators; without a text, lists the notes",
  needs: { any: ["ban", "view"] },
  console: true,
  options: {
    user: userOption("About whom: fid, @name or profile link"),
    text: text({ description: "What they should know" }),
    channel: channelOption,
  },
  async page(context, { user, text: written, channel: given }, cursor) {
    // It is one page, so turning pages does not write it again.
    if (written !== undefined) return { view: await write(context, user, written, given) };
    const channelId = await chooseChannelFor(context, given, "view");
    const person = { guildId: context.actor.guildId, channelIds: [channelId], fid: user.fid };
    const before = cursor === undefined ? undefined : Number(cursor);
    const { notes, all } = await listNotes(context.database.query, person, { limit: pageSize + 1, before });
    const lines = notes
      .slice(0, pageSize)
      .map(
        (one) =>
          `**${showNumber("note", one.id)}** · ${describeTime(one.written_at_ms / 1000)} · by ${describeWriter(one)}\n${escapeText(one.text, 2000)}`,
      );
    const { text: shown, fitted } = fitLines(lines, maxListText);
    const last = notes[Math.min(fitted, pageSize) - 1];
    const description = `${describeUser(user)}: ${amount(all, "note")}\n${shown || "No notes."}`;
    return {
      view: textView("plain", description, {
        title: `Notes in /${channelId}`,
        ...(last && { footer: "/undo what:N-… removes one" }),
      }),
      ...(last && notes.length > fitted && { next: String(last.id) }),
    };
  },
});

async function write(
  context: CommandContext,
  user: User,
  written: string,
  given: string | undefined,
): Promise<View> {
  const channelId = await chooseChannelFor(context, given, "ban");
  const { database, clock, actor } = context;
  const person = { guildId: actor.guildId, channelId, fid: user.fid };
  const id = await writeNote(database.query, clock, person, { text: written, userId: actor.userId });
  const description = await describeHistory(context, channelId, user);
  const what = showNumber("note", id ?? 0);
  return {
    ...textView("good", `${describeUser(user)}\n${description}`, { title: `Noted: ${what}` }),
    buttons: [[runButton("Undo", "undo", { what })]],
  };
}
