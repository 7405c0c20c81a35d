import { textBody } from "../../src/observe/cast-body.ts";
import { describe, expect, test } from "vitest";
import { fitPosts, layOut, type Post } from "../../src/feed/render/lay-out.ts";
import type { EventCase } from "../../src/feed/render/lookups.ts";
import { renderEvent } from "../../src/feed/render/render-event.ts";
import { decodeCustomId } from "../../src/text/custom-id.ts";
import { eventCase, hash, hostile, kinds, lookups, sample } from "../support/announced-events.ts";

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
      const shown = `${title}\n${description}`
        .replaceAll("(https://farcaster.xyz/", "(")
        .replace(/```[^`]*```|`[^`]*`|\\./g, "·");
      expect(shown).not.toMatch(/@everyone|<@1>|https:|\|\||\u202e/);
    },
  );

  test("says who, what, where, by whom and when, with the evidence in code style", () => {
    const cases = new Map([[4812, eventCase({ kind: "hide", reason: "spam" })]]);
    const casts = new Map([[hash, { fid: 7, body: textBody("buy `now`"), hidden: true, gone: true }]]);
    expect(renderEvent(sample("record.hidden"), lookups({ cases, casts }))).toMatchObject({
      title: String.raw`Cast hidden in Memes \*and\* more`,
      description:
        "Author: **@alice** (fid 7) · by <@99> · case C-3 · <t:1700000000:R>\nReason: spam\n```\nbuy ˋnowˋ\n```\n[on the network](https://farcaster.xyz/~/conversations/0xabababababababababababababababababababab)",
    });
  });

  test("of a rule says what was done to whom, what failed and why, and until when", () => {
    const hide = (number: number, change = {}) =>
      eventCase({ kind: "hide", targetCast: hash, number, ...change });
    const ban = eventCase({ number: 6, dueAtMs: 1_700_003_600_000, reason: "two lures" });
    const describeHit = (...cases: EventCase[]) => {
      const hits = new Map([[4812, { castHash: null, cases }]]);
      const data = {
        guildId: "1",
        ruleId: "lures",
        version: 1,
        mode: "enforce",
        actions: ["hide"],
        eventId: 3,
      };
      return renderEvent(sample("rule.hit", { data }), lookups({ hits }));
    };
    const { title, description } = describeHit(hide(4), hide(5), ban);
    expect(title).toBe("Banned, 2 casts hidden: @alice");
    expect(description).toBe(
      String.raw`**@alice** (fid 7) in Memes \*and\* more · <t:1700000000:R>` +
        "\nBy rule `lures`: C-6 banned until <t:1700003600:f> (<t:1700003600:R>), C-4 and C-5 casts hidden\nReason: two lures",
    );
    const refused = hide(4, { state: "failed", outcome: "not_banned" });
    expect(describeHit(refused)).toMatchObject({
      title: "Rule lures could not act: @alice",
      description: expect.stringContaining("C-4 hide failed: Nothing was changed"),
    });
    expect(describeHit(hide(4, { state: "reverted" })).description).toContain(
      "C-4 cast hidden, undone since",
    );
    expect(describeHit(hide(4, { state: "requested" })).title).toBe("Rule lures acting: @alice");
  });

  test("says whose cast is pinned", () => {
    const casts = new Map([[hash, { fid: 7, body: textBody("gm"), hidden: false, gone: false }]]);
    const data = { castHash: hash, previousHash: null };
    expect(renderEvent(sample("pin.changed", { data }), lookups({ casts })).description).toMatch(
      /^Author: \*\*@alice\*\* \(fid 7\) · outside Castellan · /,
    );
    expect(renderEvent(sample("pin.changed", { data }), lookups({ casts: new Map() })).description).toMatch(
      /^outside Castellan/,
    );
  });

  test("names nobody as who lifted a ban whose time was over", () => {
    const found = eventCase({ number: 4, isExpiry: true, reason: "Case C-3 has expired." });
    const cases = new Map([[4812, found]]);
    const { description } = renderEvent(sample("user.unbanned"), lookups({ cases }));
    expect(description).toContain("by Castellan · case C-4");
    expect(description).not.toContain("<@99>");
  });

  test("names who removed a member, and by which case; who left by themselves, or whom others removed, is told so", () => {
    const removal = eventCase({ kind: "remove_member", reason: "rude" });
    const cases = new Map([[4812, removal]]);
    expect(renderEvent(sample("member.left", { caseId: 5 }), lookups({ cases }))).toMatchObject({
      title: String.raw`Removed from Memes \*and\* more`,
      description: "**@alice** (fid 7) · by <@99> · case C-3 · <t:1700000000:R>\nReason: rude",
    });
    expect(renderEvent(sample("member.left"), lookups()).description).toContain(
      "left, or was removed by others",
    );
  });

  test("has no empty line where a case says nothing of its own", () => {
    const data = { guildId: "1", number: 3, kind: "hide", state: "applied" } as const;
    expect(renderEvent(sample("case.settled", { data }), lookups()).description).not.toMatch(/\n\n|\n$/);
  });

  test("says from when to when the end of a ban was changed", () => {
    const cases = new Map([
      [
        4812,
        eventCase({
          kind: "change_expiry",
          outcome: "end_changed",
          outcomeDetail: { untilMs: null, beforeMs: 1_700_003_600_000 },
        }),
      ],
    ]);
    const data = { guildId: "1", number: 3, kind: "change_expiry", state: "applied" } as const;
    expect(renderEvent(sample("case.settled", { data }), lookups({ cases })).description).toContain(
      "The ban lasts permanently; before, until <t:1700003600:f>.",
    );
  });

  test("says until when a ban holds", () => {
    const describeBan = (change: Partial<EventCase>) =>
      renderEvent(sample("user.banned"), lookups({ cases: new Map([[4812, eventCase(change)]]) }))
        .description;
    const dueAtMs = 1_700_003_600_000;
    expect(describeBan({ dueAtMs })).toContain("Until <t:1700003600:f> (<t:1700003600:R>).");
    expect(describeBan({ dueAtMs, state: "reverted" })).toMatch(/Undone since\.\*\*$/);
    expect(describeBan({ dueAtMs: null })).not.toMatch(/Until|Undone/);
  });

  test("tells the outside and other servers' actions apart", () => {
    const describeBan = (caseId: number | null) =>
      renderEvent(sample("user.banned", { caseId }), lookups()).description;
    expect(describeBan(null)).toContain("outside Castellan");
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

  test("of a name tells a renewed proof from another name", () => {
    const describeName = (previousName?: string) => {
      const data = { name: "alice", owner: "0x", change: "replaced" as const };
      const own = { ...data, ...(previousName !== undefined && { previousName }) };
      const { title, description } = renderEvent(sample("username_proof.merged", { data: own }), lookups());
      return [title, description];
    };
    expect(describeName()).toEqual([
      "Name proof renewed: alice",
      expect.stringContaining("renewed the proof of `alice`."),
    ]);
    expect(describeName("bob")).toEqual([
      "Name replaced: alice",
      expect.stringContaining("is now `alice` instead of `bob`."),
    ]);
  });

  const post = (change: Partial<Post> = {}): Post => ({
    embed: { title: "t", description: "x".repeat(900), footer: "E-1" },
    buttons: [],
    alone: false,
    ...change,
  });
  const button = { customId: "run:case show:user=7", label: "History", style: "secondary" as const };

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
      { kind: "run", path: "case show", options: { user: "7" } },
      { kind: "run", path: "case show", options: { user: "7" } },
    ]);
  });
});
