import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import type { CaseTable } from "../../../src/database/tables/bot.ts";
import { applySuggestion, rehearseSuggestions } from "../../../src/rules/suggest/rehearse-suggestions.ts";
import { suggestRules, type Suggestion } from "../../../src/rules/suggest/suggest-rules.ts";
import { guild, useRuleEngine } from "../../support/rule-engine.ts";
import { castRow, rule, ruleSetOf } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { database, clock } = engine.network.context;

let numbers = 0;

/** A cast that the bot has seen, with a case about it. */
async function cast(fid: number, text: string, change?: Partial<Insertable<CaseTable>>): Promise<void> {
  const event = engine.cast(text, { subjectFid: fid });
  const hash = "castHash" in event.data ? String(event.data.castHash) : "";
  const row = castRow(hash, { fid, text, cast_at: event.occurredAt, hidden: change?.kind === "hide" });
  await database.query.insertInto("castellan.casts").values(row).execute();
  await engine.append(event);
  if (!change) return;
  numbers += 1;
  await database.query
    .insertInto("castellan.cases")
    .values({
      guild_id: guild,
      channel_id: "memes",
      number: numbers,
      target_key: hash,
      kind: "hide",
      state: "applied",
      target_cast: change.target_fid ? null : hash,
      actor_kind: "person",
      actor_user: "1002",
      requested_at_ms: clock.now(),
      attempts: 1,
      ...change,
    })
    .execute();
}

const byHand = { kind: "hide" } as const;
const undone = { kind: "hide", actor_kind: "rule", rule_id: "scam", state: "reverted" } as const;
const stands = { ...undone, state: "applied" } as const;

function planOf(...rules: unknown[]) {
  const set = rules.length > 0 ? ruleSetOf(...rules) : undefined;
  return { queue: "test", guildId: guild, channelIds: ["memes"], since: 0, rules: set, channels: null };
}

async function suggest(...rules: unknown[]): Promise<Suggestion[]> {
  return suggestRules(engine.context, planOf(...rules));
}

describe("a suggested rule", () => {
  it("takes what people hid in common, and neither what stayed has nor what a rule hits", async () => {
    for (const text of ["vip signals group", "our vip signals group", "vip signals group now"])
      await cast(7, text, byHand);
    await cast(8, "gm");
    expect(await suggest()).toMatchObject([
      { kind: "rule", trait: { text: "vip signals group" }, covers: 3, of: 3, entry: { mode: "shadow" } },
    ]);
    const hits = { text: { contains: "signals" } };
    expect(await suggest(rule({ mode: "shadow", when: hits }))).toEqual([]);
    expect(await suggest(rule({ mode: "off", when: hits }))).toHaveLength(1);
    await cast(8, "is the vip signals group real?");
    expect(await suggest()).toEqual([]);
  });

  it("bans where people banned, and looks at what was cast before", async () => {
    for (const fid of [7, 8, 9]) {
      await cast(fid, "join www.ring.example today");
      await cast(fid, "gm", { kind: "ban", target_fid: fid });
    }
    const [found, ...others] = await suggest();
    expect(found).toMatchObject({ trait: { kind: "address", domain: "ring.example" }, covers: 3, of: 6 });
    expect(found?.kind === "rule" && found.entry["then"]).toMatchObject([
      { hide: {} },
      { ban: { for: "7d" } },
    ]);
    expect(others).toEqual([]);
  });

  it("counts nothing that was undone, that a rule did, or that moderators cast", async () => {
    for (const number of [1, 2, 3]) {
      await cast(7, `free lamps, number ${number}`, { ...byHand, state: "reverted" });
      await cast(8, `cheap lamps, number ${number}`, { ...byHand, actor_kind: "rule", rule_id: "gone" });
      await cast(2, `good lamps, number ${number}`, byHand);
    }
    expect(await suggest(rule())).toEqual([]);
  });
});

describe("a suggested exemption", () => {
  it("takes what was undone after a rule's hit in common, and none of its other hits", async () => {
    await cast(7, "airdrop explained: https://docs.example/a", undone);
    await cast(8, "what is an airdrop? https://docs.example/b", undone);
    await cast(9, "claim the airdrop", stands);
    await engine.save(rule());
    const plan = planOf(rule());
    const [found, ...others] = await suggestRules(engine.context, plan);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ id: "exempt-scam", kind: "exemption", ruleId: "scam", covers: 2, of: 2 });
    expect(found?.trait).toEqual({ kind: "address", domain: "docs.example" });
    if (!found) return;
    const { rehearsed } = await rehearseSuggestions(engine.context, { ...plan, timeoutMs: 60_000 }, [found]);
    expect(rehearsed).toMatchObject([{ spared: 2, hits: 0 }]);
    const source = await applySuggestion(engine.context, "test", plan.rules?.source ?? "", found);
    const mended = await engine.context.ruleThreads.read("test", source);
    expect(mended.rules).toMatchObject([{ id: "scam", mode: "enforce" }]);
    expect(await suggestRules(engine.context, { ...plan, rules: mended })).toEqual([]);
  });

  it("may be the author, and is nothing where all that they have in common others have, too", async () => {
    await cast(7, "airdrop one", undone);
    await cast(7, "airdrop two", undone);
    expect(await suggest(rule())).toMatchObject([{ trait: { kind: "author", fid: 7 } }]);
    await cast(7, "airdrop three", stands);
    expect(await suggest(rule())).toEqual([]);
  });
});
