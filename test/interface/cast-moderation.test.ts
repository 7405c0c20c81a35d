import { describe, expect, it } from "vitest";
import { people, refused, success, useInterfaceNetwork } from "../support/interface-network.ts";

const { owner, moderator, member, follower, stranger } = people;

const network = await useInterfaceNetwork();

const moderate = (by: number, castHash: string, action: string) =>
  network.as(by, "POST /fc/moderated-casts", { castHash, action });
const records = (channelId: string) => network.list("GET /fc/moderated-casts", { channelId });

async function channelWithCast(fid = follower) {
  const channelId = await network.channel();
  return { channelId, hash: await network.cast({ fid, channelId }) };
}

describe("Cast moderation", () => {
  it.each([
    ["the owner", owner],
    ["a moderator", moderator],
  ])("row 1: visible → hidden, by %s, with a record", async (_, caller) => {
    const { channelId, hash } = await channelWithCast();
    expect(await moderate(caller, hash, "hide")).toEqual(success);
    expect(await network.castState(hash)).toMatchObject({ hiddenByModeration: true, hiddenByBan: false });
    expect(await records(channelId)).toEqual([
      { castHash: hash, channelId, action: "hide", moderatedAt: network.justNow() },
    ]);
  });

  it("row 2: hidden → visible, with a record of its own", async () => {
    const { channelId, hash } = await channelWithCast();
    await moderate(moderator, hash, "hide");
    const hiddenAt = network.justNow();
    await network.pass(1);
    expect(await moderate(owner, hash, "unhide")).toEqual(success);
    expect(await network.castState(hash)).toMatchObject({ hiddenByModeration: false });
    expect(await records(channelId)).toEqual([
      { castHash: hash, channelId, action: "unhide", moderatedAt: network.justNow() },
      { castHash: hash, channelId, action: "hide", moderatedAt: hiddenAt },
    ]);
  });

  it.each(["hide", "unhide"])(
    "%s of a cast that is already in that state: success, no new record",
    async (action) => {
      const { channelId, hash } = await channelWithCast();
      if (action === "hide") await moderate(owner, hash, "hide");
      const before = await records(channelId);
      await network.pass(1);
      expect(await moderate(owner, hash, action)).toEqual(success);
      expect(await records(channelId)).toEqual(before);
    },
  );

  it("a reply in the channel is moderated like a cast in it, however deep", async () => {
    const { channelId, hash } = await channelWithCast();
    const reply = await network.cast({ fid: stranger, parentHash: hash });
    const nested = await network.cast({ fid: member, parentHash: reply });
    expect(await moderate(moderator, nested, "hide")).toEqual(success);
    expect((await records(channelId)).map(({ castHash }) => castHash)).toEqual([nested]);
    expect(await network.castState(nested)).toMatchObject({ hiddenByModeration: true });
    expect(await network.castState(reply)).toMatchObject({ hiddenByModeration: false });
  });

  it("the hash is read in any case and kept in lower case", async () => {
    const { channelId, hash } = await channelWithCast();
    expect(await moderate(owner, `0x${hash.slice(2).toUpperCase()}`, "hide")).toEqual(success);
    expect((await records(channelId)).map(({ castHash }) => castHash)).toEqual([hash]);
  });

  it("/fc/moderate-cast is served as an alias", async () => {
    const { channelId, hash } = await channelWithCast();
    const input = { castHash: hash, action: "hide" };
    expect(await network.as(owner, "POST /fc/moderate-cast", input)).toEqual(success);
    expect(await records(channelId)).toHaveLength(1);
  });
});

describe("Cast moderation, refused", () => {
  it.each([
    ["a member", member],
    ["the cast's author", follower],
    ["the moderator of another channel", 8],
  ])("to %s", async (_, caller) => {
    const { channelId, hash } = await channelWithCast();
    await network.channel({ leadFid: 9, moderatorFids: [8] });
    for (const action of ["hide", "unhide"]) {
      expect(await moderate(caller, hash, action)).toEqual(refused(403, "not_permitted"));
    }
    expect(await records(channelId)).toEqual([]);
    expect(await network.castState(hash)).toMatchObject({ hiddenByModeration: false });
  });

  it("for a cast in no channel", async () => {
    const hash = await network.cast({ fid: owner });
    expect(await moderate(owner, hash, "hide")).toEqual(refused(403, "cast_not_in_channel"));
  });

  it("for a cast that nobody knows", async () => {
    expect(await moderate(owner, `0x${"ab".repeat(20)}`, "hide")).toEqual(refused(404, "not_found"));
  });

  it.each([
    ["an unknown action", { action: "delete" }],
    ["no action", { action: undefined }],
    ["a hash without 0x", { castHash: "ab".repeat(20) }],
    ["a hash of 39 digits", { castHash: `0x${"a".repeat(39)}` }],
    ["a hash of 64 digits", { castHash: `0x${"ab".repeat(32)}` }],
    ["no hash", { castHash: undefined }],
  ])("for %s", async (_, part) => {
    const { hash } = await channelWithCast();
    const input = { castHash: hash, action: "hide", ...part };
    expect(await network.as(owner, "POST /fc/moderated-casts", input)).toEqual(
      refused(400, "invalid_request"),
    );
  });
});

describe("a removed cast", () => {
  it("is unknown to moderation, its records stay", async () => {
    const { channelId, hash } = await channelWithCast();
    await moderate(owner, hash, "hide");
    const before = await records(channelId);
    expect(await network.operator(`DELETE /operator/casts/${hash}`)).toEqual(success);
    expect(await moderate(owner, hash, "unhide")).toEqual(refused(404, "not_found"));
    expect(await records(channelId)).toEqual(before);
  });
});

describe("casts that enter later", () => {
  const enter = async (cast: object) => {
    const { body } = await network.operator("POST /operator/casts", { text: "gm", ...cast });
    // Answered with the hash alone.
    return (body as { result: { hash: string } }).result.hash;
  };
  const isHidden = async (hash: string) => {
    const { hiddenByModeration, hiddenByBan, hiddenOnEntry } = await network.castState(hash);
    return [hiddenByModeration, hiddenByBan, hiddenOnEntry].includes(true);
  };

  it("a root cast by a non-member of a members-only channel is hidden, by a member it is not", async () => {
    const channelId = await network.channel({ publicCasting: false });
    expect(await isHidden(await enter({ fid: stranger, channelId }))).toBe(true);
    expect(await isHidden(await enter({ fid: member, channelId }))).toBe(false);
    expect(await isHidden(await enter({ fid: moderator, channelId }))).toBe(false);
    expect(await isHidden(await enter({ fid: owner, channelId }))).toBe(false);
  });

  it("one that was hidden as it entered is shown by unhide, with a record", async () => {
    const channelId = await network.channel({ publicCasting: false });
    const hash = await enter({ fid: stranger, channelId });
    expect(await moderate(owner, hash, "unhide")).toEqual(success);
    expect(await network.castState(hash)).toMatchObject({ hiddenOnEntry: false });
    expect(await records(channelId)).toMatchObject([{ castHash: hash, action: "unhide" }]);
  });

  it("a reply by a non-member of a members-only channel is not hidden", async () => {
    const channelId = await network.channel({ publicCasting: false });
    const root = await enter({ fid: member, channelId });
    expect(await isHidden(await enter({ fid: stranger, parentHash: root }))).toBe(false);
  });

  it("anybody may cast into a channel of public casting", async () => {
    const channelId = await network.channel({ publicCasting: true });
    expect(await isHidden(await enter({ fid: stranger, channelId }))).toBe(false);
  });
});
