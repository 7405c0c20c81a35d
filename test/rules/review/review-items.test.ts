import { afterAll, beforeEach, describe, expect, it } from "vitest";
import {
  claimItem,
  countOpenItems,
  listOpenItems,
  requireItem,
} from "../../../src/rules/review/review-items.ts";
import { openTestDatabase } from "../../support/database.ts";

const database = await openTestDatabase();
const db = database.query;
afterAll(() => database.close());
beforeEach(() => database.truncate());

const item = {
  guild_id: "900",
  channel_id: "memes",
  queue: "names",
  event_id: 1,
  rule_id: "scam",
  rule_version: 1,
  depth: 1,
  fid: 7,
  cast_hash: null,
  evidence: null,
  why: null,
  deeds: "[]",
  held_at_ms: 5,
  claimed_by: null,
  claimed_at_ms: null,
  reminded_at_ms: null,
  decided_by: null,
  decided_at_ms: null,
};

/** Holds one item for each change; gives their numbers. */
async function hold(...changes: Partial<Record<keyof typeof item | "state", string>>[]): Promise<number[]> {
  const values = changes.map((change, index) => ({ ...item, event_id: index + 1, ...change }));
  const rows = await db
    .insertInto("castellan.review_items")
    .values(values as (typeof item)[]) // the changes are of columns that hold text
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

const others = [{ state: "approved" }, { guild_id: "901" }, { channel_id: "art" }];

describe("what waits for a decision", () => {
  const list = async (change: { queue?: string; after?: number; limit?: number } = {}) => {
    const wanted = { guildId: "900", channelId: "memes", after: 0, limit: 10, ...change };
    return (await listOpenItems(db, wanted)).map(({ id }) => id);
  };

  it("is listed for a channel, oldest first", async () => {
    const [first = 0, second = 0] = await hold({}, { queue: "spam" }, ...others);
    expect(await list()).toEqual([first, second]);
    const wanted = { guildId: "900", channelId: "memes", after: 0, limit: 1 };
    expect(await listOpenItems(db, wanted)).toEqual([
      { id: first, queue: "names", rule_id: "scam", fid: 7, held_at_ms: 5, claimed_by: null },
    ]);
    expect([await list({ after: first }), await list({ queue: "spam" }), await list({ queue: "x" })]).toEqual(
      [[second], [second], []],
    );
  });

  it("is counted for a server", async () => {
    expect(await countOpenItems(db, "900")).toBe(0);
    await hold({}, ...others);
    expect(await countOpenItems(db, "900")).toBe(2);
  });

  it("is found by its number in its own server alone", async () => {
    const [id = 0] = await hold({}, {});
    expect(await requireItem(db, "900", id)).toMatchObject({ id, queue: "names" });
    for (const [guild, number] of [
      ["901", id],
      ["900", id + 2],
    ] as const) {
      await expect(requireItem(db, guild, number)).rejects.toMatchObject({
        code: "not_found",
        message: `There is no review R-${number} in this server. /review list shows them.`,
      });
    }
  });

  it("is claimed by one person, while it is open", async () => {
    const [open = 0, done = 0, other = 0] = await hold({}, { state: "dismissed" }, {});
    expect(await claimItem(db, open, "50", 9)).toBe(true);
    expect([await claimItem(db, open, "51", 10), await claimItem(db, done, "50", 9)]).toEqual([false, false]);
    expect(await requireItem(db, "900", open)).toMatchObject({ claimed_by: "50", claimed_at_ms: 9 });
    expect(await requireItem(db, "900", other)).toMatchObject({ claimed_by: null, claimed_at_ms: null });
  });
});
