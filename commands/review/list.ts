import { listing, text } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { describeUser, readNames } from "../../src/observe/people.ts";
import { listOpenItems } from "../../src/rules/review/review-items.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, inlineCode } from "../../src/text/message-text.ts";
import { channelOption, chooseChannel } from "../shared/options.ts";
import { showNumber } from "../../src/text/numbered.ts";

const pageSize = 10;

export const listReviews = listing({
  description: "What rules hold for a person and nobody has decided yet, oldest first",
  options: {
    queue: text({ description: "Only this queue, as the rule names it", maxLength: 40 }),
    channel: channelOption,
  },
  async page(context, { queue, channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const { guildId } = context.actor;
    const asked = { guildId, channelId, queue: queue?.trim().toLowerCase(), after: Number(cursor ?? 0) };
    const items = await listOpenItems(context.database.query, { ...asked, limit: pageSize + 1 });
    const shown = items.slice(0, pageSize);
    const names = await readNames(
      context.database.query,
      shown.flatMap(({ fid }) => fid ?? []),
    );
    const lines = shown.map(({ id, queue, rule_id, fid, held_at_ms, claimed_by }) => {
      const whom = fid === null ? "" : ` · ${describeUser({ fid, name: names.get(fid) })}`;
      const claim = claimed_by === null ? "" : ` · <@${claimed_by}> is looking at it`;
      return `**${showNumber("review", id)}** ${inlineCode(queue, 40)} · rule ${inlineCode(rule_id, 40)}${whom} · ${describeTime(held_at_ms / 1000)}${claim}`;
    });
    const last = shown.at(-1);
    return {
      view: {
        embeds: [
          {
            title: `Held for review in /${channelId}`,
            description: lines.join("\n") || "Nothing is waiting for a decision.",
            ...(last && { footer: "/review show <number> opens one" }),
            color: colors.plain,
          },
        ],
      },
      ...(last && items.length > pageSize && { next: String(last.id) }),
    };
  },
});
