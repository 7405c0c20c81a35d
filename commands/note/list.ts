import { listing } from "../../src/discord/command.ts";
import { textView } from "../../src/discord/view.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { describeUser } from "../../src/observe/people.ts";
import { listNotes } from "../../src/rules/actions/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText, fitLines } from "../../src/text/message-text.ts";
import { describeWriter } from "../shared/describe-history.ts";
import { channelOption, chooseChannelFor, userOption } from "../shared/options.ts";

const pageSize = 10;

export const notesOf = listing({
  description: "Notes of moderators and rules about a person in the channel, newest first",
  needs: "view",
  console: true,
  options: { user: userOption("About whom: fid, @name or profile link"), channel: channelOption },
  async page(context, { user, channel: given }, cursor) {
    const channelId = await chooseChannelFor(context, given, "view");
    const person = { guildId: context.actor.guildId, channelIds: [channelId], fid: user.fid };
    const before = cursor === undefined ? undefined : Number(cursor);
    const { notes, all } = await listNotes(context.database.query, person, { limit: pageSize + 1, before });
    const lines = notes
      .slice(0, pageSize)
      .map(
        (note) =>
          `${describeTime(note.written_at_ms / 1000)} · by ${describeWriter(note)}\n${escapeText(note.text, 2000)}`,
      );
    const { text, fitted } = fitLines(lines, maxListText);
    const last = notes[Math.min(fitted, pageSize) - 1];
    const description = `${describeUser(user)}: ${amount(all, "note")}\n${text || "No notes."}`;
    return {
      view: textView("plain", description, { title: `Notes in /${channelId}` }),
      ...(last && notes.length > fitted && { next: String(last.id) }),
    };
  },
});
