import { describe, expect, it } from "vitest";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { author, rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2] });
const { network } = engine;
const { database, clock } = network.context;

/** Lets a rule with these actions fire on one cast. */
async function fire(...then: object[]): Promise<void> {
  await engine.save(rule({ then }));
  await engine.append(engine.cast("airdrop"));
  await evaluatePending(engine.context);
}

const strikes = () => database.query.selectFrom("castellan.strikes").selectAll().orderBy("id").execute();
const told = (kind: string) =>
  database.query.selectFrom("castellan.events").selectAll().where("kind", "=", kind).orderBy("id").execute();

describe("an action on the network becomes a case", () => {
  it.each([
    [{ hide: {} }, { kind: "hide", target_fid: null }],
    [{ unhide: {} }, { kind: "unhide", target_fid: null }],
    [{ pin: {} }, { kind: "pin", notify: false, target_key: "memes pin" }],
    [{ unpin: {} }, { kind: "unpin", target_key: "memes pin" }],
    [
      { ban: { reason: "scam" } },
      { kind: "ban", target_fid: author, due_at_ms: null, public_reason: "scam" },
    ],
    [{ unban: {} }, { kind: "unban", target_fid: author }],
    [{ remove_member: {} }, { kind: "remove_member", target_fid: author, role: "member" }],
    [{ invite: { role: "member" } }, { kind: "invite", target_fid: author, role: "member" }],
  ])("%j", async (action, expected) => {
    await fire(action);
    const [subject, ...others] = await engine.cases();
    expect(subject).toMatchObject({ ...expected, actor_kind: "rule", rule_id: "scam", depth: 1 });
    expect(subject?.["target_fid"] === null).toBe(String(subject?.["target_cast"]).startsWith("0x"));
    expect(others).toEqual([]);
  });

  it.each([
    [{ ban: { for: "2h" } }, 7_200_000],
    [{ soft_ban: {} }, 0],
  ])("%j ends after %i milliseconds", async (action, length) => {
    await fire(action);
    expect((await engine.cases()).map((row) => row["due_at_ms"])).toEqual([clock.now() + length]);
  });

  it("unpins whatever is pinned where the event is about no cast", async () => {
    await engine.save(
      rule({ on: ["member.joined"], when: { "author.is_member": false }, then: [{ unpin: {} }] }),
    );
    await engine.append(engine.cast("", { kind: "member.joined", data: { at: 1 } }));
    await evaluatePending(engine.context);
    expect(await engine.cases()).toMatchObject([{ kind: "unpin", target_cast: null }]);
  });

  it.each([{ moderator: {} }, { invite: { role: "moderator" } }, { pin: { notify: true } }])(
    "%j is not for rules",
    async (action) => {
      await expect(engine.save(rule({ then: [action] }))).rejects.toMatchObject({ code: "invalid_file" });
    },
  );
});

describe("strikes", () => {
  it("are given with their end, and told with the total that counts", async () => {
    await fire({ strike: { points: 2, ttl: "1h" } });
    expect(await strikes()).toMatchObject([
      {
        guild_id: guild,
        channel_id: "memes",
        fid: author,
        points: 2,
        expires_at_ms: clock.now() + 3_600_000,
      },
    ]);
    await engine.append(engine.cast("airdrop"));
    await evaluatePending(engine.context);
    clock.advance(3600);
    await engine.append(engine.cast("airdrop"));
    await evaluatePending(engine.context);
    expect(
      (await told("strike.added")).map(({ data, depth, subject_fid }) => [data, depth, subject_fid]),
    ).toEqual(
      [
        [1, 2],
        [4, 4],
        [7, 2],
      ].map(([eventId, total]) => [{ guildId: guild, ruleId: "scam", eventId, points: 2, total }, 1, author]),
    );
  });

  it("count for good where no end is given", async () => {
    await fire({ strike: { points: 3 } });
    expect(await strikes()).toMatchObject([{ points: 3, expires_at_ms: null }]);
  });

  it("set off other rules, but not the one that gave them", async () => {
    const escalate = { on: ["cast.created", "strike.added"], when: { "author.is_member": false } };
    await engine.save(
      rule({ ...escalate, then: [{ strike: {} }] }),
      rule({ ...escalate, id: "escalate", on: ["strike.added"], then: [{ ban: { for: "7d" } }] }),
    );
    await engine.append(engine.cast("airdrop"));
    while ((await evaluatePending(engine.context)) > 0);
    expect(await strikes()).toHaveLength(1);
    expect(await engine.cases()).toMatchObject([{ kind: "ban", rule_id: "escalate", depth: 2 }]);
  });

  it("belong to the server whose rule gave them", async () => {
    await engine.link("memes", "901");
    await fire({ strike: {} });
    const queued = await database.query.selectFrom("castellan.rule_evaluations").selectAll().execute();
    expect(queued.filter(({ guild_id }) => guild_id !== guild)).toEqual([]);
  });
});

describe("words", () => {
  it("are noted about the author", async () => {
    await fire({ note: { text: "Said airdrop" } });
    expect(await database.query.selectFrom("castellan.user_notes").selectAll().execute()).toMatchObject([
      { fid: author, text: "Said airdrop", rule_id: "scam", written_at_ms: clock.now() },
    ]);
  });

  it("call people, in all rooms or in one of the server's own", async () => {
    const feed = { guild_id: guild, room_id: "77", channel_ids: null, kinds: [], name_pattern: null };
    await database.query
      .insertInto("castellan.feeds")
      .values([
        { ...feed, created_by: "1", created_at_ms: 0 },
        { ...feed, guild_id: "901", room_id: "78", created_by: "1", created_at_ms: 0 },
      ])
      .execute();
    await fire(
      { alert: { text: "Come" } },
      { post: { room: "77", text: "Here" } },
      { post: { room: "78", text: "x" } },
    );
    expect((await told("rule.alert")).map(({ data }) => data)).toEqual([
      { guildId: guild, ruleId: "scam", eventId: 1, text: "Come" },
      { guildId: guild, ruleId: "scam", eventId: 1, text: "Here", roomId: "77" },
    ]);
    expect((await engine.decisions()).map((row) => row["why"])).toEqual([
      null,
      null,
      "Room 78 has no feed of this server; /feed add adds one.",
    ]);
  });
});
