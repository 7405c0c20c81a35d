import { countStrikes, listStrikes } from "../../src/rules/decide/strikes-and-notes.ts";
import { amount } from "../../src/text/amount.ts";
import { describeTime, escapeText, inlineCode } from "../../src/text/message-text.ts";
import { showNumber } from "../../src/text/numbered.ts";
import { listAboutPerson } from "../shared/list-about-person.ts";

export const strikesOf = listAboutPerson({
  description: "A person's strikes in the channel, newest first",
  whose: "Whose: fid, @name or profile link",
  title: "Strikes",
  async read({ database, clock }, person, page) {
    const { strikes, all } = await listStrikes(database.query, person, page);
    const points = await countStrikes(database.query, clock, person);
    return { rows: strikes, total: `${amount(points, "point")} now, ${amount(all, "strike")} in all` };
  },
  describe: describeStrike,
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
  if (removed_by !== null) return [`removed by <@${removed_by}>`];
  if (end === null) return [];
  return [`${end <= nowMs ? "counted until" : "counts until"} ${describeTime(end / 1000, "f")}`];
}
