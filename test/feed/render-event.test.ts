import { describe, expect, test } from "vitest";
import { fitMessage } from "../../src/feed/deliver/bind-message.ts";
import type { Lookups } from "../../src/feed/render/lookups.ts";
import { renderEvent } from "../../src/feed/render/render-event.ts";
import type { AnnouncedEvent, AnnouncedKind } from "../../src/feed/feed-rows.ts";
import type { EventData } from "../../src/observe/events.ts";

const hash = `0x${"ab".repeat(20)}`;
const hostile = "**@everyone** <@1> https://evil.test/ `x` \u202e||".repeat(60);

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
  "gap.found": { source: "hub", from: 1, until: 2 },
  "case.settled": { guildId: "1", number: 4, kind: "ban", state: "failed" },
  "link.changed": { guildId: "1", change: "suspended", reason: hostile },
  "rule.hit": { guildId: "1", ruleId: hostile, version: 1, mode: "enforce", actions: ["ban"], eventId: 3 },
  "strike.added": { guildId: "1", ruleId: hostile, points: 1, total: 3 },
  "rule.alert": { guildId: "1", ruleId: hostile, text: hostile },
  "rule.tripped": { guildId: "1", ruleId: hostile, acted: 20, perSeconds: 3600, mode: "review" },
  "rules.slow": { guildId: "1", version: 3, ruleIds: [hostile] },
  "rules.unreadable": { guildId: "1", version: 3, mistakes: [hostile] },
  "review.held": { guildId: "1", itemId: 5, ruleId: hostile, queue: hostile },
  "review.waiting": { guildId: "1", items: [{ id: 5, queue: hostile }], oldestAt: 1 },
  "automod.changed": { guildId: "1", paused: true, userId: "5", reason: hostile, until: 9 },
};

const review = {
  id: 5,
  tag: "5b0d9c0e-0000-4000-8000-000000000005",
  guildId: "1",
  channelName: hostile,
  queue: hostile,
  ruleId: hostile,
  ruleVersion: 2,
  fid: 7,
  name: hostile,
  castHash: hash,
  evidence: hostile,
  why: hostile,
  sentences: [hostile],
  state: "open" as const,
  heldAtMs: 1000,
  claimedBy: null,
  decidedBy: null,
  cases: 2,
  points: 3,
};

const lookups = (change: Partial<Lookups> = {}): Lookups => ({
  names: new Map([[7, "alice"]]),
  casts: new Map([[hash, { fid: 7, text: hostile }]]),
  channels: new Map([["memes", "Memes *and* more"]]),
  cases: new Map(),
  reviews: new Map([[5, review]]),
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
      const cases = new Map([
        [
          4812,
          {
            number: 3,
            actorKind: "rule" as const,
            actorUser: null,
            endsInTime: false,
            ruleId: hostile,
            reason: hostile,
          },
        ],
      ]);
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
    const cases = new Map([
      [
        4812,
        {
          number: 3,
          actorKind: "person" as const,
          actorUser: "99",
          endsInTime: false,
          ruleId: null,
          reason: "spam",
        },
      ],
    ]);
    const casts = new Map([[hash, { fid: 7, text: "buy `now`" }]]);
    expect(renderEvent(sample("record.hidden"), lookups({ cases, casts }))).toMatchObject({
      title: String.raw`Cast hidden in Memes \*and\* more`,
      description:
        "Author: **@alice** (fid 7) · by <@99> · case C-3 · <t:1700000000:R>\nReason: spam\n```\nbuy ˋnowˋ\n```",
    });
  });

  test("names nobody as who lifted a ban whose time was over", () => {
    const found = { number: 4, actorKind: "person" as const, actorUser: "99", endsInTime: true };
    const cases = new Map([[4812, { ...found, ruleId: null, reason: "The time of case C-3 is over." }]]);
    const { description } = renderEvent(sample("user.unbanned"), lookups({ cases }));
    expect(description).toContain("by Castellan · case C-4");
    expect(description).not.toContain("<@99>");
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

  test("shares a message with as many others as fit", () => {
    const embed = { description: "x".repeat(900), footer: "E-1" };
    expect(fitMessage(Array.from({ length: 10 }, () => embed))).toHaveLength(6);
    expect(fitMessage([{ description: "x".repeat(4000) }, { description: "x".repeat(4000) }])).toHaveLength(
      1,
    );
    expect(fitMessage([{ description: "x" }, { description: "y" }])).toHaveLength(2);
  });
});
