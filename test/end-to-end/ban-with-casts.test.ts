import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readFeed } from "../support/observer.ts";
import { fids, openGarden, type Garden, botFid } from "../support/garden.ts";
import { viewChannel } from "../support/seed.ts";

const channelId = "garden";
const polling = { timeout: 60_000, interval: 100 };
const rules = `version: 1
defaults: {mode: enforce}
rules:
  - id: lures
    on: [cast.created]
    when: {all: [{text: {matches: "(?i)claim.{0,20}airdrop"}}, {not: {author.is_member: true}}]}
    then: [{ban: {for: 7d, reason: A lure, hide_casts: true}}]`;

let garden: Garden;
beforeAll(async () => {
  garden = await openGarden("in this process");
  await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
  await garden.run("owner", "setup link", { channel: channelId });
  await garden.run("owner", "feed add", {}, "feed");
});
afterAll(() => garden.stop());

const cast = async (fid: number, text: string) => (await garden.operator.cast({ fid, channelId, text })).hash;
const areHidden = (hashes: readonly string[]) =>
  Promise.all(hashes.map(async (hash) => (await garden.operator.readCast({ hash })).hiddenByModeration));

it("a rule's ban takes the casts along that were there before it, in one post, and undoing it brings them back", async () => {
  const preview = await garden.run("moderator", "rule import", { text: rules });
  await garden.click("moderator", preview, "Put in force");
  const early = [await cast(fids.peddler, "Buy moths"), await cast(fids.peddler, "Moths, cheap")];
  const others = [await cast(fids.member, "A lovely rose")];
  await vi.waitFor(async () => {
    expect((await garden.run("moderator", "find", { user: "@peddler" })).text).toContain("Moths, cheap");
  }, polling);
  const lure = await cast(fids.peddler, "Claim your airdrop now");
  await vi.waitFor(
    async () => expect(await areHidden([...early, lure])).toEqual([true, true, true]),
    polling,
  );
  expect(await areHidden(others)).toEqual([false]);
  expect((await viewChannel(garden.public, channelId)).banned).toEqual([fids.peddler]);
  await garden.wake("poll-listings");
  await vi.waitFor(() => {
    const posts = readFeed(garden.discord, "feed").filter(({ title }) => title.includes("peddler"));
    expect(posts.map(({ description }) => description)).toEqual([
      expect.stringMatching(
        /By rule `lures`: C-1 banned[^]*C-2, C-3, C-4, and C-5 casts hidden[^]*Reason: A lure/,
      ),
    ]);
  }, polling);
  const undo = await garden.run("moderator", "undo", { what: "rule:lures" });
  await garden.click("moderator", undo, "Undo all of it");
  await vi.waitFor(
    async () => expect(await areHidden([...early, lure])).toEqual([false, false, false]),
    polling,
  );
  expect((await viewChannel(garden.public, channelId)).banned).toEqual([]);
});
