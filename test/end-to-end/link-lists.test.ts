import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { boundTo } from "../../src/listening.ts";
import { botFid, fids, openGarden, type Garden } from "../support/garden.ts";
import { viewChannel } from "../support/seed.ts";

const channelId = "garden";
const polling = { timeout: 60_000, interval: 50 };
const rules = `version: 1
rules:
  - id: known-bad
    mode: enforce
    on: [cast.created]
    when: {links.known_bad: true}
    then: [{hide: {}}]`;

/** The JSON of a wallet's list, served on this machine. */
const feed = createServer((_, response) => {
  const list = { version: 2, fuzzylist: ["fine.example"], whitelist: ["fine.evil.example"] };
  response.end(JSON.stringify({ ...list, blacklist: ["evil.example", "drainer.example"] }));
});

// One story: each test goes on where the one before it ended.
describe("a list of bad links that the operator names", { timeout: 90_000 }, () => {
  let garden: Garden;

  beforeAll(async () => {
    feed.listen(0, "127.0.0.1");
    await once(feed, "listening");
    const LINK_LISTS = `wallets http://127.0.0.1:${boundTo(feed).port}/config.json`;
    garden = await openGarden("in this process", { settings: { LINK_LISTS } });
    await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
    await garden.run("owner", "setup link", { channel: channelId });
  });

  afterAll(async () => {
    feed.closeAllConnections();
    feed.close();
    await garden.stop();
  });

  const status = async () => (await garden.run("owner", "status")).text;
  const hidden = async () => {
    const { result } = await garden.public.moderatedCasts.list({ channelId });
    return result.moderationActions.map(({ castHash }) => castHash);
  };

  /** Casts, and waits until it is hidden. */
  async function castAndHide(text: string): Promise<string> {
    const { hash } = await garden.operator.cast({
      fid: fids.peddler,
      channelId,
      text,
      mentions: [],
      embeds: [],
    });
    await vi.waitFor(async () => expect(await hidden()).toContain(hash), polling);
    return hash;
  }

  it("is read without being asked for, and /status shows how old it is", async () => {
    await vi.waitFor(async () => {
      expect(await status()).toMatch(/Link lists\s+wallets: 2 bad, 1 allowed, read <t:\d+:R>/);
    }, polling);
  });

  it("hides a cast that links to what it has, and says which list and how old", async () => {
    const preview = await garden.run("owner", "rule import", { text: rules });
    await garden.click("owner", preview, "Put in force");
    const hash = await castAndHide("Claim yours at hxxps://free[.]evil[.]example/now");
    const { text } = await garden.run("owner", "rule explain", { cast: hash });
    expect(text).toContain("the cast links to a known bad address");
    expect(text).toMatch(/free\.evil\.example, which belongs to evil\.example.*\(list wallets, <t:\d+:R>\)/);
    expect((await viewChannel(garden.public, channelId)).banned).toEqual([]);
  });

  it("goes on when the feed is gone, and /status says so", async () => {
    feed.closeAllConnections();
    feed.close();
    garden.advance(3601);
    await garden.wake("refresh-link-lists");
    await vi.waitFor(async () => {
      expect(await status()).toMatch(
        /wallets: \*\*cannot be read\*\*: it cannot be reached .*In use is its content from <t:\d+:R>: 2 bad/,
      );
    }, polling);
    await castAndHide("https://drainer.example");
  });
});
