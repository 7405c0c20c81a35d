import { describe, expect, test } from "vitest";
import { fitPosts, layOut, type Post } from "../../src/feed/render/lay-out.ts";
import { toldBulk } from "../support/told-bulk.ts";
import type { EventCase, Lookups } from "../../src/feed/render/lookups.ts";
import { buttonsOf } from "../../src/feed/render/post-buttons.ts";
import { renderEvent } from "../../src/feed/render/render-event.ts";
import type { AnnouncedEvent, AnnouncedKind } from "../../src/feed/feed-kinds.ts";
import { decodeCustomId } from "../../src/text/custom-id.ts";
import type { EventData } from "../../src/observe/events.ts";

const hash = `0x${"ab".repeat(20)}`;
const hostile = "**@everyone** <@1> https://evil.test/ `x` \u202e||".repeat(60);
const about = { guildId: "1", version: 3, change: hostile, userId: "5", removed: [hostile] };
const moved = { id: hostile, before: "off", after: "enforce" };
const ruleChange = { ...about, added: [{ id: hostile, mode: "shadow" }], changed: [moved] };
const samples: Pick<EventData, AnnouncedKind> = {
  "cast.created": { castHash: hash, text: hostile, rootHash: hash, threadDepth: 0, mentions: [], embeds: [] },
  "cast.removed": { castHash: hash },
  "username_proof.merged": { name: hostile, owner: "0x", change: "replaced", previousName: hostile },
  "record.hidden": { castHash: hash },
  "record.unhidden": { castHash: hash },
  "user.banned": { at: 1 },
  "user.unbanned": {},
  "user.restricted": { at: 1 },
  "user.unrestricted": {},
  "member.joined": { at: 1 },
  "member.left": {},
  "invite.created": { role: "member", inviterFid: 7 },
  "invite.ended": { role: "moderator" },
  "pin.changed": { castHash: null, previousHash: hash },
  "channel.edited": { fields: ["name"] },
  "bulk.begun": { guildId: "1", bulkId: 6, kinds: ["hide"] },
  "gap.found": { source: "hub", from: 1, until: 2 },
  "case.settled": { guildId: "1", number: 4, kind: "ban", state: "failed" },
  "link.changed": { guildId: "1", change: "suspended", reason: hostile },
  "rule.hit": { guildId: "1", ruleId: hostile, version: 1, mode: "enforce", actions: ["ban"], eventId: 3 },
  "strike.added": { guildId: "1", ruleId: hostile, points: 1, total: 3 },
  "setup.changed": { guildId: "1", userId: "5", what: "ended feed 3" },
  "rule.alert": { guildId: "1", ruleId: hostile, text: hostile },
  "rule.tripped": { guildId: "1", ruleId: hostile, acted: 20, perSeconds: 3600, mode: "review" },
  "rules.slow": { guildId: "1", version: 3, ruleIds: [hostile] },
  "rules.changed": ruleChange,
  "rules.unreadable": { guildId: "1", version: 3, mistakes: [hostile] },
  "review.held": { guildId: "1", itemId: 5, ruleId: hostile, queue: hostile },
  "review.waiting": { guildId: "1", items: [{ id: 5, queue: hostile }], oldestAt: 1 },
  "feed.tested": { guildId: "1", roomId: "2", feedId: 3, userId: "5", kinds: [hostile] },
  "review.escalated": { guildId: "1", itemId: 5, queue: hostile, userId: "5" },
  "lockdown.changed": { guildId: "1", begun: true, userId: "5", reason: hostile, until: 9, hidden: 0 },
  "automod.changed": { guildId: "1", paused: true, userId: "5", reason: hostile, until: 9 },
};

const review = {
  id: 5,
  tag: "5b0d9c0e-0000-4000-8000-000000000005",
  guildId: "1",
  channels: [{ name: hostile, state: "open" as const, decidedBy: null }],
  queue: hostile,
  ruleId: hostile,
  ruleVersion: 2,
  fid: 7,
  name: hostile,
  castHash: hash,
  evidence: hostile,
  why: hostile,
  sentences: [hostile],
  reports: [],
  heldAtMs: 1000,
  claimedBy: null,
  escalatedBy: null,
  undoneBy: null,
  cases: 2,
  points: 3,
};

const lookups = (change: Partial<Lookups> = {}): Lookups => ({
  names: new Map([[7, "alice"]]),
  casts: new Map([[hash, { fid: 7, text: hostile, hidden: false }]]),
  channels: new Map([["memes", "Memes *and* more"]]),
  cases: new Map(),
  hits: new Map(),
  reviews: new Map([[5, review]]),
  bulks: new Map([[6, toldBulk(hostile, hash)]]),
  ...change,
});

/** A ban of fid 7 by a moderator, until something is changed about it. */
const eventCase = (change: Partial<EventCase> = {}): EventCase => ({
  number: 3,
  kind: "ban",
  state: "applied",
  targetFid: 7,
  targetCast: null,
  dueAtMs: null,
  outlasted: false,
  answer: null,
  actorKind: "person",
  actorUser: "99",
  endsInTime: false,
  ruleId: null,
  reason: null,
  ...change,
});

function sample(kind: AnnouncedKind, change: Partial<AnnouncedEvent> = {}): AnnouncedEvent {
  const event = {
    id: 4812,
    kind,
    data: samples[kind],
    sourceKey: "s",
    channelId: "memes",
    subjectFid: 7,
    occurredAt: 1_700_000_000,
    observedAt: 0,
    depth: 0,
    caseId: null,
  };
  // samples pairs each kind with its data.
  return { ...event, ...change } as AnnouncedEvent;
}

const kinds = Object.keys(samples) as AnnouncedKind[]; // its own keys

describe("an event in a room", () => {
  test.each(kinds)(
    "%s stays within Discord's limits and shows nothing of a stranger outside code or escapes",
    (kind) => {
      const byRule = { actorKind: "rule" as const, actorUser: null, ruleId: hostile, reason: hostile };
      const cases = new Map([[4812, eventCase(byRule)]]);
      const {
        title = "",
        description = "",
        footer,
        timestamp,
      } = renderEvent(sample(kind), lookups({ cases }));
      expect(title.length).toBeGreaterThan(3);
      expect(title.length).toBeLessThanOrEqual(256);
      expect(description.length).toBeLessThanOrEqual(4096);
      expect({ footer, timestamp }).toEqual({ footer: "E-4812", timestamp: 1_700_000_000_000 });
      const shown = `${title}\n${description}`.replace(/```[^`]*```|`[^`]*`|\\./g, "·");
      expect(shown).not.toMatch(/@everyone|<@1>|https:|\|\||\u202e/);
    },
  );

  test("says who, what, where, by whom and when, with the evidence in code style", () => {
    const cases = new Map([[4812, eventCase({ kind: "hide", reason: "spam" })]]);
    const casts = new Map([[hash, { fid: 7, text: "buy `now`", hidden: true }]]);
    expect(renderEvent(sample("record.hidden"), lookups({ cases, casts }))).toMatchObject({
      title: String.raw`Cast hidden in Memes \*and\* more`,
      description:
        "Author: **@alice** (fid 7) · by <@99> · case C-3 · <t:1700000000:R>\nReason: spam\n```\nbuy ˋnowˋ\n```",
    });
  });

  test("names nobody as who lifted a ban whose time was over", () => {
    const found = eventCase({ number: 4, endsInTime: true, reason: "The time of case C-3 is over." });
    const cases = new Map([[4812, found]]);
    const { description } = renderEvent(sample("user.unbanned"), lookups({ cases }));
    expect(description).toContain("by Castellan · case C-4");
    expect(description).not.toContain("<@99>");
  });

  test("says until when a ban holds, and promises no end that another ban puts off", () => {
    const describeBan = (change: Partial<EventCase>) =>
      renderEvent(sample("user.banned"), lookups({ cases: new Map([[4812, eventCase(change)]]) }))
        .description;
    const dueAtMs = 1_700_003_600_000;
    expect(describeBan({ dueAtMs })).toContain("Until <t:1700003600:f> (<t:1700003600:R>).");
    expect(describeBan({ dueAtMs, outlasted: true })).toContain("Another ban of theirs holds longer.");
    expect(describeBan({ dueAtMs, outlasted: true })).not.toContain("Until");
    expect(describeBan({ dueAtMs, state: "reverted" })).toMatch(/Undone since\.\*\*$/);
    expect(describeBan({ dueAtMs: null })).not.toMatch(/Until|Undone/);
  });

  test("tells the outside and other servers' actions apart", () => {
    const describeBan = (caseId: number | null) =>
      renderEvent(sample("user.banned", { caseId }), lookups()).description;
    expect(describeBan(null)).toContain("not through Castellan");
    expect(describeBan(5)).toContain("by Castellan, for another server");
  });

  test("of a link begins with its reason, or with the time where there is none", () => {
    const describeLink = (reason: string) => {
      const data = { guildId: "1", change: "bot_role_back" as const, reason };
      return renderEvent(sample("link.changed", { data }), lookups()).description;
    };
    expect(describeLink("")).toMatch(/^<t:\d+:R>$/);
    expect(describeLink("Rules pause")).toMatch(/^Rules pause · <t:/);
  });

  const post = (change: Partial<Post> = {}): Post => ({
    embed: { title: "t", description: "x".repeat(900), footer: "E-1" },
    buttons: [],
    alone: false,
    ...change,
  });
  const button = { customId: "run:case list:user=7", label: "History", style: "secondary" as const };

  test("shares a message with as many others as fit, in characters and rows of buttons", () => {
    expect(fitPosts(Array.from({ length: 10 }, () => post()))).toHaveLength(6);
    const long = post({ embed: { description: "x".repeat(4000) } });
    expect(fitPosts([long, long])).toHaveLength(1);
    const short = post({ embed: { description: "x" } });
    expect(fitPosts(Array.from({ length: 20 }, () => short))).toHaveLength(10);
    const pressed = { ...short, buttons: [button] };
    expect(fitPosts([short, ...Array.from({ length: 8 }, () => pressed)])).toHaveLength(6);
  });

  test("has a message of its own where others edit it", () => {
    const held = post({ alone: true });
    expect(fitPosts([held, post()])).toEqual([held]);
    expect(fitPosts([post(), held, post()])).toHaveLength(1);
  });

  test("has its buttons marked only where a message has several events", () => {
    const pressed = post({ buttons: [button] });
    expect(layOut([pressed])).toEqual({ embeds: [pressed.embed], buttons: [[button]] });
    const { embeds, buttons } = layOut([post(), pressed, pressed]);
    expect(embeds.map(({ title }) => title)).toEqual(["t", "① t", "② t"]);
    expect(buttons.map((row) => row.map(({ label }) => label))).toEqual([["① History"], ["② History"]]);
    // Discord refuses a message with two of one id.
    const ids = buttons.flat().map(({ customId }) => customId);
    expect(new Set(ids).size).toBe(2);
    expect(ids.map(decodeCustomId)).toMatchObject([
      { kind: "run", path: "case list", options: { user: "7" } },
      { kind: "run", path: "case list", options: { user: "7" } },
    ]);
  });
});

describe("the buttons of an event", () => {
  const idsOf = (kind: AnnouncedKind, change: Partial<Lookups> = {}) =>
    Object.fromEntries(
      buttonsOf(sample(kind), lookups(change)).map(({ label, customId }) => [label, customId]),
    );
  const visible = { casts: new Map([[hash, { fid: 7, text: "x", hidden: false }]]) };
  const hidden = { casts: new Map([[hash, { fid: 7, text: "x", hidden: true }]]) };

  test("run the commands that one would type, with all that they need", () => {
    const cases = new Map([[4812, eventCase()]]);
    expect(idsOf("user.banned", { cases })).toEqual({
      Why: "run:case view:number=3:channel=memes",
      Undo: "run:ban remove:user=7:channel=memes",
      History: "run:case list:user=7:channel=memes",
    });
    expect(idsOf("cast.created", visible)).toEqual({
      Hide: `run:hide:cast=${hash}:channel=memes`,
      "Ban author": "run:ban add:user=7:channel=memes",
      History: "run:case list:user=7:channel=memes",
    });
    const hide = eventCase({ kind: "hide", targetFid: null, targetCast: hash });
    expect(idsOf("record.hidden", { ...hidden, cases: new Map([[4812, hide]]) })).toEqual({
      Why: "run:case view:number=3:channel=memes",
      Undo: `run:unhide:cast=${hash}:channel=memes`,
      "Ban author": "run:ban add:user=7:channel=memes",
      History: "run:case list:user=7:channel=memes",
    });
  });

  test("of a rule's hit explain it, and take back what it did, or do what it did not", () => {
    const hide = eventCase({ kind: "hide", targetFid: null, targetCast: hash });
    const hits = (...cases: EventCase[]) => ({ hits: new Map([[4812, { castHash: hash, cases }]]) });
    expect(idsOf("rule.hit", { ...hidden, ...hits(hide, eventCase()) })).toEqual({
      Why: "run:rule explain:event=3",
      "Undo hide": `run:unhide:cast=${hash}:channel=memes`,
      "Undo ban": "run:ban remove:user=7:channel=memes",
      History: "run:case list:user=7:channel=memes",
    });
    const offered = Object.keys(idsOf("rule.hit", { ...visible, ...hits() }));
    expect(offered).toEqual(["Why", "Hide", "Ban author", "History"]);
  });

  test("offer nothing that was taken back already, and nothing of what is of no channel", () => {
    const cases = new Map([[4812, eventCase({ state: "reverted" })]]);
    expect(idsOf("user.banned", { cases })).not.toHaveProperty("Undo");
    expect(buttonsOf(sample("username_proof.merged", { channelId: null }), lookups())).toEqual([]);
  });

  const states = [
    eventCase(),
    eventCase({ kind: "hide", targetFid: null, targetCast: hash }),
    eventCase({ kind: "unhide", targetFid: null, targetCast: hash, state: "outside" }),
    eventCase({ kind: "pin", targetFid: null, targetCast: hash }),
  ];
  test.each(kinds)("are such as Discord takes, for %s", (kind) => {
    const each = ["memes", "c".repeat(80)].flatMap((channelId) =>
      states.flatMap((found) => [visible, hidden].map((cast) => ({ channelId, found, cast }))),
    );
    for (const { channelId, found, cast } of each) {
      const cases = new Map([[4812, found]]);
      const hits = new Map([[4812, { castHash: hash, cases: [found] }]]);
      const buttons = buttonsOf(sample(kind, { channelId }), lookups({ cases, hits, ...cast }));
      const ids = buttons.map(({ customId }) => customId);
      expect(ids.filter((id) => id.length > 100)).toEqual([]);
      expect([new Set(ids).size, ids.length <= 5]).toEqual([ids.length, true]);
    }
  });
});
