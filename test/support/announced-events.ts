import type { AnnouncedEvent, AnnouncedKind } from "../../src/feed/feed-kinds.ts";
import type { EventCase, Lookups } from "../../src/feed/render/lookups.ts";
import { en } from "../../src/languages/en.ts";
import { textBody } from "../../src/observe/cast-body.ts";
import type { EventData } from "../../src/observe/events.ts";
import { bulkSummary } from "./bulk-summary.ts";

export const hash = `0x${"ab".repeat(20)}`;
export const hostile = "**@everyone** <@1> https://evil.test/ `x` \u202e||".repeat(60);
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
  "review.escalated": { guildId: "1", itemId: 5, queue: hostile, userId: "5" },
  "lockdown.changed": { guildId: "1", begun: true, userId: "5", reason: hostile, until: 9, hidden: 0 },
  "key.trouble": { guildId: "1", trouble: "refused", message: hostile },
  "webhook.failing": { guildId: "1", name: "log-archive", since: 1, error: hostile },
  "automod.changed": { guildId: "1", paused: true, userId: "5", reason: hostile, until: 9 },
};

export const review = {
  id: 5,
  tag: "5b0d9c0e-0000-4000-8000-000000000005",
  guildId: "1",
  channels: [
    {
      channelId: "memes",
      name: hostile,
      state: "open" as const,
      decidedBy: null,
      decidedToken: null,
      hiddenBy: null,
      bannedBy: null,
    },
  ],
  queue: hostile,
  ruleId: hostile,
  ruleVersion: 2,
  fid: 7,
  name: hostile,
  castHash: hash,
  evidence: textBody(hostile),
  names: new Map<number, string>(),
  why: hostile,
  sentences: [hostile],
  reports: [{ userId: "5", reason: hostile }],
  appeal: undefined,
  queuedAtMs: 1000,
  claimedBy: null,
  escalatedBy: null,
  undoneBy: null,
  changes: 0,
  against: [{ kind: "hide" as const, count: 2 }],
  points: 3,
};

export const lookups = (change: Partial<Lookups> = {}): Lookups => ({
  names: new Map([[7, "alice"]]),
  casts: new Map([[hash, { fid: 7, body: textBody(hostile), hidden: false, gone: false }]]),
  channels: new Map([["memes", "Memes *and* more"]]),
  banned: new Set(),
  cases: new Map(),
  hits: new Map(),
  reviews: new Map([[5, review]]),
  bulks: new Map([[6, bulkSummary(hostile, hash)]]),
  linkBase: "https://farcaster.xyz",
  texts: en.posts,
  forReaders: false,
  ...change,
});

/** A ban of fid 7 by a moderator, until something is changed about it. */
export const eventCase = (change: Partial<EventCase> = {}): EventCase => ({
  number: 3,
  kind: "ban",
  state: "applied",
  targetCast: null,
  dueAtMs: null,
  notify: false,
  outcome: null,
  outcomeDetail: null,
  waitingReason: null,
  actorKind: "person",
  actorUser: "99",
  actorToken: null,
  isExpiry: false,
  hasExpired: false,
  revertedBy: null,
  ruleId: null,
  reason: null,
  ...change,
});

export function sample(kind: AnnouncedKind, change: Partial<AnnouncedEvent> = {}): AnnouncedEvent {
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

export const kinds = Object.keys(samples) as AnnouncedKind[]; // its own keys
