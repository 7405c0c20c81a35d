import { describe, expect, it } from "vitest";
import { countStrikes, listNotes } from "../../../src/rules/actions/strikes-and-notes.ts";
import { createTestClock } from "../../support/world.ts";
import { useTestDatabase } from "../../support/test-cases.ts";

const database = await useTestDatabase();
const clock = createTestClock();

const here = { guild_id: "900", channel_id: "memes", fid: 7 };
const elsewhere = [{ guild_id: "901" }, { channel_id: "art" }, { fid: 8 }];

describe("strikes", () => {
  const strike = (points: number, change: Record<string, unknown> = {}) =>
    database.query
      .insertInto("castellan.strikes")
      .values({
        ...here,
        points,
        given_at_ms: 1,
        expires_at_ms: null,
        event_id: 1,
        rule_id: `r${points}`,
        rule_version: 1,
        action_index: 0,
        ...change,
      })
      .execute();
  const count = () => countStrikes(database.query, clock, { guildId: "900", channelId: "memes", fid: 7 });

  it("are none at first", async () => {
    expect(await count()).toBe(0);
  });

  it("are the points here, as long as they count", async () => {
    await strike(1);
    await strike(2, { expires_at_ms: clock.now() + 1 });
    await strike(4, { expires_at_ms: clock.now() });
    for (const [index, change] of elsewhere.entries()) await strike(8 * 2 ** index, change);
    expect(await count()).toBe(3);
  });
});

describe("notes", () => {
  it("are the latest about the user here, newest first", async () => {
    const note = { ...here, written_at_ms: 5, event_id: 1, rule_id: "scam" };
    const texts = ["first", "second", "third"];
    await database.query
      .insertInto("castellan.user_notes")
      .values([
        ...texts.map((text, action_index) => ({ ...note, text, action_index })),
        ...elsewhere.map((change, index) => ({ ...note, text: "x", action_index: 3 + index, ...change })),
      ])
      .execute();
    const person = { guildId: "900", channelIds: ["memes"], fid: 7 };
    const newest = await listNotes(database.query, person, { limit: 2 });
    const written = { rule_id: "scam", written_by: null, written_at_ms: 5 };
    expect(newest).toMatchObject({
      all: 3,
      notes: [
        { text: "third", ...written },
        { text: "second", ...written },
      ],
    });
    const before = newest.notes.at(-1)?.id;
    expect(await listNotes(database.query, person, { limit: 2, before })).toMatchObject({
      all: 3,
      notes: [{ text: "first" }],
    });
  });
});
