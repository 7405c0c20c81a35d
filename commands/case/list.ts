import { listing } from "../../src/discord/command.ts";
import { text } from "../../src/discord/option.ts";
import { colors } from "../../src/discord/view.ts";
import { findUser, namesOf } from "../../src/moderation/find-user.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { chooseChannel } from "../shared/choose-channel.ts";
import { describeActor, describeCaseLine } from "../shared/describe.ts";
import { channelOption, suggestUser } from "../shared/options.ts";

const pageSize = 10;

export const listCases = listing({
  description: "The channel's cases, newest first",
  options: {
    user: text({
      description: "Only about this user: fid, @name or profile link",
      maxLength: 200,
      suggest: suggestUser,
    }),
    channel: channelOption,
  },
  async page(context, { user: typed, channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const user = typed === undefined ? undefined : await findUser(context, typed);
    const cases = await context.database.query
      .selectFrom("castellan.cases")
      .selectAll()
      .where("guild_id", "=", context.actor.guildId)
      .where("channel_id", "=", channelId)
      .$if(user !== undefined, (query) => query.where("target_fid", "=", user?.fid ?? 0))
      .$if(cursor !== undefined, (query) => query.where("number", "<", Number(cursor)))
      .orderBy("number", "desc")
      .limit(pageSize + 1)
      .execute();
    const shown = cases.slice(0, pageSize);
    const names = await namesOf(
      context,
      shown.flatMap(({ target_fid }) => target_fid ?? []),
    );
    const lines = shown.map((subject) => `${describeCaseLine(subject, names)} · ${describeActor(subject)}`);
    const last = shown.at(-1);
    return {
      view: {
        embeds: [
          {
            title: `Cases of /${channelId}`,
            description: lines.join("\n") || "No cases.",
            color: colors.plain,
          },
        ],
      },
      ...(last && cases.length > pageSize && { next: String(last.number) }),
    };
  },
});
