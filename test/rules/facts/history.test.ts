import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { author, castRow, loadFacts, recordHidden } from "../../support/rules.ts";
import { eventCount } from "../../../src/rules/conditions/event-counts.ts";
import type { NewChannelEvent } from "../../../src/observe/events.ts";
import { createRuleEngine } from "../../support/rule-engine.ts";

const engine = await createRuleEngine();
const { database } = engine.network.context;
afterAll(() => database.close());
beforeEach(() => database.truncate());

const day = 86_400;
const now = 1_700_000_000;
const need = eventCount("record.hidden", 7 * day);
let keys = 0;

function hash(cast: number): string {
  return `0x${cast.toString(16).padStart(40, "0")}`;
}

async function index(cast: number, fid = author, channelId = "memes"): Promise<void> {
  const row = castRow(hash(cast), { channel_id: channelId, fid, cast_at: now });
  await database.query.insertInto("castellan.casts").values(row).execute();
}

async function hide(cast: number, age: number, change: Partial<NewChannelEvent> = {}): Promise<number> {
  keys += 1;
  const [stored] = await engine.append({
    sourceKey: `hide:${keys}`,
    kind: "record.hidden",
    channelId: "memes",
    subjectFid: null,
    occurredAt: now - age,
    observedAt: now * 1000,
    depth: 0,
    caseId: null,
    data: { castHash: hash(cast) },
    ...change,
    // The changes of these tests keep the kind.
  } as NewChannelEvent);
  return stored?.id ?? 0;
}

async function count(eventId: number, authorFid: number | null = author) {
  const hidden = recordHidden();
  const occurrence = { ...hidden, authorFid, event: { ...hidden.event, id: eventId, occurredAt: now } };
  const [facts] = await loadFacts(engine.context, [{ occurrence, needs: [need, need] }]);
  return facts?.read(need);
}

describe("history", () => {
  it("counts the author's hidden casts in the channel, this one included", async () => {
    for (const cast of [1, 2, 3]) await index(cast);
    await hide(1, 7 * day - 1);
    await hide(2, day);
    expect(await count(await hide(3, 0))).toMatchObject({
      known: true,
      value: 3,
      source: "events of the channel",
    });
  });

  it.each([
    ["that is too old", async () => hide(1, 7 * day)],
    ["in another channel", async () => hide(1, 0, { channelId: "art" })],
    ["of another kind", async () => hide(1, 0, { kind: "record.unhidden" })],
    ["of somebody else's cast", async () => hide(9, 0)],
    ["of somebody else, as the event says", async () => hide(8, 0, { subjectFid: 5 })],
    ["of a cast that was counted already", async () => hide(2, 5)],
    ["of a cast that the index does not have", async () => hide(77, 5)],
  ])("does not count one %s", async (_, other) => {
    await Promise.all([index(1), index(2), index(9, 5), index(8, 5)]);
    await other();
    expect(await count(await hide(2, 0))).toMatchObject({ value: 1 });
  });

  it("does not count what was seen later", async () => {
    await index(1);
    await index(2);
    const earlier = await hide(1, 10);
    await hide(2, 20);
    await hide(60, 20, { subjectFid: author });
    expect(await count(earlier)).toMatchObject({ value: 1 });
  });

  it("takes an event's own word for its author", async () => {
    expect(await count(await hide(50, 0, { subjectFid: author }))).toMatchObject({ value: 1 });
  });

  it("is not known without an author", async () => {
    expect(await count(await hide(1, 0), null)).toMatchObject({
      known: false,
      why: "the author is not known",
    });
  });

  it("is read once for a whole batch, each event with its own answer", async () => {
    await index(1);
    await index(2, 5);
    const last = [await hide(1, 0), await hide(2, 0)].at(-1) ?? 0;
    const hidden = recordHidden();
    const event = { ...hidden.event, id: last, occurredAt: now };
    const wanted = [author, 5, 6].map((authorFid) => ({
      occurrence: { ...hidden, authorFid, event },
      needs: [need],
    }));
    const facts = await loadFacts(engine.context, wanted);
    expect(facts.map((one) => one.read(need))).toMatchObject([{ value: 1 }, { value: 1 }, { value: 0 }]);
  });
});
