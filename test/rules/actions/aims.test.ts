import { describe, expect, it } from "vitest";
import { actionKinds } from "../../../src/rules/actions/action-kinds.ts";
import { author, castCreated, castHash, mistakesIn, nameTaken, rule, ruleFile } from "../../support/rules.ts";

const kindOf = (name: string) => {
  const kind = actionKinds.find((one) => one.name === name);
  if (!kind) throw new Error(`there is no ${name}`);
  return kind;
};
const read = (name: string, parameters: unknown) => kindOf(name).schema.parse(parameters);

const onCasts = ["cast.created", "record.hidden", "record.unhidden", "pin.changed"];
const onUsers = [
  "cast.created",
  "cast.removed",
  "record.hidden",
  "record.unhidden",
  "username_proof.merged",
  "user.banned",
  "user.unbanned",
  "user.restricted",
  "member.joined",
  "member.left",
  "invite.created",
  "follower.added",
  "strike.added",
];
const onAll = [...onUsers, "pin.changed", "timer.fired"];
const fid = author;

describe("an action", () => {
  const ban = (forSeconds: number | null, reason: string | null = null) => ({
    kind: "ban",
    fid,
    reason,
    forSeconds,
  });
  it.each<[string, unknown, string, object]>([
    ["hide", {}, "hide the cast", { kind: "hide", castHash }],
    ["unhide", {}, "show the cast again", { kind: "unhide", castHash }],
    ["pin", {}, "pin the cast", { kind: "pin", castHash }],
    ["unpin", {}, "unpin the cast", { kind: "unpin", castHash }],
    ["ban", {}, "ban the author", ban(null)],
    ["ban", { for: "1d" }, "ban the author for 1 day", ban(86_400)],
    ["ban", { reason: " spam " }, "ban the author (spam)", ban(null, "spam")],
    ["ban", { for: "10s", reason: "spam" }, "ban the author for 10 seconds (spam)", ban(10, "spam")],
    [
      "ban",
      { for: "1d", hide_casts: true, reason: "spam" },
      "ban the author for 1 day and hide their casts (spam)",
      { ...ban(86_400, "spam"), hideCasts: true },
    ],
    ["ban", { for: "72h" }, "ban the author for 3 days", ban(259_200)],
    ["unban", {}, "lift the author's ban", { kind: "unban", fid }],
    ["soft_ban", {}, "restrict the author by ban and unban", ban(0)],
    ["soft_ban", { reason: " spam " }, "restrict the author by ban and unban (spam)", ban(0, "spam")],
    ["remove_member", {}, "remove the author from the members", { kind: "remove_member", fid }],
    ["invite", {}, "invite the author as member", { kind: "invite", fid }],
    ["invite", { role: "member" }, "invite the author as member", { kind: "invite", fid }],
    ["strike", {}, "give 1 strike point", { kind: "strike", fid, points: 1, ttlSeconds: null }],
    [
      "strike",
      { points: 2, ttl: "30d" },
      "give 2 strike points for 30 days",
      { kind: "strike", fid, points: 2, ttlSeconds: 2_592_000 },
    ],
    [
      "note",
      { text: " new here " },
      "note about the author: new here",
      { kind: "note", fid, text: "new here" },
    ],
    ["review", {}, "hold for review", { kind: "review", queue: null }],
    ["review", { queue: "names" }, "hold for review in names", { kind: "review", queue: "names" }],
    [
      "alert",
      {},
      "alert: A rule asks for your attention.",
      { kind: "alert", text: "A rule asks for your attention.", roomId: null },
    ],
    ["alert", { text: " look " }, "alert: look", { kind: "alert", text: "look", roomId: null }],
    [
      "post",
      { room: "12", text: " hello " },
      "post into room 12: hello",
      { kind: "alert", text: "hello", roomId: "12" },
    ],
  ])("%s %j says what it does, and aims at it", (name, parameters, sentence, deed) => {
    const action = read(name, parameters);
    expect(action.sentence).toBe(sentence);
    expect(action.aim(castCreated("x"))).toEqual(deed);
  });

  it("says when there is nothing to aim at; unpin then takes whatever is pinned", () => {
    const nobody = nameTaken("x", { authorFid: null });
    for (const name of ["ban", "unban", "soft_ban", "remove_member", "invite", "strike"]) {
      expect(read(name, {}).aim(nobody)).toEqual({ impossible: "The author is not known." });
    }
    expect(read("note", { text: "x" }).aim(nobody)).toEqual({ impossible: "The author is not known." });
    for (const name of ["hide", "unhide", "pin"]) {
      expect(read(name, {}).aim(nameTaken("x"))).toEqual({ impossible: "The event is not about a cast." });
    }
    expect(read("unpin", {}).aim(nameTaken("x"))).toEqual({ kind: "unpin", castHash: null });
  });

  it.each([
    ["hide", onCasts],
    ["unhide", onCasts],
    ["ban", onUsers],
    ["unban", onUsers],
    ["soft_ban", onUsers],
    ["remove_member", onUsers],
    ["invite", onUsers],
    ["pin", onCasts],
    ["unpin", onAll],
    ["strike", onUsers],
    ["note", onUsers],
    ["review", onAll],
    ["alert", onAll],
    ["post", onAll],
  ])("%s goes with the events that have what it acts on", (name, events) => {
    expect(kindOf(name).events).toEqual(events);
  });

  const long = (length: number) => "x".repeat(length);
  it.each<[Record<string, unknown>]>([
    [{ ban: { for: "365d", reason: long(300) } }],
    [{ soft_ban: { reason: long(300) } }],
    [{ strike: { points: 100, ttl: "365d" } }],
    [{ strike: { points: 1, ttl: "1m" } }],
    [{ note: { text: long(500) } }],
    [{ review: { queue: `0${"-".repeat(39)}` } }],
    [{ alert: { text: long(500) } }],
    [{ post: { room: "1".repeat(20), text: long(1000) } }],
  ])("may be %j", (action) => {
    expect(mistakesIn(ruleFile([rule({ then: [action] })]))).toEqual([]);
  });

  const notRoom = 'must be the id of a Discord room, in quotes: "123456789"';
  const notQueue = "must be 1 to 40 of a-z, 0-9 and -";
  it.each<[Record<string, unknown>, string]>([
    [{ hide: { thread: true } }, 'hide.thread: unknown key "thread"'],
    [{ unhide: { x: 1 } }, 'unhide.x: unknown key "x"'],
    [{ pin: { notify: true } }, 'pin.notify: unknown key "notify"'],
    [{ unpin: { x: 1 } }, 'unpin.x: unknown key "x"'],
    [{ unban: { x: 1 } }, 'unban.x: unknown key "x"'],
    [{ remove_member: { x: 1 } }, 'remove_member.x: unknown key "x"'],
    [{ ban: { until: "7d" } }, 'ban.until: unknown key "until"'],
    [{ ban: { for: "9s" } }, "ban.for: must be between 10s and 365d"],
    [{ ban: { for: "366d" } }, "ban.for: must be between 10s and 365d"],
    [{ ban: { reason: "  " } }, "ban.reason: is empty"],
    [{ ban: { reason: long(301) } }, "ban.reason: is too long: at most 300"],
    [{ soft_ban: { reason: "  " } }, "soft_ban.reason: is empty"],
    [{ soft_ban: { reason: long(301) } }, "soft_ban.reason: is too long: at most 300"],
    [{ soft_ban: { for: "7d" } }, 'soft_ban.for: unknown key "for"'],
    [{ invite: { role: "moderator" } }, "invite.role: must be member"],
    [{ invite: { x: 1 } }, 'invite.x: unknown key "x"'],
    [{ strike: { points: 0 } }, "strike.points: is too small: at least 1"],
    [{ strike: { points: 101 } }, "strike.points: is too large: at most 100"],
    [{ strike: { ttl: "59s" } }, "strike.ttl: must be between 1m and 365d"],
    [{ strike: { ttl: "366d" } }, "strike.ttl: must be between 1m and 365d"],
    [{ strike: { x: 1 } }, 'strike.x: unknown key "x"'],
    [{ note: {} }, "note.text: is missing"],
    [{ note: { text: "  " } }, "note.text: is empty"],
    [{ note: { text: long(501) } }, "note.text: is too long: at most 500"],
    [{ note: { text: "x", x: 1 } }, 'note.x: unknown key "x"'],
    [{ review: { queue: "" } }, `review.queue: ${notQueue}`],
    [{ review: { queue: "-a" } }, `review.queue: ${notQueue}`],
    [{ review: { queue: "a_b" } }, `review.queue: ${notQueue}`],
    [{ review: { queue: long(41) } }, `review.queue: ${notQueue}`],
    [{ review: { x: 1 } }, 'review.x: unknown key "x"'],
    [{ alert: { text: "  " } }, "alert.text: is empty"],
    [{ alert: { text: long(501) } }, "alert.text: is too long: at most 500"],
    [{ alert: { x: 1 } }, 'alert.x: unknown key "x"'],
    [{ post: { room: "12a", text: "x" } }, `post.room: ${notRoom}`],
    [{ post: { room: "a12", text: "x" } }, `post.room: ${notRoom}`],
    [{ post: { room: "", text: "x" } }, `post.room: ${notRoom}`],
    [{ post: { room: "1".repeat(21), text: "x" } }, `post.room: ${notRoom}`],
    [{ post: { room: "1", text: "  " } }, "post.text: is empty"],
    [{ post: { room: "1", text: long(1001) } }, "post.text: is too long: at most 1000"],
    [{ post: { room: "1", text: "x", x: 1 } }, 'post.x: unknown key "x"'],
  ])("may not be %j: %s", (action, mistake) => {
    expect(mistakesIn(ruleFile([rule({ then: [action] })]))).toEqual([
      expect.stringMatching(/^line [0-9]+, column [0-9]+: rule scam, then\[0\]\./),
    ]);
    expect(mistakesIn(ruleFile([rule({ then: [action] })]))[0]).toContain(`then[0].${mistake}`);
  });
});
