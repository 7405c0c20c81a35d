import { beforeEach, expect, test } from "vitest";
import { newEvent } from "../../src/observe/events.ts";
import { rulesPurpose } from "../../src/observe/live/call-limits.ts";
import { inBackground } from "../../src/observe/live/live-context.ts";
import { createRuleContext, type RuleContext } from "../../src/rules/context.ts";
import { countHidden, findLockdown, saveLockdown } from "../../src/rules/limits/lockdown.ts";
import { countUnknown } from "../../src/rules/limits/report-unknown.ts";
import { showMembersAgain } from "../../src/moderation/cases/show-members-again.ts";
import { evaluatePending, applyOpenCases } from "../support/jobs.ts";
import { saveRules } from "../../src/rules/versions/rules-of-server.ts";
import { useLiveClient } from "../live/live-client-scene.ts";
import { guild } from "../support/observer.ts";
import { rule, ruleSetOf } from "../support/rules.ts";
import { people } from "../support/world.ts";

const members = "/fc/channel-members";
const scene = useLiveClient(0);
let rules: RuleContext;

beforeEach(async () => {
  await scene.link("memes");
  rules = createRuleContext(scene.context, scene.context);
});

async function lockDown(): Promise<void> {
  const now = scene.context.clock.now();
  const lockdown = {
    guild_id: guild,
    channel_id: "memes",
    rule_id: "lockdown-memes",
    begun_by: "1",
    reason: null,
    begun_at_ms: now,
    until_ms: now + 86_400_000,
  };
  await scene.context.database.transaction((tx) => saveLockdown(tx, lockdown));
}

/** Each of these people casts once, and all of it is seen at once. */
async function raid(fids: readonly number[]): Promise<void> {
  const { clock, happen } = scene.context;
  const casts = fids.map((fid) => {
    const castHash = `0x${fid.toString(16).padStart(40, "0")}`;
    scene.client.channels.cast("memes", castHash, fid);
    const data = { castHash, text: "gm", rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
    return newEvent(clock.now(), {
      sourceKey: `cast:${castHash}`,
      kind: "cast.created",
      channelId: "memes",
      subjectFid: fid,
      data,
    });
  });
  await happen(...casts);
}

const some = (count: number, from = 1000) => Array.from({ length: count }, (_, index) => from + index);

/** The workers go on for so many seconds of the test's clock, or until this is so and a minute longer. */
async function goOn(seconds: number, until: () => boolean = () => false): Promise<void> {
  const { clock } = scene.context;
  let end = clock.monotonic() + seconds * 1000;
  let isOver = false;
  while (clock.monotonic() < end) {
    if (!isOver && until()) {
      isOver = true;
      end = Math.min(end, clock.monotonic() + 60_000);
    }
    await scene.live(10, undefined, 10);
    while ((await evaluatePending(inBackground(rules, rulesPurpose))) > 0);
    await applyOpenCases(scene.context);
    await showMembersAgain(scene.context);
  }
}

function visible(): number[] {
  return [...scene.client.channels.casts.values()].filter(({ hidden }) => !hidden).map(({ fid }) => fid);
}

async function outcomes(): Promise<Record<string, number>> {
  const rows = await scene.context.database.query
    .selectFrom("castellan.rule_decisions")
    .select("outcome")
    .execute();
  const counts: Record<string, number> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function alerts(): Promise<object[]> {
  return scene.observer.events("rule.alert");
}

test.each([
  ["with events of the channel", true],
  ["without", false],
])("500 people who are no members are hidden, each of them, %s", async (_, servesEvents) => {
  scene.client.servesEvents = servesEvents;
  await lockDown();
  await raid([...some(500), people.owner]);
  await goOn(900, () => visible().length === 1);
  expect(visible()).toEqual([people.owner]);
  expect(await outcomes()).toEqual({ acted: 500 });
});

test("where members cannot be read, those that are known stay, and all others are hidden and told of", async () => {
  scene.client.servesEvents = false;
  scene.client.channels.setStanding("memes", people.member, "member");
  await goOn(400);
  await lockDown();
  scene.client.fail(members, { what: "status", status: 429, retryAfter: 30 });
  await raid([...some(40), people.member]);
  await goOn(180);
  expect(visible()).toEqual([people.member]);
  expect(await outcomes()).toEqual({ acted: 40 });
  const lockdown = await findLockdown(scene.context.database.query, guild, "memes");
  expect(lockdown && (await countHidden(scene.context.database.query, [lockdown])).get("memes")).toEqual({
    casts: 40,
    inDoubt: 40,
  });
  const [hit] = await scene.observer.events("rule.hit");
  expect(JSON.stringify(hit?.data)).toContain("hide the cast: done. It is not known whether the rule");
});

test("a member of whom that could not be read in time is shown again once the list says so, and nobody else", async () => {
  scene.client.servesEvents = false;
  await lockDown();
  scene.client.channels.setStanding("memes", people.member, "member");
  scene.context.clock.advance(1);
  scene.client.fail(members, { what: "status", status: 429, retryAfter: 30 });
  await raid([people.member, people.troll]);
  await goOn(120);
  expect(visible()).toEqual([]);
  scene.client.channels.setStanding("memes", people.troll, "member");
  scene.client.fail(members, undefined);
  await goOn(600, () => visible().length === 1);
  expect(visible()).toEqual([people.member]);
  const cases = await scene.context.database.query
    .selectFrom("castellan.cases")
    .select(["kind", "state", "has_expired"])
    .where("target_key", "like", `%${people.member.toString(16).padStart(40, "0")}`)
    .orderBy("id")
    .execute();
  expect(cases).toEqual([
    { kind: "hide", state: "reverted", has_expired: false },
    { kind: "unhide", state: "applied", has_expired: false },
  ]);
});

test("a rule that skips what it cannot know is asked again while only the limits keep it from knowing", async () => {
  const followers = "/v1/user-channel";
  const skips = rule({ id: "strangers", when: { "author.follows_channel": false }, then: [{ hide: {} }] });
  const save = {
    guildId: guild,
    ruleSet: ruleSetOf(skips),
    change: "",
    savedBy: "1",
    savedAt: 0,
    baseVersion: 0,
  };
  await scene.context.database.transaction((tx) => saveRules(tx, save));
  await raid(some(40));
  await goOn(300, () => visible().length === 0);
  expect(visible()).toEqual([]);
  expect(await alerts()).toEqual([]);
  scene.client.fail(followers, { what: "status", status: 429, retryAfter: 3600 });
  await raid(some(10, 5000));
  await goOn(2700);
  expect(visible()).toHaveLength(10);
  expect(await outcomes()).toEqual({ acted: 40, unknown: 10 });
  expect(await countUnknown(scene.context.database.query, scene.context.clock, guild)).toEqual([
    { ruleId: "strangers", events: 10 },
  ]);
  expect((await alerts()).length).toBeGreaterThan(0);
});
