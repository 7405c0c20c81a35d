import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { botFid, fids, openGarden, type Garden } from "../support/garden.ts";
import { readFeed } from "../support/observer.ts";
import { viewChannel } from "../support/seed.ts";

const channelId = "garden";
const polling = { timeout: 60_000, interval: 100 };
let garden: Garden;
beforeAll(async () => {
  garden = await openGarden("over HTTP", { allowlisted: false });
});
afterAll(() => garden.stop());

const invite = (role: "member" | "moderator") =>
  garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role });
const view = () => viewChannel(garden.public, channelId);

// One story: each test goes on where the one before it ended.
it("is linked, follows, and says that its owner has to invite it, as member first", async () => {
  await expect(invite("member")).rejects.toMatchObject({ code: "invitee_not_following" });
  const linked = await garden.run("owner", "setup link", { channel: channelId });
  expect(linked.text).toContain(`the owner has to invite fid ${botFid}, as member and then as moderator`);
  expect((await garden.run("owner", "feed add", {}, "feed")).text).toContain(
    "gets events of every linked channel",
  );
  await expect(invite("moderator")).rejects.toMatchObject({ code: "invitee_not_member" });
  const refused = await garden.run("moderator", "ban", {
    user: String(fids.troll),
    reason: "insults",
    duration: "permanent",
  });
  expect(refused.text).toContain("does not moderate garden, so nothing was done: the owner has to invite");
});

it("accepts by itself what it is invited to, and tells the room once it moderates", async () => {
  await invite("member");
  await garden.wake("poll-listings");
  await vi.waitFor(async () => expect((await view()).members).toContain(botFid), polling);
  const half = await garden.run("owner", "setup link", { channel: channelId });
  expect(half.text).toContain(`it is a member, and the owner has to invite fid ${botFid} as moderator`);
  await invite("moderator");
  await garden.wake("poll-listings");
  await vi.waitFor(async () => expect((await view()).moderators).toContain(botFid), polling);
  await vi.waitFor(() => {
    const titles = readFeed(garden.discord, "feed").map(({ title }) => title);
    expect(titles).toContain("Castellan is a moderator now: Garden");
  }, polling);
});

it("moderates: a moderator bans from chat", async () => {
  const preview = await garden.run("moderator", "ban", {
    user: String(fids.troll),
    reason: "insults",
    duration: "permanent",
  });
  expect((await garden.click("moderator", preview, "Ban")).text).toMatch(/^C-\d+ · Ban · done/);
  expect((await view()).banned).toEqual([fids.troll]);
  expect(garden.errors()).toEqual([]);
});
