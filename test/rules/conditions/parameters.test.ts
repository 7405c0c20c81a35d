import { describe, expect, it } from "vitest";
import { mistakesIn, rule, ruleFile } from "../../support/rules.ts";

/** What is wrong with a condition, after the place where it stands. */
function mistakesOf(when: Record<string, unknown>): string[] {
  const on = "name" in when ? ["username_proof.merged"] : ["cast.created"];
  return mistakesIn(ruleFile([rule({ when, on, then: [{ ban: {} }] })])).map((mistake) =>
    mistake.replace(/^.*?rule scam, when\./, ""),
  );
}

const rate = { of: "cast.created", by: "author", within: "2m", gte: 6 };
const link = { "text.links": { gte: 1 } };
const only =
  "only by text, text.length, text.links, embed.pictures, embed.domain, is_reply, thread.depth, author.fid";
const duplicate = { of: "text", by: "author", within: "1h", gte: 3 };
const history = { event: "cast.created", by: "author", within: "7d", gte: 3 };
const changes = { within: "30d", gte: 3 };
const notDuration = 'must be a number with s, m, h, d or w, such as "10m" or "7d"';
const notTime = 'must be a time of day in quotes, such as "22:00"';
const notZone = 'must be a time zone, such as "Europe/Berlin" or "UTC"';

describe("parameters of a condition", () => {
  it.each<[Record<string, unknown>]>([
    [{ rate: { ...rate, gte: 2, within: "1s" } }],
    [
      {
        rate: {
          ...rate,
          gte: 200,
          when: { all: [{ "text.links": { gte: 1 } }, { not: { is_reply: true } }] },
        },
      },
    ],
    [{ rate: { ...rate, gte: 10_000, within: "1d" } }],
    [{ duplicate: { ...duplicate, gte: 2, within: "1m" } }],
    [{ duplicate: { ...duplicate, gte: 10_000, within: "30d", by: "channel" } }],
    [{ history: { ...history, gte: 1, within: "1m" } }],
    [{ history: { ...history, gte: 10_000, within: "90d" } }],
    [{ "author.name_changes": { gte: 1, within: "1h" } }],
    [{ "author.name_changes": { gte: 100, within: "365d" } }],
    [{ "author.name_age": { lt: "1s" } }],
    [{ "author.name_age": { lt: "3650d" } }],
    [{ "author.in_starter_pack": { id: "a" } }],
    [{ "author.in_starter_pack": { id: "a".repeat(256) } }],
    [{ "embed.domain": { in: Array(1000).fill("a.example") } }],
    [{ "embed.domain": { eq: `${"a.".repeat(125)}bcd` } }],
    [{ time: { between: ["00:00", "23:59"] } }],
    [{ time: { between: ["09:30", "19:05"] } }],
    [{ time: { days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] } }],
    [{ time: { days: ["mon"], zone: "America/Argentina/ComodRivadavia" } }],
  ])("may be %j", (when) => {
    expect(mistakesOf(when)).toEqual([]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ rate: { ...rate, gte: 1 } }, "rate.gte: is too small: at least 2"],
    [{ rate: { ...rate, gte: 201, when: link } }, "rate.when: counts at most 200 casts: make gte smaller"],
    [
      { rate: { ...rate, of: "record.hidden", when: link } },
      "rate.when: selects casts: it goes with cast.created alone",
    ],
    [
      { rate: { ...rate, when: { "text.link": { gte: 1 } } } },
      'rate.when.text.link: unknown condition "text.link"; did you mean "text.links"?',
    ],
    [
      { rate: { ...rate, when: { "author.is_member": true } } },
      `rate.when: cannot select casts by author.is_member: ${only}`,
    ],
    [{ rate: { ...rate, when: { rate } } }, `rate.when: cannot select casts by rate: ${only}`],
    [{ rate: { ...rate, gte: 10_001 } }, "rate.gte: is too large: at most 10000"],
    [{ rate: { ...rate, gte: 2.5 } }, "rate.gte: must be a whole number, not a number"],
    [{ rate: { ...rate, within: "2d" } }, "rate.within: must be between 1s and 1d"],
    [{ rate: { ...rate, by: "anybody" } }, "rate.by: must be one of author, channel"],
    [{ rate: { ...rate, per: "1h" } }, 'rate.per: unknown key "per"'],
    [{ duplicate: { ...duplicate, gte: 1 } }, "duplicate.gte: is too small: at least 2"],
    [{ duplicate: { ...duplicate, gte: 10_001 } }, "duplicate.gte: is too large: at most 10000"],
    [{ duplicate: { ...duplicate, within: "59s" } }, "duplicate.within: must be between 1m and 30d"],
    [{ duplicate: { ...duplicate, within: "31d" } }, "duplicate.within: must be between 1m and 30d"],
    [{ duplicate: { ...duplicate, of: "name" } }, "duplicate.of: must be text"],
    [{ history: { ...history, gte: 0 } }, "history.gte: is too small: at least 1"],
    [{ history: { ...history, gte: 10_001 } }, "history.gte: is too large: at most 10000"],
    [{ history: { ...history, within: "59s" } }, "history.within: must be between 1m and 90d"],
    [{ history: { ...history, within: "91d" } }, "history.within: must be between 1m and 90d"],
    [{ history: { ...history, by: "channel" } }, "history.by: must be author"],
    [{ history: { ...history, within: "soon" } }, `history.within: ${notDuration}`],
    [{ "author.name_changes": { ...changes, gte: 0 } }, "author.name_changes.gte: is too small: at least 1"],
    [
      { "author.name_changes": { ...changes, gte: 101 } },
      "author.name_changes.gte: is too large: at most 100",
    ],
    [
      { "author.name_changes": { ...changes, within: "59m" } },
      "author.name_changes.within: must be between 1h and 365d",
    ],
    [
      { "author.name_changes": { ...changes, within: "366d" } },
      "author.name_changes.within: must be between 1h and 365d",
    ],
    [{ "author.name_age": { lt: 7 } }, "author.name_age.lt: must be a text, not a number"],
    [{ "author.in_starter_pack": { id: "" } }, "author.in_starter_pack.id: is empty"],
    [
      { "author.in_starter_pack": { id: "a".repeat(257) } },
      "author.in_starter_pack.id: is too long: at most 256",
    ],
    [
      { "author.verification": { platform: "myspace" } },
      "author.verification.platform: must be one of x, github, discord",
    ],
    [{ "author.is_member": "yes" }, "author.is_member: must be true or false, not a text"],
    [{ "embed.domain": { in: [] } }, "embed.domain.in: is empty"],
    [{ "embed.domain": { in: Array(1001).fill("a.example") } }, "embed.domain.in: is too long: at most 1000"],
    [{ "embed.domain": { eq: `${"a.".repeat(126)}bc` } }, "embed.domain.eq: is too long: at most 253"],
    [{ "embed.domain": {} }, "embed.domain: needs exactly one of eq, in, in_list"],
    [
      { text: {} },
      "text: needs exactly one of contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
    ],
    [
      { name: {} },
      "name: needs exactly one of confusable_with, contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
    ],
    [
      { "author.name": {} },
      "author.name: needs exactly one of confusable_with, contains, starts_with, matches, eq, ne, in, in_list, contains_in_list",
    ],
    [{ "author.fid": {} }, "author.fid: needs exactly one of eq, ne, lt, lte, gt, gte, between, in, in_list"],
    [{ "author.cases": {} }, "author.cases: needs exactly one of eq, ne, lt, lte, gt, gte, between, in"],
    [{ time: {} }, "time: needs between, days or both"],
    [{ time: { days: [] } }, "time.days: is empty"],
    [{ time: { days: Array(8).fill("mon") } }, "time.days: is too long: at most 7"],
    [{ time: { days: ["monday"] } }, "time.days[0]: must be one of sun, mon, tue, wed, thu, fri, sat"],
    [{ time: { between: ["24:00", "06:00"] } }, `time.between[0]: ${notTime}`],
    [{ time: { between: ["22:00", "6:00"] } }, `time.between[1]: ${notTime}`],
    [{ time: { between: ["22:60", "06:00"] } }, `time.between[0]: ${notTime}`],
    [{ time: { between: ["022:00", "06:00"] } }, `time.between[0]: ${notTime}`],
    [{ time: { between: ["22:000", "06:00"] } }, `time.between[0]: ${notTime}`],
    [{ time: { days: ["mon"], zone: "Mars/Olympus" } }, `time.zone: ${notZone}`],
    [{ time: { days: ["mon"], zone: "" } }, `time.zone: ${notZone}`],
    [{ time: { days: ["mon"], zone: "x".repeat(61) } }, "time.zone: is too long: at most 60"],
  ])("may not be %j: %s", (when, mistake) => {
    expect(mistakesOf(when)).toEqual([mistake]);
  });
});
