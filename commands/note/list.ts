import { listNotes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { listAboutPerson } from "../shared/list-about-person.ts";
import { describeWriter } from "../shared/describe-history.ts";

export const notesOf = listAboutPerson({
  description: "Notes of moderators and rules about a person in the channel, newest first",
  whose: "About whom: fid, @name or profile link",
  title: "Notes",
  async read({ database }, person, page) {
    const { notes, all } = await listNotes(
      database.query,
      { ...person, channelIds: [person.channelId] },
      page,
    );
    return { rows: notes, total: amount(all, "note") };
  },
  describe: (note) =>
    `${describeTime(note.written_at_ms / 1000)} · by ${describeWriter(note)}\n${escapeText(note.text, 2000)}`,
});
