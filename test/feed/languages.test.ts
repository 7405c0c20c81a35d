import { describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { listHandlers } from "../../src/discord/find-handler.ts";
import type { AnnouncedEvent, AnnouncedKind } from "../../src/feed/feed-kinds.ts";
import { renderPost } from "../../src/feed/render/lay-out.ts";
import type { EventCase, Lookups } from "../../src/feed/render/lookups.ts";
import { renderDigest } from "../../src/feed/render/render-event.ts";
import { textsFor } from "../../src/languages/languages.ts";
import { bulkSummary } from "../support/bulk-summary.ts";
import { eventCase, hash, hostile, kinds, lookups, review, sample } from "../support/announced-events.ts";

/** Posts as they are, with the values of events and rows replaced, so that only Castellan's words are left. */
const stranger = "敵";
function withoutStrangers(value: unknown): unknown {
  if (value === hostile) return stranger;
  if (Array.isArray(value)) return value.map(withoutStrangers);
  if (value instanceof Map)
    return new Map([...value].map(([key, one]): [unknown, unknown] => [key, withoutStrangers(one)]));
  if (value instanceof Set || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutStrangers(one)]));
}

/** An event, its followers and what is known of them, as one post. */
function render(locale: string, group: readonly AnnouncedEvent[], known: Partial<Lookups> = {}) {
  const facts = lookups({ channels: new Map([["memes", "Memes"]]), texts: textsFor(locale).posts, ...known });
  // Only texts are replaced, so the types stay as they are.
  const post = renderPost(withoutStrangers(group) as AnnouncedEvent[], withoutStrangers(facts) as Lookups);
  return { ...post.embed, labels: post.buttons.map(({ label }) => label) };
}

const casesOf = (change: Partial<EventCase>) => ({ cases: new Map([[4812, eventCase(change)]]) });
const hitsOf = (...cases: EventCase[]) => ({ hits: new Map([[4812, { castHash: hash, cases }]]) });
const reviewOf = (change: object) => ({ reviews: new Map([[5, { ...review, ...change }]]) });
const channelOf = (change: object) => [{ ...review.channels[0], ...change }] as typeof review.channels;
const bulkOf = (change: object) => ({ bulks: new Map([[6, { ...bulkSummary(hostile, hash), ...change }]]) });
const hit = (mode: string, actions: string[] = []) =>
  sample("rule.hit", { data: { guildId: "1", ruleId: "r", version: 1, mode, actions, eventId: 3 } });
const appeal = {
  itemId: 5,
  userId: "5",
  number: 9,
  kind: "ban",
  channelId: "memes",
  requestedAtMs: 1000,
  publicReason: null,
  actorUser: null,
  actorKind: "outside",
  actorRule: null,
  cast: null,
  isOver: false,
};
const revertedBy = { number: 8, actorKind: "person" as const, actorUser: "5", actorToken: "deploy" };
const failed = (change: Partial<EventCase>) =>
  eventCase({ state: "failed", outcome: "refused", outcomeDetail: { code: "not_owner" }, ...change });

/** What may become of the events. */
const more: [what: string, group: AnnouncedEvent[], known?: Partial<Lookups>][] = [
  ["a ban until a time", [sample("user.banned")], casesOf({ dueAtMs: 9e9, reason: stranger })],
  ["an undone ban", [sample("user.banned")], casesOf({ state: "reverted", revertedBy })],
  ["a ban by the operator", [sample("user.banned")], casesOf({ actorUser: "operator" })],
  ["a ban by a rule", [sample("user.banned")], casesOf({ actorKind: "rule", ruleId: "r" })],
  ["a ban of another server", [sample("user.banned", { caseId: 3 })]],
  ["a ban that is over", [sample("user.unbanned")], casesOf({ kind: "unban", isExpiry: true })],
  ["a removal", [sample("member.left", { caseId: 3 })]],
  ["an accepted invite", [sample("member.joined"), sample("invite.ended")]],
  ["a ban with all that follows", [sample("user.banned"), sample("member.left"), sample("user.restricted")]],
  ["strikes with a ban", [sample("user.banned"), sample("strike.added"), sample("user.unrestricted")]],
  ["a hit in shadow", [hit("shadow")], hitsOf()],
  ["a hit for review", [hit("review")], hitsOf()],
  ["a hit without a case", [hit("enforce")], hitsOf()],
  [
    "cases of a rule",
    [hit("enforce")],
    hitsOf(
      eventCase({ kind: "hide", number: 4 }),
      eventCase({ kind: "hide", number: 5 }),
      eventCase({ number: 6, state: "already" }),
      eventCase({ number: 7, state: "requested" }),
      eventCase({ number: 8, state: "reverted" }),
      failed({ number: 9, kind: "remove_member" }),
    ),
  ],
  [
    "another expiry of a ban",
    [sample("case.settled", { data: { guildId: "1", number: 3, kind: "change_expiry", state: "applied" } })],
    casesOf({
      kind: "change_expiry",
      outcome: "end_changed",
      outcomeDetail: { untilMs: 9e9, beforeMs: null },
    }),
  ],
  ["a claimed review", [sample("review.held")], reviewOf({ claimedBy: "5", escalatedBy: "6" })],
  [
    "a review whose cast is hidden",
    [sample("review.held")],
    reviewOf({ channels: channelOf({ hiddenBy: 3, bannedBy: 4 }) }),
  ],
  [
    "a decided review",
    [sample("review.held")],
    reviewOf({ channels: channelOf({ state: "dismissed", decidedBy: "5" }), undoneBy: "6" }),
  ],
  [
    "reports",
    [sample("review.held")],
    reviewOf({
      ruleId: "@reports",
      reports: Array.from({ length: 10 }, () => ({ userId: "5", reason: null })),
    }),
  ],
  ["an appeal", [sample("review.held")], reviewOf({ ruleId: "@appeals", appeal })],
  [
    "an appeal that is granted",
    [sample("review.held")],
    reviewOf({ ruleId: "@appeals", appeal, channels: channelOf({ state: "approved", decidedBy: "5" }) }),
  ],
  ["a review that is gone", [sample("review.held")], { reviews: new Map() }],
  ["a bulk that is gone", [sample("bulk.begun")], { bulks: new Map() }],
  [
    "a bulk that was stopped and undone",
    [sample("bulk.begun")],
    bulkOf({ stoppedBy: "5", endedAtMs: 2000, undoneBy: [7], retryAtMs: null, untilMs: 9e9 }),
  ],
  ["a bulk that waits", [sample("bulk.begun")], bulkOf({ retryAtMs: 5000 })],
  [
    "the end of a lockdown",
    [
      sample("lockdown.changed", {
        data: { guildId: "1", begun: false, userId: null, reason: "", until: null, hidden: 3, inDoubt: 1 },
      }),
    ],
  ],
  [
    "rules that may act again",
    [
      sample("automod.changed", {
        data: { guildId: "1", paused: false, userId: "5", reason: "", until: null, stopsLockdown: true },
      }),
    ],
  ],
];
const posts = [
  ...kinds.map((kind): (typeof more)[number] => [kind, [sample(kind)]]),
  ...(["registered", "transferred", "released", "replaced"] as const).map((change): (typeof more)[number] => [
    `a name ${change}`,
    [sample("username_proof.merged", { data: { name: stranger, owner: "0x", change, previousFid: 9 } })],
  ]),
  ...more,
];

/** Names, and values that are stored in English: a rule's mode and actions, what was changed, the name of a source. */
const kept =
  /Castellan|Farcaster|Discord|Memes|alice|API|BAN|Webhook|log-archive|ended feed 3|\b(?:fid|hub|ban|off|shadow|review|enforce)\b/g;
const paths = listHandlers(commands).map(([path]) => path);

/** The Latin words of a post that are neither names, values nor commands. */
function wordsOf({ title = "", description = "", footer = "", labels }: ReturnType<typeof render>): string[] {
  const text = [title, description, footer, ...labels]
    .join("\n")
    .replace(/```[^`]*```|`[^`]*`|\(https:[^)]*\)|<[@t][^>]*>|\/memes\b/g, " ")
    .replace(
      new RegExp(
        paths
          .map((path) => String.raw`/${path}(?: [a-z_]+:\w+)?`)
          .toSorted((a, b) => b.length - a.length)
          .join("|"),
        "g",
      ),
      " ",
    )
    .replace(kept, " ");
  return text.match(/[a-z]{3,}/gi) ?? [];
}

describe("a post in a room's language", () => {
  test.each(posts)("shows no English about %s", (_, group, known) => {
    expect(wordsOf(render("ja", group, known))).toEqual([]);
  });

  const english = (group: readonly AnnouncedEvent[], known?: Partial<Lookups>) =>
    render("en-US", group, known);
  test.each(["es-ES", "pt-BR", "de"])("differs from English in %s, whatever it is about", (locale) => {
    const textOf = ({ title = "", description = "" }) => `${title}\n${description}`;
    // A rule's alert is in the words of its author.
    for (const [what, group, known] of posts.filter(([kind]) => kind !== "rule.alert")) {
      const [translated, source] = [render(locale, group, known), english(group, known)];
      expect(translated.footer).toBe(source.footer);
      expect([what, textOf(translated)]).not.toEqual([what, textOf(source)]);
    }
  });

  test("has a title for each kind, here in German", () => {
    const titles = Object.fromEntries(kinds.map((kind) => [kind, render("de", [sample(kind)]).title]));
    expect(titles).toEqual({
      "cast.created": "Cast in Memes",
      "cast.removed": "Cast in Memes gelöscht",
      "username_proof.merged": "Name ersetzt: 敵",
      "record.hidden": "Cast in Memes ausgeblendet",
      "record.unhidden": "Cast in Memes wieder eingeblendet",
      "user.banned": "Gebannt in Memes",
      "user.unbanned": "Bann in Memes aufgehoben",
      "user.restricted": "Eingeschränkt in Memes",
      "user.unrestricted": "Nicht mehr eingeschränkt in Memes",
      "member.joined": "Neues Mitglied in Memes",
      "member.left": "Kein Mitglied mehr in Memes",
      "invite.created": "Einladung zum Beitritt: Memes",
      "invite.ended": "Einladung in Memes nicht mehr offen",
      "pin.changed": "Nicht mehr angepinnt in Memes",
      "channel.edited": "Memes wurde bearbeitet",
      "bulk.begun": "B-6 · Ausblenden · 敵 · läuft",
      "gap.found": "Möglicherweise fehlen Ereignisse",
      "case.settled": "Fall C-4: Bann – fehlgeschlagen",
      "link.changed": "Verknüpfung ausgesetzt: Memes",
      "rule.hit": "Treffer von Regel 敵: @alice",
      "strike.added": "1 Strafpunkt in Memes",
      "setup.changed": "Einstellungen geändert: Memes",
      "rule.alert": "敵 · Memes",
      "rule.tripped": "Regel 敵 hat zu oft eingegriffen",
      "rules.slow": "1 Regel war zu langsam und ist ausgeschaltet",
      "rules.changed": "Die Regeln wurden geändert: Jetzt gilt Version 3",
      "rules.unreadable": "In Memes greift keine Regel: Die Regeln sind nicht mehr lesbar",
      "review.held": "Prüfung R-5 · 敵 · 敵",
      "review.waiting": "1 Prüfung wartet auf eine Entscheidung: Memes",
      "review.escalated": "R-5 ist dem Besitzer überlassen: Memes",
      "lockdown.changed": "Lockdown: Memes",
      "key.trouble": "Das Netzwerk lehnt den Schlüssel von Castellan ab",
      "webhook.failing": "Aufrufe des Webhooks log-archive schlagen fehl",
      "automod.changed": "Regeln in Memes angehalten",
    } satisfies Record<AnnouncedKind, string>);
  });

  test("says who, what, where, by whom and when", () => {
    const until = 1_700_003_600_000;
    const known = casesOf({ reason: "Spam", dueAtMs: until });
    expect(render("de", [sample("user.banned"), sample("member.left")], known)).toMatchObject({
      description:
        "**@alice** (fid 7) · von <@99> · Fall C-3 · <t:1700000000:R>\nGrund: Spam\nBis <t:1700003600:f> (<t:1700003600:R>).\nKein Mitglied mehr.",
      labels: ["Warum", "Rückgängig", "Verlauf"],
    });
  });

  test("says what rules did to whom", () => {
    const [one, other] = [4, 5].map((number) => eventCase({ kind: "hide", targetCast: hash, number }));
    const ban = eventCase({ number: 6, dueAtMs: 1_700_003_600_000, reason: "Köder" });
    const known = { ...hitsOf(...[one, other].flatMap((found) => found ?? []), ban), casts: new Map() };
    expect(render("de", [hit("enforce")], known)).toMatchObject({
      title: "Gebannt, 2 Casts ausgeblendet: @alice",
      description:
        "**@alice** (fid 7) · Memes · <t:1700000000:R>\nDurch Regel `r`: C-6 gebannt bis <t:1700003600:f> (<t:1700003600:R>), C-4 und C-5 Casts ausgeblendet\nGrund: Köder",
    });
  });
});

test("a digest is in the room's language", () => {
  const events = [5, 7, 8].map((id) => ({ id, kind: "pin.changed" as const, occurredAt: 1_700_000_000 }));
  expect(renderDigest(events, "sum", textsFor("de").posts)).toMatchObject({
    title: "3 Ereignisse",
    description:
      "Von <t:1700000000:f> bis <t:1700000000:f>. Sie sind zusammengefasst, weil dieser Kanal Zusammenfassungen bekommt (/feed room).\nPins: **3**\nFälle und Mitglieder lassen sich weiterhin nachschlagen.",
    footer: "E-5 bis E-8",
  });
});
