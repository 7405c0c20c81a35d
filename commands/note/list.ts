import { listNotes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { listAboutPerson } from "../shared/list-about-person.ts";

export const notesOf = listAboutPerson({
  description: "What moderators and rules wrote down about a person in the channel, newest first",
  whose: "About whom: fid, @name or profile link",
  title: "Notes",
  async read({ database }, person, page) {
    const { notes, all } = await listNotes(database.query, person, page);
    return { rows: notes, total: amount(all, "note") };
  },
  describe({ text, rule_id, written_by, written_at_ms }) {
    const by = rule_id === null ? `<@${written_by}>` : `rule ${inlineCode(rule_id, 40)}`;
    return `${describeTime(written_at_ms / 1000)} · by ${by}\n${escapeText(text, 2000)}`;
  },
});
