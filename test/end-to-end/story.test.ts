import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { seconds, systemClock } from "../../src/clock.ts";
import { viewChannel } from "../support/seed.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { readFeed, type Told } from "../support/observer.ts";
import { botFid, casts, fids, openGarden, type Garden, transports } from "../support/garden.ts";
import { custodyOf, signTransfer } from "../support/signing.ts";

const channelId = "garden";

const rules = `version: 1
defaults: {mode: enforce}
rules:
  - id: lures
    on: [cast.created]
    when: {all: [{text: {matches: "(?i)claim.{0,20}airdrop"}}, {not: {author.is_member: true}}]}
    then: [{hide: {}}]
  - id: repeat-hidden
    on: [record.hidden]
    when: {history: {event: record.hidden, by: author, within: 1h, gte: 2}}
    then: [{ban: {for: 72h, reason: "Two lures"}}]`;

const polling = { timeout: 60_000, interval: 100 };

// One story: each test goes on where the one before it ended.
describe.each(transports)(
  "a moderator acts from chat, with the network reached %s",
  { timeout: 90_000 },
  (transport) => {
    let garden: Garden;
    /** How much of the feed room was read by earlier tests. */
    let read = 0;

    beforeAll(async () => {
      garden = await openGarden(transport);
    });

    afterAll(() => garden.stop());

    /** Waits until the feed room tells exactly this besides what was read before; in any order within one look. */
    async function told(...titles: string[]): Promise<Told[]> {
      await garden.wake("poll-listings");
      const fresh = await vi.waitFor(() => {
        const news = readFeed(garden.discord, "feed").slice(read);
        expect(news.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
        return news;
      }, polling);
      read += fresh.length;
      return fresh;
    }

    /** What is seen a moment later is told in the same post. */
    const becomes = (title: string, words: RegExp) =>
      vi.waitFor(() => {
        const post = readFeed(garden.discord, "feed").findLast((told) => told.title === title);
        expect(post?.description).toMatch(words);
      }, polling);

    const asModerator = (command: string, options = {}) => garden.run("moderator", command, options);
    const view = () => viewChannel(garden.public, channelId);

    it("the owner invites the bot as moderator with their own key, and it is one at once", async () => {
      await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
      expect(await view()).toMatchObject({ moderators: [fids.moderator, botFid], invites: [] });
    });

    it("a stranger can link nothing; the owner links the server to the channel and adds a feed", async () => {
      // Listings know seconds only: in the same one, the bot's own entry would count as news.
      await sleep(1000);
      const refused = await garden.run("stranger", "setup link", { channel: channelId });
      expect(refused.text).toContain('Linking a channel takes Discord\'s "Manage Server" permission here');
      const linked = await garden.run("owner", "setup link", { channel: channelId });
      expect(linked.text).toContain("Castellan moderates it, so everything works now.");
      const added = await garden.run("owner", "feed add", {}, "feed");
      expect(added.text).toContain("gets events of every linked channel");
      await vi.waitFor(async () => {
        const status = await garden.run("owner", "status");
        expect(status.text).toMatch(/\/garden, members, bans and invites: up to date/);
      }, polling);
    });

    it("a moderator bans with autocomplete and Confirm: listing, case and feed say so", async () => {
      const [choice] = await vi.waitFor(async () => {
        const choices = await garden.discord.people.autocomplete({
          user: "moderator",
          room: "general",
          command: "ban",
          options: { user: "tro" },
          focused: "user",
        });
        expect(choices).toHaveLength(1);
        return choices;
      }, polling);
      expect(choice?.name).toBe(`@troll (fid ${fids.troll})`);
      const options = { user: String(choice?.value), reason: "insults", duration: "permanent" };
      const preview = await asModerator("ban", options);
      expect(preview.text).toContain("A ban hides all their replies, old and new.");
      expect((await view()).banned).toEqual([]);
      expect((await garden.click("moderator", preview, "Ban")).text).toContain("C-1 · Ban · done");
      expect((await view()).banned).toEqual([fids.troll]);
      expect(await garden.operator.readCast({ hash: casts.insult })).toMatchObject({ hiddenByBan: true });
      expect((await asModerator("case show", { number: 1 })).text).toMatch(
        /C-1 · Ban · done[^]*Reason: insults/,
      );
      const [ban] = await told("Banned from Garden");
      expect(ban?.description).toMatch(/troll.*by <@\d+> · case C-1[^]*Reason: insults/);
    });

    it("hides a cast: record, case and feed say so", async () => {
      const preview = await vi.waitFor(async () => {
        const seen = await asModerator("hide", { cast: casts.offer });
        expect(seen.text).toContain("Lamps, cheap lamps");
        return seen;
      }, polling);
      expect((await garden.click("moderator", preview, "Hide")).text).toContain("C-2 · Hide · done");
      const { result } = await garden.public.moderatedCasts.list({ channelId });
      expect(result.moderationActions).toMatchObject([{ castHash: casts.offer, action: "hide" }]);
      const [hidden] = await told("Cast hidden in Garden");
      expect(hidden?.description).toMatch(/peddler[^]*case C-2[^]*Lamps, cheap lamps/);
    });

    it("pins a cast and announces it, once", async () => {
      const preview = await asModerator("pin", { cast: casts.greeting, notify: true });
      expect(preview.text).toContain("1 follower will be notified. This cannot be undone");
      const done = await garden.click("moderator", preview, "Pin and notify everyone");
      expect(done.text).toContain("C-3 · Pin · done");
      expect((await garden.public.channels.get({ channelId })).channel.pinnedCastHash).toBe(casts.greeting);
      const { notifications } = await garden.operator.notifications({ channelId });
      expect(notifications).toMatchObject([{ castHash: casts.greeting, recipients: 1 }]);
      const [pinned] = await told("Pinned in Garden");
      expect(pinned?.description).toContain("case C-3");
    });

    it("invites a follower, who accepts over HTTP and is a member", async () => {
      const invited = await asModerator("invite", { user: "@follower" });
      expect(invited.text).toMatch(/C-4 · Invite · done/);
      expect((await view()).invites).toEqual([`${fids.follower} member`]);
      const [invite] = await told("Invited to join Garden");
      expect(invite?.description).toMatch(/follower.*case C-4/);
      // An invite that is accepted before any listing has shown it ends unseen.
      const isListed = () =>
        garden
          .context()
          .database.query.selectFrom("castellan.listing_entries")
          .select("fid")
          .where("listing", "=", "invites")
          .execute();
      await expect.poll(isListed).toEqual([{ fid: fids.follower }]);
      await garden.as(fids.follower).channelInvites.answer({ channelId, role: "member", accept: true });
      expect(await view()).toMatchObject({
        members: expect.arrayContaining([fids.follower]),
        invites: [],
      });
      await told("Joined Garden");
      await becomes("Joined Garden", /Accepted the invite to become member\./);
    });

    it("lifts the ban: the user shows as restricted", async () => {
      const preview = await asModerator("undo", { what: "@troll", reason: "apologised" });
      expect(preview.text).toContain("restricted");
      const done = await garden.click("moderator", preview, "Lift the ban");
      expect(done.text).toContain("C-5 · Unban · done");
      expect(await view()).toMatchObject({ banned: [], restricted: [fids.troll] });
      expect(await garden.operator.readCast({ hash: casts.insult })).toMatchObject({
        hiddenByBan: false,
        belowFold: true,
      });
      expect((await asModerator("case show", { number: 1 })).text).toContain("C-1 · Ban · lifted since");
      await told("Ban lifted in Garden");
      await becomes("Ban lifted in Garden", /case C-5[^]*Restricted: can join again only by invite/);
    });

    it("a stranger is refused everything, and nothing changed on the network", async () => {
      const before = [await view(), await garden.public.moderatedCasts.list({ channelId })];
      const tries: [string, Record<string, string | number | boolean>][] = [
        ["ban", { user: "@member", duration: "permanent", reason: "spam" }],
        ["undo", { what: "@troll" }],
        ["who", { list: "bans" }],
        ["hide", { cast: casts.greeting }],
        ["undo", { what: casts.offer }],
        ["pin", { cast: casts.offer }],
        ["pin", { clear: true }],
        ["invite", { user: "@troll" }],
        ["invite", { user: "@member", revoke: true }],
        ["case show", {}],
        ["case show", { number: 1 }],
        ["setup link", { channel: channelId }],
        ["setup unlink", { channel: channelId }],
        ["feed add", {}],
        ["feed remove", { number: 1 }],
        ["rule import", { text: rules }],
        ["rule show", {}],
        ["status", {}],
      ];
      const answers = new Map<string, Seen>();
      for (const [command, options] of tries)
        answers.set(command, await garden.run("stranger", command, options));
      const allowed = [...answers].filter(
        ([, { text, buttons }]) =>
          !/You may not|Linking a channel takes/.test(text) || Object.keys(buttons).length > 0,
      );
      expect(allowed).toEqual([]);
      const stranger = garden.as(fids.stranger);
      const refusal = { code: "not_permitted" };
      await expect(stranger.channelBans.ban({ channelId, banFid: fids.member })).rejects.toMatchObject(
        refusal,
      );
      expect([await view(), await garden.public.moderatedCasts.list({ channelId })]).toEqual(before);
    });

    it("a name is registered, and a room that asked for all names hears of it", async () => {
      const added = await garden.run("owner", "feed add", { kinds: "names" }, "feed");
      expect(added.text).toContain("This includes every new name on the network");
      const newcomer = 6;
      const custodyAddress = custodyOf(newcomer).address;
      await garden.operator.importNetwork({ accounts: [{ fid: newcomer, custodyAddress }] });
      const claim = { name: "moth", from: 0, to: newcomer, timestamp: seconds(systemClock) };
      await garden.public.transfers.create(await signTransfer(claim));
      const [name] = await told("Name registered: moth");
      expect(name?.description).toContain("`moth` now belongs to fid 6.");
    });

    it("a rule bans by itself, with nobody typing", async () => {
      const preview = await asModerator("rule import", { text: rules });
      await garden.click("moderator", preview, "Put in force");
      await told("The rules were changed: version 1 is in force");
      const lure = { fid: fids.peddler, channelId, text: "Claim your airdrop now" };
      const { hash } = await garden.operator.cast(lure);
      await vi.waitFor(async () => {
        expect((await view()).banned).toEqual([fids.peddler]);
      }, polling);
      expect(await garden.operator.readCast({ hash })).toMatchObject({ hiddenByModeration: true });
      // Of both rules, for it is about one person within a minute.
      const [post] = await told("Banned, cast hidden: @peddler");
      expect(post?.description).toMatch(/By rule `repeat-hidden`: C-7 banned[^]*Reason: Two lures/);
      expect((await asModerator("case show", { number: 7 })).text).toContain(
        "rule `repeat-hidden` (version 1)",
      );
    });

    it("the room heard of everything exactly once and in order, and Discord of nothing wrong", async () => {
      const numbers = readFeed(garden.discord, "feed").map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      expect(numbers).toHaveLength(read);
      expect([garden.discord.context.violations, garden.errors()]).toEqual([[], []]);
    });
  },
);
