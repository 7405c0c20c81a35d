import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { saveRules } from "../../../src/rules/versions/rules-of-server.ts";
import { createRuleEngine, guild } from "../../support/rule-engine.ts";
import { rule, ruleSetOf } from "../../support/rules.ts";

const engine = await createRuleEngine();
const { database } = engine.network.context;
afterAll(() => database.close());
beforeEach(async () => {
  await database.truncate();
  await engine.link("memes");
});

const onNames = rule({
  id: "names",
  on: ["username_proof.merged"],
  when: { name: { eq: "x" } },
  then: [{ ban: {} }],
});

let keys = 0;
/** Appends an event and gives the channels that it is queued for. */
async function queuedFor(change: Record<string, unknown>): Promise<string[]> {
  keys += 1;
  const event = {
    sourceKey: `key:${keys}`,
    kind: "record.hidden",
    channelId: "memes",
    subjectFid: 7,
    occurredAt: 1,
    observedAt: 1000,
    depth: 0,
    caseId: null,
    data: { castHash: `0x${"a".repeat(40)}` },
    ...change,
  };
  // Put together from parts that fit each other.
  await engine.append(event as NewChannelEvent);
  const rows = await database.query
    .selectFrom("castellan.rule_evaluations")
    .selectAll()
    .orderBy("guild_id")
    .orderBy("channel_id")
    .execute();
  return rows.map((row) => `${row.guild_id}/${row.channel_id}`);
}

const onHidden = rule({ on: ["record.hidden"], when: { text: { contains: "x" } }, then: [{ ban: {} }] });
const proof = (change: string) => ({
  kind: "username_proof.merged",
  channelId: null,
  data: { name: "x", owner: "0x", change },
});

describe("an event is queued", () => {
  it("for each server that linked its channel and has rules for its kind", async () => {
    await engine.link("memes", "901");
    await engine.link("art");
    await engine.save(onHidden);
    expect(await queuedFor({})).toEqual([`${guild}/memes`]);
  });

  it("for every linked channel when it belongs to none", async () => {
    await engine.link("art");
    await engine.save(onNames);
    expect(await queuedFor(proof("transferred"))).toEqual([`${guild}/art`, `${guild}/memes`]);
  });

  it("for its own server alone when it belongs to one", async () => {
    const onStrikes = rule({
      on: ["strike.added"],
      when: { "author.strikes": { gte: 1 } },
      then: [{ ban: {} }],
    });
    await engine.link("memes", "901");
    await engine.save(onStrikes);
    const ruleSet = ruleSetOf(onStrikes);
    const other = { guildId: "901", ruleSet, change: "import", savedBy: "1", savedAt: 0, baseVersion: 0 };
    await database.transaction((tx) => saveRules(tx, other));
    const data = { guildId: "901", ruleId: "scam", points: 1, total: 1, until: null };
    expect(await queuedFor({ kind: "strike.added", data })).toEqual(["901/memes"]);
  });

  it("once, however often it is seen", async () => {
    await engine.save(onHidden);
    await queuedFor({ sourceKey: "same" });
    expect(await queuedFor({ sourceKey: "same" })).toHaveLength(1);
  });
});

describe("an event is not queued", () => {
  it.each<[string, Record<string, unknown>]>([
    ["of a kind that no rule listens to", { kind: "member.joined", data: { at: 1 } }],
    ["of a channel that is not linked", { channelId: "art" }],
    ["that a rule only listens to while it is off", proof("registered")],
  ])("%s", async (_, change) => {
    await engine.save(onHidden, { ...onNames, mode: "off" });
    expect(await queuedFor(change)).toEqual([]);
  });

  it("about a name that was released", async () => {
    await engine.save(onNames);
    expect(await queuedFor(proof("released"))).toEqual([]);
  });

  it("while the link is suspended", async () => {
    await engine.save(onHidden);
    await database.query.updateTable("castellan.links").set({ suspended_at_ms: 1 }).execute();
    expect(await queuedFor({})).toEqual([]);
  });

  it("where there are no rules", async () => {
    expect(await queuedFor({})).toEqual([]);
  });
});
