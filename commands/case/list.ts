import { listing, text } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { readCaseLookups } from "../../src/moderation/cases/case-lookups.ts";
import { listCases as readCases } from "../../src/moderation/cases/list-cases.ts";
import { findUser } from "../../src/moderation/find-target.ts";
import { colors } from "../../src/text/colors.ts";
import { channelOption, chooseChannel, suggestUser } from "../shared/options.ts";
import { describeCaseActor, describeCaseLine } from "../shared/describe-case.ts";

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
    const { database, actor } = context;
    await authorize(context, actor, channelId, "view");
    const user = typed === undefined ? undefined : await findUser(context, typed);
    const cases = await readCases(database.query, {
      guildId: actor.guildId,
      channelId,
      subjectFid: user?.fid,
      before: cursor === undefined ? undefined : Number(cursor),
      limit: pageSize + 1,
    });
    const shown = cases.slice(0, pageSize);
    const lookups = await readCaseLookups(database.query, shown);
    const lines = shown.map(
      (subject) => `${describeCaseLine(subject, lookups)} · ${describeCaseActor(subject, lookups.names)}`,
    );
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
