import { listing } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { countStrikes, listStrikes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText, fitLines, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";

const pageSize = 10;
/** Of one page; Discord takes 4096. */
const maxCharacters = 3800;

export const strikesOf = listing({
  description: "A person's strikes in the channel, newest first",
  options: { user: userOption("Whose: fid, @name or profile link"), channel: channelOption },
  async page(context, { user, channel: given }, cursor) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const { database, clock, actor } = context;
    const person = { guildId: actor.guildId, channelId, fid: user.fid };
    const before = cursor === undefined ? undefined : Number(cursor);
    const { strikes, all } = await listStrikes(database.query, person, { limit: pageSize + 1, before });
    const points = await countStrikes(database.query, clock, actor.guildId, channelId, user.fid);
    const lines = strikes.slice(0, pageSize).map((strike) => describeStrike(strike, clock.now()));
    const { text, fitted } = fitLines(lines, maxCharacters);
    const last = strikes[Math.min(fitted, pageSize) - 1];
    const head = `${describeUser(user)}: ${amount(points, "point")} now, ${amount(all, "strike")} in all`;
    const description = `${head}\n${text || "No strikes."}`;
    return {
      view: { embeds: [{ title: `Strikes in /${channelId}`, description, color: colors.plain }] },
      ...(last && strikes.length > fitted && { next: String(last.id) }),
    };
  },
});

type Strike = Awaited<ReturnType<typeof listStrikes>>["strikes"][number];

function describeStrike(strike: Strike, nowMs: number): string {
  const by = strike.rule_id === null ? `<@${strike.given_by}>` : `rule ${inlineCode(strike.rule_id, 40)}`;
  const reason = strike.reason === null ? [] : [escapeText(strike.reason, 100)];
  const parts = [
    `**${showNumber("strike", strike.id)}** ${amount(strike.points, "point")}`,
    describeTime(strike.given_at_ms / 1000),
    `by ${by}`,
    ...reason,
    ...describeEnd(strike, nowMs),
  ];
  return parts.join(" · ");
}

function describeEnd({ removed_by, expires_at_ms: end }: Strike, nowMs: number): string[] {
  if (removed_by !== null) return [`taken back by <@${removed_by}>`];
  if (end === null) return [];
  return [`${end <= nowMs ? "counted until" : "counts until"} ${describeTime(end / 1000, "f")}`];
}
