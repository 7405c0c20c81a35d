import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Case, CaseKind } from "../../../src/moderation/cases/case.ts";
import {
  countFitting,
  listCases,
  type CaseFilter,
  type CasePlace,
} from "../../../src/moderation/cases/list-cases.ts";
import { openTestDatabase } from "../../support/database.ts";

const database = await openTestDatabase();
afterAll(() => database.close());

const scope = { guildId: "g'1", channelId: "memes" };
const all = 1600;
const kinds: CaseKind[] = ["ban", "hide", "unpin"];
const madeCases = Array.from({ length: all }, (_, index) => {
  const number = index + 1;
  return {
    number,
    kind: kinds[number % 50 === 0 ? 2 : number % 2] ?? "ban",
    subjectFid: number % 7,
    actorUser: `mod${number % 5}`,
    // What happened outside is numbered when it is seen, which may be much later.
    requestedAtMs: 1_700_000_000_000 + (number % 10 === 0 ? -number * 1000 : number * 1000),
    // In all, in half, in the older half, in one of a hundred, and in one.
    text: `spam ${number % 2 === 0 ? "lamps" : "rugs"} ${number <= all / 2 ? "early" : ""} n${number % 100} only${number}`,
  };
});

const rows = madeCases.map(({ text, requestedAtMs, ...one }) => ({
  ...one,
  text,
  requestedAtMs,
  reason: one.number % 3 === 0 ? text : null,
}));
for (const guildId of [scope.guildId, "elsewhere"]) {
  await sql`
    insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, target_fid, subject_fid, actor_kind,
      actor_user, public_reason, evidence, requested_at_ms)
    select ${guildId}, 'memes', number, 'memes ' || "subjectFid", kind, 'applied', "subjectFid", "subjectFid", 'person',
      "actorUser", reason, case when reason is null then text end, "requestedAtMs"
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as made (number integer, kind text, "subjectFid" bigint,
      "actorUser" text, reason text, text text, "requestedAtMs" bigint)
  `.execute(database.query);
}

/** What fits, by going through all. */
function expected(filter: Partial<CaseFilter>): number[] {
  const { words, sinceMs = 0, untilMs = Infinity } = filter;
  const fitting = madeCases.filter(
    (one) =>
      (filter.subjectFid ?? one.subjectFid) === one.subjectFid &&
      (filter.actorUser ?? one.actorUser) === one.actorUser &&
      (filter.kind ?? one.kind) === one.kind &&
      one.requestedAtMs >= sinceMs &&
      one.requestedAtMs < untilMs &&
      (words ?? "")
        .split(" ")
        .every((word) => word === "" || one.text.split(" ").some((had) => isHit(had, word))),
  );
  const isSpan = filter.sinceMs !== undefined || filter.untilMs !== undefined;
  const place = (one: CasePlace) => (isSpan ? one.requestedAtMs : one.number);
  return fitting.toSorted((one, other) => place(other) - place(one)).map(({ number }) => number);
}

const isHit = (had: string, word: string) => (word.length < 3 ? had === word : had.startsWith(word));

const midMs = 1_700_000_000_000 + (all / 2) * 1000;
const filters: Record<string, Partial<CaseFilter>> = {
  nothing: {},
  "a person": { subjectFid: 3 },
  "a time": { sinceMs: midMs, untilMs: midMs + 20_000 },
  "until a time": { untilMs: midMs },
  "since a time, of a kind": { sinceMs: midMs, kind: "unpin" },
  "a word of all": { words: "spam" },
  "a word of half": { words: "lamps" },
  "a word of old cases": { words: "early" },
  "a rare word": { words: "n7" },
  "words of one case": { words: "lamps only1000" },
  "beginnings of words": { words: "lam only10" },
  "words of none": { words: "zebra" },
  "a rare word of a moderator": { words: "n7", actorUser: "mod2" },
  "a word within a time": { words: "rugs", sinceMs: midMs, untilMs: midMs + 700_000 },
  "a rare word until a time": { words: "n0", untilMs: midMs },
};

describe.each(Object.entries(filters))("cases by %s", (_, filter) => {
  test("are all that fit, in order, however they are paged, and counted as far as asked", async () => {
    const numbers = expected(filter);
    for (const limit of [11, 600]) {
      const seen: number[] = [];
      for (let before: Case | undefined; ;) {
        const page = await listCases(database.query, { ...scope, ...filter, before, limit });
        seen.push(...page.map(({ number }) => number));
        before = page.at(-1);
        if (page.length < limit) break;
      }
      expect(seen).toEqual(numbers);
    }
    for (const most of [11, 1001, 5000]) {
      const counted = await countFitting(database.query, { ...scope, ...filter }, most);
      expect(counted).toBe(Math.min(most, numbers.length));
    }
  });
});

test("words that are only signs are in no case", async () => {
  const filter = { ...scope, words: "!!!" };
  expect(await listCases(database.query, { ...filter, limit: 11 })).toEqual([]);
  expect(await countFitting(database.query, filter, 11)).toBe(0);
});

test("another channel's words are not found, whatever it is called", async () => {
  for (const channelId of ["mem", "memes'", "memes' | 'spam", "memes\\"]) {
    const filter = { ...scope, channelId, words: "spam" };
    expect(await listCases(database.query, { ...filter, limit: 11 })).toEqual([]);
    expect(await countFitting(database.query, filter, 11)).toBe(0);
  }
});

describe("what people write", () => {
  const texts = [
    "これはスパム広告です、另一个骗子账号",
    "ผู้ใช้ปลอม",
    "LINE追加 https://evil.example/claim",
    "free.evil.example, an alternative’s",
    "字",
    "스팸을 보냈다",
    String.raw`“it's” 100% \\ 'quoted'`,
  ];
  beforeAll(async () => {
    await sql`
      insert into castellan.cases (guild_id, channel_id, number, target_key, kind, state, target_fid, subject_fid, actor_kind,
        public_reason, requested_at_ms)
      select 'g2', channel, number, 'c ' || number, 'ban', 'applied', 7, 7, 'person', said, number
      from unnest(${texts}::text[]) with ordinality as made (said, number), unnest(array['art', 'memes']) as channel
    `.execute(database.query);
  });
  const find = async (words: string) => {
    const filter = { guildId: "g2", channelId: "art", words };
    const cases = await listCases(database.query, { ...filter, limit: 11 });
    expect(await countFitting(database.query, filter, 11)).toBe(cases.length);
    return cases.map(({ number }) => number).toReversed();
  };

  test.each<[string, number[]]>([
    ["スパム", [1]],
    ["パ", [1]],
    ["広告 骗子", [1]],
    ["号", [1]],
    ["广告", []],
    ["告広", []],
    ["ผู้ใช้", [2]],
    ["ปลอม", [2]],
    ["line追加", [3]],
    ["追加 evil", [3]],
    ["字", [5]],
    ["스팸", [6]],
    ["팸을", [6]],
    ["evil", [3]],
    ["evil.example", [3]],
    ["altern", [4]],
    ["al", []],
    ["quo", [7]],
    ["it's", [7]],
    ["' & 'x", []],
  ])("%j is found in %j", async (words, numbers) => {
    expect(await find(words)).toEqual(numbers);
  });
});
