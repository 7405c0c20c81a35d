import { listing } from "../../src/discord/command.ts";
import { countInviteCalls, invitesAnHour } from "../../src/moderation/cases/case.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { channelOption, chooseChannelFor } from "../shared/options.ts";
import { describeTime } from "../../src/text/message-text.ts";
import { textView } from "../../src/discord/view.ts";

const pageSize = 15;

export const listInvites = listing({
  description: "Invites to the channel that are still pending",
  needs: "view",
  options: { channel: channelOption },
  async page(context, { channel: given }, cursor) {
    const channelId = await chooseChannelFor(context, given, "view");
    const { result, next } = await context.network.channelInvites.list({
      channelId,
      limit: pageSize,
      cursor,
    });
    const { invites } = result;
    const names = await readNames(
      context.database.query,
      invites.flatMap(({ invitedFid, inviterFid }) => [invitedFid, inviterFid]),
    );
    const user = (fid: number) => describeUser({ fid, name: names.get(fid) });
    const lines = invites.map(
      ({ invitedFid, inviterFid, role, invitedAt }) =>
        `${user(invitedFid)} as ${role} · by ${inviterFid === context.botFid ? "Castellan" : user(inviterFid)} · ${describeTime(invitedAt)}`,
    );
    const used = (await countInviteCalls(context, [channelId])).get(channelId) ?? 0;
    return {
      view: textView("plain", lines.join("\n") || "No invites are pending.", {
        title: `Invites to /${channelId}`,
        footer: `${used} of ${invitesAnHour} calls used in the last hour`,
      }),
      ...(next && { next: next.cursor }),
    };
  },
});
