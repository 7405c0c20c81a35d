import { beforeEach, describe, expect, it } from "vitest";
import { claimLasts } from "../../src/limits/claim-lasts.ts";
import { claimReview, escalateReview, releaseReview } from "../../src/reviews/claims.ts";
import { readWholeReview } from "../../src/reviews/review.ts";
import {
  countOpenItems,
  isKnownQueue,
  listOpenItems,
  readLoad,
  requireItem,
} from "../../src/reviews/review-items.ts";
import { useTestDatabase } from "../support/test-cases.ts";

const database = await useTestDatabase();
const db = database.query;
beforeEach(async () => {
  for (const [guild_id, channel_id] of [
    ["900", "memes"],
    ["900", "art"],
    ["901", "memes"],
  ] as const) {
    const names = { channel_url: channel_id, channel_name: channel_id, linked_by: "1" };
    await db
      .insertInto("castellan.links")
      .values({ guild_id, channel_id, ...names, linked_at_ms: 0, verified_at_ms: 0 })
      .execute();
  }
});

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
  actions: "[]",
  queued_at_ms: 5,
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
    const wanted = { guildId: "900", channelIds: ["memes"], after: 0, limit: 10, ...change };
    return (await listOpenItems(db, wanted)).map(({ id }) => id);
  };

  it("is listed for a channel, oldest first", async () => {
    const [first = 0, second = 0] = await hold({}, { queue: "spam" }, ...others);
    expect(await list()).toEqual([first, second]);
    const wanted = { guildId: "900", channelIds: ["memes"], after: 0, limit: 1 };
    expect(await listOpenItems(db, wanted)).toEqual([
      {
        id: first,
        queue: "names",
        ruleId: "scam",
        fid: 7,
        queuedAtMs: 5,
        claimedBy: null,
        claimedAtMs: null,
        escalatedBy: null,
        channelIds: ["memes"],
        evidence: null,
        evidenceExtras: null,
      },
    ]);
    expect([await list({ after: first }), await list({ queue: "spam" }), await list({ queue: "x" })]).toEqual(
      [[second], [second], []],
    );
  });

  it("is counted for a server", async () => {
    expect(await countOpenItems(db, "900")).toBe(0);
    await hold({}, ...others);
    await hold({ channel_id: "unlinked" });
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
        message: `There is no review R-${number} in this server. /review show lists them.`,
      });
    }
  });

  /** One review in two channels; gives the numbers of its items. */
  async function holdTwice(): Promise<[head: number, other: number]> {
    const [head = 0, other = 0] = await hold({}, { channel_id: "art" });
    await db.updateTable("castellan.review_items").set({ head_id: head }).where("id", "=", other).execute();
    return [head, other];
  }

  it("is one review in however many channels, listed where any of them may be seen", async () => {
    const [head, other] = await holdTwice();
    const wanted = { guildId: "900", after: 0, limit: 10 };
    const seen = async (...channelIds: string[]) =>
      (await listOpenItems(db, { ...wanted, channelIds })).map(({ id, channelIds }) => [id, channelIds]);
    expect(await seen("memes", "art")).toEqual([[head, ["memes", "art"]]]);
    expect(await seen("art")).toEqual([[head, ["art"]]]);
    expect(await countOpenItems(db, "900")).toBe(1);
    const review = await readWholeReview(db, await requireItem(db, "900", other));
    expect([review.head.id, review.items.map(({ id }) => id)]).toEqual([head, [head, other]]);
    await db
      .updateTable("castellan.review_items")
      .set({ state: "dismissed" })
      .where("id", "=", head)
      .execute();
    expect(await seen("memes", "art")).toEqual([[head, ["art"]]]);
  });

  it("is claimed by one person, for an hour, while any of it is open", async () => {
    const [open = 0, done = 0] = await hold({}, { state: "dismissed" });
    expect(await claimReview(db, open, "50", 9)).toBe(true);
    expect(await claimReview(db, open, "51", 10)).toBe(false);
    expect(await claimReview(db, done, "50", 9)).toBe(false);
    expect(await requireItem(db, "900", open)).toMatchObject({ claimed_by: "50", claimed_at_ms: 9 });
    expect(await claimReview(db, open, "51", 8 + claimLasts)).toBe(false);
    expect(await claimReview(db, open, "51", 9 + claimLasts)).toBe(true);
  });

  it("is released by whose claim it is, and left to the owner once", async () => {
    const [open = 0] = await hold({});
    await claimReview(db, open, "50", 9);
    expect([await releaseReview(db, open, "51"), await releaseReview(db, open, "50")]).toEqual([false, true]);
    await claimReview(db, open, "51", 9);
    const escalate = () => database.transaction((tx) => escalateReview(tx, open, "51", 10));
    expect([await escalate(), await escalate()]).toEqual([true, false]);
    const left = { claimed_by: null, escalated_by: "51", escalated_at_ms: 10 };
    expect(await requireItem(db, "900", open)).toMatchObject(left);
  });

  it("weighs: by queue, since when, claimed, left to the owner, and how quickly it usually goes", async () => {
    const [first = 0, second = 0] = await hold(
      {},
      { queue: "spam" },
      { queue: "spam" },
      { state: "dismissed" },
    );
    await claimReview(db, first, "50", 1000);
    await database.transaction((tx) => escalateReview(tx, second, "50", 10));
    await db
      .updateTable("castellan.review_items")
      .set({ decided_at_ms: 65 })
      .where("state", "=", "dismissed")
      .execute();
    const load = await readLoad(db, "900", ["memes"], 1000);
    expect(load).toMatchObject({
      claimed: 1,
      escalated: 1,
      oldestMs: 5,
      usualMs: 60,
    });
    expect(load.queues[0]).toEqual({ queue: "spam", waiting: 2 });
    expect(await readLoad(db, "900", ["nowhere"], 1000)).toEqual({
      queues: [],
      claimed: 0,
      escalated: 0,
      oldestMs: null,
      usualMs: null,
    });
    expect([await isKnownQueue(db, "900", "spam"), await isKnownQueue(db, "900", "x")]).toEqual([
      true,
      false,
    ]);
  });
});
