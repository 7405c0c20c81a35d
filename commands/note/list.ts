import { listing } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { listNotes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText, fitLines, inlineCode } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";

const pageSize = 10;
/** Of one page; Discord takes 4096. */
const maxCharacters = 3800;

export const notesOf = listing({
  description: "What moderators and rules wrote down about a person in the channel, newest first",
  options: { user: userOption("About whom: fid, @name or profile link"), channel: channelOption },
  async page(context, { user, channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const person = { guildId: context.actor.guildId, channelId, fid: user.fid };
    const before = cursor === undefined ? undefined : Number(cursor);
    const { notes, all } = await listNotes(context.database.query, person, { limit: pageSize + 1, before });
    const lines = notes.slice(0, pageSize).map(({ text, rule_id, written_by, written_at_ms }) => {
      const by = rule_id === null ? `<@${written_by}>` : `rule ${inlineCode(rule_id, 40)}`;
      return `${describeTime(written_at_ms / 1000)} · by ${by}\n${escapeText(text, 2000)}`;
    });
    const { text, fitted } = fitLines(lines, maxCharacters);
    const last = notes[Math.min(fitted, pageSize) - 1];
    const description = `${describeUser(user)}: ${amount(all, "note")}\n${text}`;
    return {
      view: { embeds: [{ title: `Notes in /${channelId}`, description, color: colors.plain }] },
      ...(last && notes.length > fitted && { next: String(last.id) }),
    };
  },
});
