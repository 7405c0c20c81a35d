import { listing } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { colors } from "../../src/discord/view.ts";
import { namesOf } from "../../src/moderation/find-user.ts";
import { openChannel } from "../../src/moderation/open-channel.ts";
import { escapeText } from "../../src/text/escape.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { describeTime, describeUser } from "../shared/describe.ts";
import { channelOption } from "../shared/options.ts";

const pageSize = 15;

export const listBans = listing({
  description: "Who is banned from the channel now",
  options: { channel: channelOption },
  async page(context, { channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    await openChannel(context, context.actor, channelId, "view");
    const { result, next } = await context.network.channelBans.list({ channelId, limit: pageSize, cursor });
    const fids = result.bannedUsers.map(({ fid }) => fid);
    const [names, ours] = await Promise.all([namesOf(context, fids), findOwnBans(context, channelId, fids)]);
    const lines = result.bannedUsers.map(({ fid, bannedAt }) => {
      const ban = ours.get(fid);
      const until = ban?.due_at_ms ? ` · ends ${describeTime(ban.due_at_ms / 1000)}` : "";
      const reason = ban?.public_reason ? ` · ${escapeText(ban.public_reason, 80)}` : "";
      const number = ban ? ` · #${ban.number}` : "";
      return `${describeUser({ fid, name: names.get(fid) })} · since ${describeTime(bannedAt)}${until}${number}${reason}`;
    });
    const description = lines.join("\n") || "Nobody is banned.";
    return {
      view: { embeds: [{ title: `Banned from /${channelId}`, description, color: colors.plain }] },
      ...(next && { next: next.cursor }),
    };
  },
});

/** What this server's cases say about those bans: the one that ends last counts. */
async function findOwnBans({ database, actor }: CommandContext, channelId: string, fids: readonly number[]) {
  if (fids.length === 0) return new Map<number, never>();
  const rows = await database.query
    .selectFrom("castellan.cases")
    .select(["target_fid", "number", "due_at_ms", "public_reason"])
    .where("guild_id", "=", actor.guildId)
    .where("channel_id", "=", channelId)
    .where("target_fid", "in", fids)
    .where("kind", "=", "ban")
    .where("state", "in", ["applied", "already", "outside"])
    .orderBy("due_at_ms", (order) => order.asc().nullsLast())
    .execute();
  return new Map(rows.map((row) => [row.target_fid, row]));
}
