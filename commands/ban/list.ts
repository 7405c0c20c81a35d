import { listing } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { findStandingBans } from "../../src/moderation/cases/standing-bans.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { describeTime, escapeText } from "../../src/text/message-text.ts";
import { openCaseButtons } from "../shared/leading-buttons.ts";
import { nameCase } from "../shared/describe-case.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 15;

export const listBans = listing({
  description: "Who is banned from the channel now",
  needs: "view",
  options: { channel: channelOption },
  async page(context, { channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    const { database, actor } = context;
    await authorize(context, actor, channelId, "view");
    const { result, next } = await context.network.channelBans.list({ channelId, limit: pageSize, cursor });
    const fids = result.bannedUsers.map(({ fid }) => fid);
    const [names, ours] = await Promise.all([
      readNames(database.query, fids),
      findStandingBans(database.query, channelId, fids),
    ]);
    const lines = result.bannedUsers.map(({ fid, bannedAt }) => {
      const ban = ours.get(fid);
      const until = ban?.untilMs == null ? "for good" : `ends ${describeTime(ban.untilMs / 1000)}`;
      const number = ban ? ` · ${nameCase(ban.by, actor)}` : "";
      const isOurs = ban?.by.guildId === actor.guildId;
      const reason = isOurs && ban?.reason ? ` · ${escapeText(ban.reason, 80)}` : "";
      return `${describeUser({ fid, name: names.get(fid) })} · since ${describeTime(bannedAt)} · ${until}${number}${reason}`;
    });
    const description = lines.join("\n") || "Nobody is banned.";
    const cases = fids.flatMap((fid) => {
      const by = ours.get(fid)?.by;
      return by?.guildId === actor.guildId ? [by] : [];
    });
    const buttons = openCaseButtons(cases.map(({ number }) => ({ number, channelId })));
    return {
      view: { ...textView("plain", description, { title: `Banned from /${channelId}` }), buttons },
      ...(next && { next: next.cursor }),
    };
  },
});
