import { describe, expect, it } from "vitest";
import { explainEvent } from "../../../src/rules/explain/explain-event.ts";
import { evaluatePending } from "../../support/jobs.ts";
import { useRuleEngine, guild } from "../../support/rule-engine.ts";
import { author, rule } from "../../support/rules.ts";

const engine = await useRuleEngine({ owner: 1, moderators: [2], members: [3] });
const { network } = engine;
const { clock } = network.context;

const say = async (text: string, change: object = {}) => {
  const [event] = await engine.append(engine.cast(text, change));
  if (!event) throw new Error("nothing was appended");
  return event.id;
};
const explain = (eventId: number, channelId = "memes") =>
  explainEvent(engine.context, guild, channelId, eventId);
const contains = (word: string) => ({ text: { contains: word } });

describe("why rules did something", () => {
  it("is told by rule, with the whole condition and what became of each action", async () => {
    await engine.save(
      rule({ then: [{ hide: {} }, { strike: { points: 2 } }] }),
      rule({ id: "trial", mode: "shadow", when: contains("free") }),
      rule({ id: "other", when: contains("claim") }),
    );
    const eventId = await say("free airdrop");
    await evaluatePending(engine.context);
    const { verdicts, note, occurrence, present, ...rest } = await explain(eventId);
    expect(rest).toEqual({ eventId, channelId: "memes" });
    expect(occurrence).toMatchObject({ authorFid: author, text: { raw: "free airdrop" } });
    expect(note).toBeUndefined();
    expect(verdicts).toMatchObject([
      {
        ruleId: "scam",
        version: 1,
        mode: "enforce",
        evaluatedAt: clock.now(),
        tree: { kind: "leaf", sentence: 'the text contains "airdrop"', truth: true, value: "free airdrop" },
        actions: [
          { sentence: "hide the cast", outcome: "acted", why: null, caseId: expect.any(Number) },
          { sentence: "give 2 strike points", outcome: "acted", why: null, caseId: null },
        ],
      },
      { ruleId: "trial", mode: "shadow", actions: [{ sentence: "hide the cast", outcome: "would_have" }] },
    ]);
    expect(verdicts).toHaveLength(2);
    expect(present).toMatchObject({
      version: 1,
      asked: true,
      answers: [{ ruleId: "other", mode: "enforce", tree: { truth: false, value: "free airdrop" } }],
    });
  });

  it("is told of the event, the channel and the server that were asked for", async () => {
    await engine.link("memes", "901");
    await engine.save(rule());
    const first = await say("airdrop one");
    const second = await say("airdrop two");
    await evaluatePending(engine.context);
    expect((await explain(first)).verdicts).toMatchObject([{ tree: { value: "airdrop one" } }]);
    expect((await explain(second)).verdicts).toMatchObject([{ tree: { value: "airdrop two" } }]);
    expect((await explain(first, "art")).verdicts).toEqual([]);
    expect((await explainEvent(engine.context, "901", "memes", first)).verdicts).toEqual([]);
    expect((await explainEvent(engine.context, "901", "memes", first)).note).toBeUndefined();
  });

  it("says that an event still waits, or why no rule was asked then and now", async () => {
    await engine.save(rule());
    const waiting = await say("airdrop");
    expect(await explain(waiting)).toMatchObject({
      verdicts: [],
      note: "It is still waiting to be evaluated.",
      present: { asked: true, answers: [{ ruleId: "scam", tree: { truth: true } }] },
    });
    const owned = await say("airdrop", { subjectFid: 1 });
    await evaluatePending(engine.context);
    const why = "The author owns the channel: exempt.";
    expect(await explain(owned)).toMatchObject({ verdicts: [], note: why, present: { asked: false, why } });
    expect((await explain(owned, "art")).note).toBeUndefined();
    expect((await explain(waiting)).note).toBeUndefined();
  });

  it("says that the server has no rules, or that what happened is not kept any more", async () => {
    const eventId = await say("airdrop");
    expect(await explain(eventId)).toMatchObject({
      note: undefined,
      present: { asked: false, why: "The server has no rules." },
    });
    await engine.save(rule());
    expect(await explain(eventId + 1)).toMatchObject({
      occurrence: undefined,
      verdicts: [],
      present: { asked: false, why: "The event is no longer in the history." },
    });
  });

  it("answers for the rules in force now, with facts of now", async () => {
    await engine.save(rule({ when: { all: [contains("gm"), { "author.is_member": true }] } }));
    const eventId = await say("gm", { subjectFid: 3 });
    await engine.save(
      rule({ when: { all: [contains("gm"), { "author.is_member": true }] } }),
      rule({ id: "new" }),
    );
    const { present } = await explain(eventId);
    expect(present).toMatchObject({
      version: 2,
      answers: [
        { ruleId: "new", tree: { truth: false } },
        { ruleId: "scam", tree: { truth: true, parts: [{ truth: true }, { truth: true, value: true }] } },
      ],
    });
  });
});
