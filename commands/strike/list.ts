import { answer } from "../../src/discord/command.ts";
import { authorize } from "../../src/moderation/authorize.ts";
import { describeUser } from "../../src/observe/people.ts";
import { countStrikes, listStrikes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { colors } from "../../src/text/colors.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { channelOption, chooseChannel, userOption } from "../shared/options.ts";

const most = 20;

export const strikesOf = answer({
  description: "A person's strikes in the channel, newest first",
  options: { user: userOption("Whose: fid, @name or profile link"), channel: channelOption },
  async run(context, { user, channel: given }) {
    const channelId = await chooseChannel(context, given);
    await authorize(context, context.actor, channelId, "view");
    const { database, clock, actor } = context;
    const person = { guildId: actor.guildId, channelId, fid: user.fid };
    const strikes = await listStrikes(database.query, person, most);
    const total = await countStrikes(database.query, clock, actor.guildId, channelId, user.fid);
    const lines = strikes.map((strike) => describeStrike(strike, clock.now()));
    const head = `${describeUser(user)}: ${amount(total, "point")} now`;
    const description = [head, ...(lines.length > 0 ? lines : ["No strikes."])].join("\n");
    return { embeds: [{ title: `Strikes in /${channelId}`, description, color: colors.plain }] };
  },
});

type Strike = Awaited<ReturnType<typeof listStrikes>>[number];

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
