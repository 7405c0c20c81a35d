import { describe, expect, it } from "vitest";
import { newEvent, type ChannelEvent } from "../../src/observe/event.ts";
import { toEvent, toRow } from "../../src/observe/append-events.ts";

const left = { sourceKey: "left", kind: "member.left", channelId: "memes", data: {} } as const;

describe("a new event", () => {
  it("happened just as it was observed, about nobody, with no case behind it, unless it says otherwise", () => {
    const unsaid = { subjectFid: null, occurredAt: 1_700_000_000, depth: 0, caseId: null };
    expect(newEvent(1_700_000_000_900, left)).toEqual({ ...left, ...unsaid, observedAt: 1_700_000_000_900 });
    const said = { subjectFid: 7, occurredAt: 1_600_000_000, depth: 2, caseId: 3 };
    expect(newEvent(1_700_000_000_900, { ...left, ...said })).toMatchObject(said);
  });
});

describe("a stored event", () => {
  const said = { subjectFid: 7, occurredAt: 1_600_000_000, depth: 2, caseId: 3 };
  const castHash = `0x${"ab".repeat(20)}`;
  const hidden = newEvent(5, { sourceKey: "h", kind: "record.hidden", channelId: null, data: { castHash } });

  it.each<ChannelEvent>([
    { id: 12, ...newEvent(1_700_000_000_900, { ...left, ...said }) },
    { id: 13, ...hidden },
  ])("%# is the same when it is read as when it was written", (event) => {
    expect(toEvent(toRow(event))).toEqual(event);
  });

  it("has its cast's hash in a column of its own", () => {
    expect(toRow({ id: 13, ...hidden }).cast_hash).toBe(castHash);
    expect(toRow({ id: 12, ...newEvent(5, left) }).cast_hash).toBeNull();
  });
});
