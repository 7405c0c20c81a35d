import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestNetwork, type TestNetwork } from "../../support/world.ts";

let net: TestNetwork;
beforeAll(async () => {
  net = await createTestNetwork();
});
afterAll(() => net.context.database.close());

const owner = 1;
const moderator = 2;
const member = 3;
let cast: string;
beforeEach(async () => {
  await net.context.database.truncate();
  await net.seed.channel("memes", { owner, moderators: [moderator], members: [member] });
  cast = await net.seed.cast({ fid: 5, channelId: "memes" });
});

const moderate = (fid: number, action: "hide" | "unhide", castHash = cast) =>
  net.as(fid).moderatedCasts.moderate({ castHash, action });
const records = async (channelId?: string) =>
  (await net.public.moderatedCasts.list(channelId === undefined ? {} : { channelId })).result
    .moderationActions;
const hidden = async (hash = cast) => (await net.api.operator.readCast({ hash })).hiddenByModeration;

describe("cast moderation", () => {
  it.each([owner, moderator])(
    "hide and unhide by owner or moderator (%i) change the cast and are listed",
    async (fid) => {
      const begun = Math.floor(net.context.clock.now() / 1000);
      expect(await moderate(fid, "hide")).toEqual({ success: true });
      expect(await hidden()).toBe(true);
      net.context.clock.advance(10);
      expect(await moderate(fid, "unhide")).toEqual({ success: true });
      expect(await hidden()).toBe(false);
      const record = { castHash: cast, channelId: "memes" };
      expect(await records("memes")).toEqual([
        { ...record, action: "unhide", moderatedAt: begun + 10 },
        { ...record, action: "hide", moderatedAt: begun },
      ]);
    },
  );

  it("of the already hidden or shown succeeds without a new record", async () => {
    await moderate(owner, "unhide");
    expect(await records()).toEqual([]);
    await moderate(owner, "hide");
    await moderate(moderator, "hide");
    expect(await records()).toHaveLength(1);
  });

  it.each([member, 5, 99])("by anybody else (%i) is not permitted and changes nothing", async (fid) => {
    await expect(moderate(fid, "hide")).rejects.toMatchObject({ code: "not_permitted" });
    expect([await hidden(), await records()]).toEqual([false, []]);
  });

  it("takes a hash in capitals for the same cast", async () => {
    await moderate(owner, "hide", cast.toUpperCase().replace("0X", "0x"));
    expect(await records()).toMatchObject([{ castHash: cast }]);
  });

  it("reaches replies, whose channel is their parent's", async () => {
    const { hash } = await castAs({ fid: 5, parentHash: cast });
    await moderate(moderator, "hide", hash);
    expect(await hidden(hash)).toBe(true);
  });

  it("of an unknown cast is not found, of one in no channel cast_not_in_channel", async () => {
    await expect(moderate(owner, "hide", `0x${"f".repeat(40)}`)).rejects.toMatchObject({ code: "not_found" });
    const elsewhere = await net.seed.cast({ fid: owner });
    await expect(moderate(owner, "hide", elsewhere)).rejects.toMatchObject({ code: "cast_not_in_channel" });
  });

  it("of a removed cast is not found; its records stay", async () => {
    await moderate(owner, "hide");
    await net.api.operator.removeCast({ hash: cast });
    await expect(moderate(owner, "unhide")).rejects.toMatchObject({ code: "not_found" });
    expect(await records("memes")).toHaveLength(1);
  });

  it("shows a cast that was hidden when it entered, with a record", async () => {
    await net.seed.channel("club", { owner, publicCasting: false });
    const { hash } = await castAs({ fid: 5, channelId: "club" });
    await moderate(owner, "unhide", hash);
    expect(await net.api.operator.readCast({ hash })).toMatchObject({ hiddenOnEntry: false });
    expect(await records("club")).toMatchObject([{ action: "unhide" }]);
  });

  it("writes one record when twenty hide the same cast at once", async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => moderate(n % 2 ? owner : moderator, "hide")));
    expect(await records()).toHaveLength(1);
  });
});

function castAs(input: Omit<Parameters<typeof net.api.operator.cast>[0], "text">) {
  return net.seed.account(input.fid).then(() => net.api.operator.cast({ text: "gm", ...input }));
}

describe("the moderation listing", () => {
  it("never goes back in time, even when the clock does", async () => {
    await moderate(owner, "hide");
    const [first] = await records();
    net.context.clock.advance(-60);
    await moderate(owner, "unhide");
    net.context.clock.advance(60);
    expect((await records()).map((record) => record.moderatedAt)).toEqual([
      first?.moderatedAt,
      first?.moderatedAt,
    ]);
    expect((await records()).map((record) => record.action)).toEqual(["unhide", "hide"]);
  });

  it("pages newest first without skipping or repeating while records are added", async () => {
    for (const action of ["hide", "unhide", "hide", "unhide"] as const) await moderate(owner, action);
    const all = await records("memes");
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await net.public.moderatedCasts.list({ channelId: "memes", limit: 2, cursor });
      seen.push(...page.result.moderationActions);
      cursor = page.next?.cursor;
      if (cursor) await moderate(owner, seen.length % 4 ? "hide" : "unhide");
    } while (cursor);
    expect(seen).toEqual(all);
  });

  it("of one channel leaves others out, of an unknown one is not found", async () => {
    await moderate(owner, "hide");
    await net.seed.channel("art");
    expect(await records("art")).toEqual([]);
    expect(await records()).toHaveLength(1);
    await expect(records("nowhere")).rejects.toMatchObject({ code: "not_found" });
  });
});
