import { listing } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findStandingBans } from "../../src/moderation/cases/case.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { showNumber } from "../../src/text/numbered.ts";

const pageSize = 15;

export const listBans = listing({
  description: "Who is banned from the channel now",
  options: { channel: channelOption },
  async page(context, { channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    const { database, actor } = context;
    await authorize(context, actor, channelId, "view");
    const { result, next } = await context.network.channelBans.list({ channelId, limit: pageSize, cursor });
    const fids = result.bannedUsers.map(({ fid }) => fid);
    const [names, ours] = await Promise.all([
      readNames(database.query, fids),
      findStandingBans(database.query, { guildId: actor.guildId, channelId }, fids),
    ]);
    const lines = result.bannedUsers.map(({ fid, bannedAt }) => {
      const ban = ours.get(fid);
      const until = ban?.dueAtMs ? ` · ends ${describeTime(ban.dueAtMs / 1000)}` : "";
      const reason = ban?.publicReason ? ` · ${escapeText(ban.publicReason, 80)}` : "";
      const number = ban ? ` · ${showNumber("case", ban.number)}` : "";
      return `${describeUser({ fid, name: names.get(fid) })} · since ${describeTime(bannedAt)}${until}${number}${reason}`;
    });
    const description = lines.join("\n") || "Nobody is banned.";
    return {
      view: { embeds: [{ title: `Banned from /${channelId}`, description, color: colors.plain }] },
      ...(next && { next: next.cursor }),
    };
  },
});
