import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { botFid, openLiveSite, type LiveSite } from "../live/live-site.ts";
import { see } from "../support/bot-in-discord.ts";
import { readFeed, type Told } from "../support/observer.ts";
import { liveNameDomain, walletOf, proofTypes } from "../support/signing.ts";

const channelId = "garden";
const fids = { owner: 1, moderator: 2, member: 3, troll: 7, peddler: 8 };
/** Has no name yet. */
const newcomer = 6;
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

/** Events of channels are asked for every four seconds, and what follows from them may wait for its worker's turn. */
const polling = { timeout: 60_000, interval: 100 };
/** What killed processes were at is done by others once their locks have expired. */
const takeover = { timeout: 60_000, interval: 100 };
const afterCrash = { timeout: 150_000 };

let site: LiveSite;
/** How much of the feed's room was read by earlier tests. */
let read = 0;
const casts = { greeting: "", offer: "" };

beforeAll(async () => {
  site = await openLiveSite();
  const { controls } = site.live;
  await controls.addChannel({ id: channelId, name: "Garden", owner: fids.owner });
  for (const [name, fid] of Object.entries(fids)) await controls.addPerson(fid, { name });
  await controls.addPerson(newcomer, {});
  casts.greeting = await cast("member", "Moonflowers opened!");
  casts.offer = await cast("peddler", "Lamps, cheap lamps");
  await site.start();
});
afterAll(() => site?.close());

const cast = (who: keyof typeof fids, text: string) =>
  site.live.controls.cast({ fid: fids[who], text, channelId });
const look = () => site.live.controls.look(channelId);
const asOwner = () => site.live.as(fids.owner).channelInvites;
/** What Castellan asked the network to change with one call, in order. */
const asked = async (call: string) =>
  (await site.live.controls.writesOf(botFid))
    .filter((one) => one.call.startsWith(call))
    .map(({ body }) => body);

/** What the feed's room tells; who moderates shows in the channel's record, which is read when it has its turn. */
const news = () => readFeed(site.discord, "feed").filter(({ title }) => title !== "Garden was edited");

/** Waits until the feed's room tells exactly this besides what was read before, in whatever order. */
const told = (...titles: string[]) => toldWithin(polling, ...titles);

async function toldWithin(limits: typeof polling, ...titles: string[]): Promise<Told[]> {
  const fresh = await vi.waitFor(() => {
    const unread = news().slice(read);
    expect(unread.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
    return unread;
  }, limits);
  read += fresh.length;
  return fresh;
}

/** A moderator's command with its confirmation, which carries it out. */
async function confirm(command: string, options: Record<string, string>, label: string): Promise<string> {
  const preview = await site.run("moderator", command, options);
  return (await site.click("moderator", preview, label)).text;
}

// One story: each test goes on where the one before it ended.
describe("on a live network that is another process", { timeout: 60_000 }, () => {
  it("the owner proves their rights by a cast, and links; Castellan follows, and says what is missing", async () => {
    const offered = await site.run("owner", "setup link", { channel: channelId });
    const [, text = ""] = /```\n(Castellan may link [^\n]+)\n```/.exec(offered.text) ?? [];
    const proven = site.nextMessage("Proven: ");
    await site.live.controls.cast({ fid: fids.owner, text });
    const linked = await site.click("owner", see(await proven), `Link /${channelId}`);
    expect(linked.text).toContain(`the owner has to invite fid ${botFid}, as member and then as moderator`);
    expect((await look()).followers).toContain(botFid);
    expect((await site.run("owner", "feed add", {}, "feed")).text).toContain(
      "gets events of every linked channel",
    );
    const refused = await site.run("owner", "ban", {
      user: String(fids.troll),
      reason: "insults",
      duration: "permanent",
    });
    expect(refused.text).toContain("does not moderate garden, so nothing was done");
  });

  it("accepts to be a member, then a moderator, and says that it is one", async () => {
    await expect(asOwner().invite({ channelId, inviteFid: botFid, role: "moderator" })).rejects.toThrow(
      "must be a member",
    );
    // What the channel was before it was linked is no news, once that has been read.
    await vi.waitFor(
      async () =>
        expect((await site.run("owner", "status")).text).toContain(
          "/garden, members, bans and invites: read",
        ),
      { ...polling, interval: 2_000 },
    );
    await asOwner().invite({ channelId, inviteFid: botFid, role: "member" });
    await told("Invited to join Garden", "Joined Garden");
    expect((await look()).members).toContain(botFid);
    await asOwner().invite({ channelId, inviteFid: botFid, role: "moderator" });
    await told(
      "Invited to moderate Garden",
      "Invite ended in Garden",
      "Castellan is a moderator now: Garden",
    );
    expect((await look()).moderators).toContain(botFid);
    const accepted = (role: string) => ({ channelId, role, accept: true });
    expect(await asked("PATCH")).toEqual([accepted("member"), accepted("moderator")]);
  });

  it("a moderator bans: the network, the case and the room say so, each once", async () => {
    const question = await site.run("owner", "setup permissions", { role: "Moderator", give: "everything" });
    await site.click("owner", question, "Give it");
    await told("Setup changed: Garden");
    const done = await confirm("ban", { user: "@troll", reason: "insults", duration: "permanent" }, "Ban");
    expect(done).toMatch(/^C-\d+ · Ban · done/);
    expect((await look()).banned).toEqual([fids.troll]);
    expect(await asked("POST /fc/channel-bans")).toEqual([{ channelId, banFid: fids.troll }]);
    const [ban] = await told("Banned from Garden");
    expect(ban?.description).toMatch(/troll.*by <@\d+> · case C-\d+[^]*Reason: insults/);
  });

  it("hides a cast, and pins one", async () => {
    expect(await confirm("hide", { cast: casts.offer }, "Hide")).toMatch(/^C-\d+ · Hide · done/);
    const pinned = await site.run("moderator", "pin", { cast: casts.greeting });
    expect(pinned.text).toMatch(/^C-\d+ · Pin · done/);
    expect(await look()).toMatchObject({ hidden: [casts.offer], pinned: casts.greeting });
    await told("Cast hidden in Garden", "Pinned in Garden");
  });

  it("tells a room that wants casts of a reply, where it belongs", async () => {
    await site.run("owner", "feed add", { kinds: "casts" }, "mod-log");
    const text = "They smell of lemon";
    await site.live.controls.cast({ fid: fids.peddler, text, parent: casts.greeting });
    await vi.waitFor(() => {
      expect(readFeed(site.discord, "mod-log")).toMatchObject([
        { title: "Reply in Garden", description: expect.stringMatching(/peddler[^]*They smell of lemon/) },
      ]);
    }, polling);
  });

  it("a rule hides a lure, and bans who cast it", async () => {
    await confirm("rule import", { text: rules }, "Put in force");
    await told("The rules were changed: version 1 is in force");
    const lure = await cast("peddler", "Claim your airdrop now");
    // The room hears of both hits when they are decided; that the network has done it, in the same post.
    const [post] = await told("Banned, cast hidden: @peddler");
    expect(post?.description).toMatch(/By rule `repeat-hidden`: C-\d+ banned[^]*Reason: Two lures/);
    expect(await look()).toMatchObject({ hidden: [casts.offer, lure], banned: [fids.troll, fids.peddler] });
  });

  it("tells of a name, which both shards prove, once", async () => {
    await site.run("owner", "feed add", { kinds: "names" }, "feed");
    const [name, timestamp] = ["moth", Math.floor(Date.now() / 1000)];
    const wallet = walletOf(newcomer);
    const claim = { name, timestamp, owner: wallet.address };
    const signature = await wallet.signTypedData(liveNameDomain, proofTypes, claim);
    await site.live
      .as(newcomer)
      .transfers.create({ ...claim, from: 0, to: newcomer, fid: newcomer, signature });
    const [registered] = await told("Name registered: moth");
    expect(registered?.description).toContain("`moth` now belongs to fid 6.");
  });

  it("killed and started again, tells what happened meanwhile, and repeats nothing", afterCrash, async () => {
    const before = await site.live.controls.writesOf(botFid);
    await site.kill();
    await cast("member", "Where is everybody?");
    await site.live.as(fids.moderator).channelFollows.follow({ channelId });
    await asOwner().invite({ channelId, inviteFid: fids.moderator, role: "member" });
    await site.start();
    await toldWithin(takeover, "Invited to join Garden");
    await vi.waitFor(() => expect(readFeed(site.discord, "mod-log")).toHaveLength(3), takeover);
    expect(await site.live.controls.writesOf(botFid)).toEqual(before);
  });

  it("lifts a ban: the user is restricted", async () => {
    await confirm("undo", { what: "@troll", reason: "apologised" }, "Lift the ban");
    expect(await look()).toMatchObject({ banned: [fids.peddler], restricted: [fids.troll] });
    await told("Ban lifted in Garden");
  });

  it("loses its role, says so, and tries nothing more", async () => {
    await asOwner().remove({ channelId, removeFid: botFid, role: "moderator" });
    const [lost] = await told("Castellan is no longer a moderator: Garden");
    expect(lost?.description).toContain(`until the owner makes fid ${botFid} a moderator again`);
    const before = await site.live.controls.writesOf(botFid);
    await cast("peddler", "Claim your airdrop here");
    const refused = await site.run("moderator", "hide", { cast: casts.greeting });
    expect(refused.text).toContain("does not moderate garden, so nothing was done");
    expect(await site.live.controls.writesOf(botFid)).toEqual(before);
  });

  it("each was told once and in order, within the network's limits, and nothing went wrong", async () => {
    for (const room of ["feed", "mod-log"] as const) {
      const numbers = readFeed(site.discord, room).map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
    }
    expect(news()).toHaveLength(read);
    expect(await site.live.controls.refusals()).toEqual([]);
    expect(new Set(await site.end())).toEqual(new Set([0]));
    // Two workers that post to one room count for themselves; then Discord has one of them wait.
    const broken = site.discord.context.violations.filter(({ message }) => !/rate limited/.test(message));
    expect(broken).toEqual([]);
    const failures = site.log().match(/^.*"level":[56]0.*$/gm) ?? [];
    // Each start says, with what to do, where the bot does not moderate.
    expect(failures.filter((line) => !line.includes('"part":"Channel /garden"'))).toEqual([]);
  });
});
