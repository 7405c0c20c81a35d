import { listing, oneOf, text } from "../../src/discord/command.ts";
import { listPeople, readListingTime } from "../../src/moderation/list-people.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { count } from "../../src/text/amount.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 20;

export const listMembers = listing({
  description: "Members of the channel, newest first; or who is restricted or banned",
  needs: "view",
  options: {
    name: text({ description: "Only people whose name or fid begins with this", maxLength: 40 }),
    who: oneOf(["members", "restrictions", "bans"], { description: "Members, if left out" }),
    channel: channelOption,
  },
  async page(context, { name = "", who = "members", channel: given }, cursor) {
    const channelId = await chooseChannelFor(context, given, "view");
    const { query } = context.database;
    const offset = Number(cursor ?? 0);
    const asked = { channelId, listing: who, begins: name, offset, limit: pageSize + 1 };
    const { people, all } = await listPeople(query, asked);
    const page = people.slice(0, pageSize);
    const names = await readNames(
      query,
      page.map(({ fid }) => fid),
    );
    const lines = page.map(
      ({ fid, at }) => `${describeUser({ fid, name: names.get(fid) })} · since ${describeTime(at, "f")}`,
    );
    const read = await readListingTime(query, channelId, who);
    const filter = name === "" ? "" : ` whose name or fid begins with that`;
    return {
      view: textView(
        "plain",
        [
          `${count(all)}${filter}${read === undefined ? ": not read yet" : `, as read ${describeTime(read)}`}`,
          ...lines,
        ],
        { title: `${titles[who]} /${channelId}` },
      ),
      ...(people.length > pageSize && { next: String(offset + pageSize) }),
    };
  },
});

const titles = { members: "Members of", restrictions: "Restricted in", bans: "Banned from" } as const;
