import { listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { maxListText } from "../../src/limits/discord-limits.ts";
import { describeUser } from "../../src/observe/people.ts";
import { fitLines } from "../../src/text/message-text.ts";
import { channelOption, chooseChannelFor, userOption } from "./options.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 10;

interface PersonInChannel {
  guildId: string;
  channelId: string;
  fid: number;
}

interface ListAboutPerson<Row> {
  description: string;
  /** The description of the option for the person. */
  whose: string;
  /** "Notes", in "Notes in /memes". */
  title: string;
  /** Rows with ids below `before`, newest first, at most `limit`; and the total, for the line above them. */
  read(
    context: CommandContext,
    person: PersonInChannel,
    page: { limit: number; before: number | undefined },
  ): Promise<{ rows: Row[]; total: string }>;
  describe(row: Row, nowMs: number): string;
}

/** A command that lists records about a person in a channel, in pages, newest first. */
export function listAboutPerson<Row extends { id: number }>(list: ListAboutPerson<Row>) {
  return listing({
    description: list.description,
    needs: "view",
    console: true,
    options: { user: userOption(list.whose), channel: channelOption },
    async page(context, { user, channel: given }, cursor) {
      const channelId = await chooseChannelFor(context, given, "view");
      const person = { guildId: context.actor.guildId, channelId, fid: user.fid };
      const before = cursor === undefined ? undefined : Number(cursor);
      const { rows, total } = await list.read(context, person, { limit: pageSize + 1, before });
      const now = context.clock.now();
      const lines = rows.slice(0, pageSize).map((row) => list.describe(row, now));
      const { text, fitted } = fitLines(lines, maxListText);
      const last = rows[Math.min(fitted, pageSize) - 1];
      const description = `${describeUser(user)}: ${total}\n${text || `No ${list.title.toLowerCase()}.`}`;
      return {
        view: textView("plain", description, { title: `${list.title} in /${channelId}` }),
        ...(last && rows.length > fitted && { next: String(last.id) }),
      };
    },
  });
}
