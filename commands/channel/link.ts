import { answer, text } from "../../src/discord/command.ts";
import { describeWayIn } from "../../src/moderation/channel-links.ts";
import { linkChannel } from "../../src/moderation/link-channel.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { colors } from "../../src/text/colors.ts";
import { readChannelId } from "../shared/options.ts";

export const link = answer({
  description: "Link a channel that you own or moderate; needs Manage Server here",
  options: {
    channel: text({
      description: "The channel's id, such as memes, or its link",
      required: true,
      maxLength: 100,
    }),
  },
  async run(context, { channel: given }) {
    const { channel, renewed, way } = await linkChannel(context, context.actor, readChannelId(given));
    const next =
      way === "moderator"
        ? "Castellan moderates it, so everything works now."
        : `Castellan does not moderate it yet: ${describeWayIn(context.botFid, way)}`;
    const rules = await findRules(context, context.actor.guildId);
    const lines = [
      renewed ? `The link to /${channel.id} is renewed.` : `/${channel.id} is linked to this server.`,
      next,
      ...(rules
        ? [`This server's rules, version ${rules.version}, apply to it from now on: /rule list.`]
        : []),
      "",
      "Next: `/feed add` in the room that should hear about it, and `/channel settings` to let roles act.",
    ];
    return { embeds: [{ description: lines.join("\n"), color: colors.good }] };
  },
});
