import { beforeEach, describe, expect, it, test } from "vitest";
import {
  createAppendEvents,
  newEvent,
  toEvent,
  toRow,
  type ChannelEvent,
  type NewChannelEvent,
} from "../../src/observe/events.ts";
import { hasServer } from "../support/services.ts";
import { meetAtLock, useTestDatabase } from "../support/test-cases.ts";

const departure = { sourceKey: "left", kind: "member.left", channelId: "memes", data: {} } as const;

describe("a new event", () => {
  it("happened just as it was observed, about nobody, with no case behind it, unless it says otherwise", () => {
    const unsaid = { subjectFid: null, occurredAt: 1_700_000_000, depth: 0, caseId: null };
    expect(newEvent(1_700_000_000_900, departure)).toEqual({
      ...departure,
      ...unsaid,
      observedAt: 1_700_000_000_900,
    });
    const said = { subjectFid: 7, occurredAt: 1_600_000_000, depth: 2, caseId: 3 };
    expect(newEvent(1_700_000_000_900, { ...departure, ...said })).toMatchObject(said);
  });
});

describe("a stored event", () => {
  const said = { subjectFid: 7, occurredAt: 1_600_000_000, depth: 2, caseId: 3 };
  const castHash = `0x${"ab".repeat(20)}`;
  const hidden = newEvent(5, { sourceKey: "h", kind: "record.hidden", channelId: null, data: { castHash } });

  it.each<ChannelEvent>([
    { id: 12, ...newEvent(1_700_000_000_900, { ...departure, ...said }) },
    { id: 13, ...hidden },
  ])("%# is the same when it is read as when it was written", (event) => {
    expect(toEvent(toRow(event))).toEqual(event);
  });

  it("has its cast's hash in a column of its own", () => {
    expect(toRow({ id: 13, ...hidden }).cast_hash).toBe(castHash);
    expect(toRow({ id: 12, ...newEvent(5, departure) }).cast_hash).toBeNull();
  });
});

let told: ChannelEvent[];
let claimed: string[];

const database = await useTestDatabase();
beforeEach(async () => {
  told = [];
  claimed = [];
});

const appendEvents = createAppendEvents({
  async claim(_tx, events) {
    for (const event of events) {
      claimed.push(event.sourceKey);
      event.caseId = 12;
      event.depth = 2;
    }
    return events;
  },
  fanOut: [
    async (_tx, events) => {
      told.push(...events);
    },
  ],
});
const append = (...keys: string[]) => database.transaction((tx) => appendEvents(tx, keys.map(left)));

function left(sourceKey: string): NewChannelEvent {
  const common = { channelId: "memes", subjectFid: 7, occurredAt: 1, observedAt: 2, depth: 0, caseId: null };
  return { ...common, sourceKey, kind: "member.left", data: {} };
}

describe("appending events", () => {
  test("stores each once, under ids that go up by one, with what the claim set", async () => {
    await append("a", "b", "a");
    expect((await append("b", "c")).map(({ id, sourceKey }) => [id, sourceKey])).toEqual([[3, "c"]]);
    const rows = await database.query
      .selectFrom("castellan.events")
      .select(["id", "source_key", "case_id", "depth"])
      .orderBy("id")
      .execute();
    const claim = { case_id: 12, depth: 2 };
    expect(rows).toEqual(
      ["a", "b", "c"].map((source_key, index) => ({ id: index + 1, source_key, ...claim })),
    );
  });

  test("asks the claim and tells the subscribers of what is new alone", async () => {
    await append("a");
    await append("a", "b");
    expect(claimed).toEqual(["a", "b"]);
    expect(told.map(({ id, caseId }) => [id, caseId])).toEqual([
      [1, 12],
      [2, 12],
    ]);
  });

  test("gives no ids away to what is rolled back, nor to several at once twice", async () => {
    await database
      .transaction(async (tx) => {
        await appendEvents(tx, [left("lost")]);
        throw new Error("died here");
      })
      .catch(() => {});
    await Promise.all(Array.from({ length: 6 }, (_, index) => append(`${index}-1`, `${index}-2`)));
    const ids = await database.query.selectFrom("castellan.events").select("id").orderBy("id").execute();
    expect(ids.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  test("stores an event once that two transactions append at once", async () => {
    // Both have looked for it by then, and neither has found it.
    const both = [() => append("a"), () => append("a")];
    const counter = "castellan.counters where name = 'events'";
    const stored = await (hasServer
      ? meetAtLock(database, counter, both)
      : Promise.all(both.map((one) => one())));
    expect(stored.flat().map(({ sourceKey }) => sourceKey)).toEqual(["a"]);
  });
});
