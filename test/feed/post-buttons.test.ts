import { textBody } from "../../src/observe/cast-body.ts";
import { describe, expect, test } from "vitest";
import type { AnnouncedKind } from "../../src/feed/feed-kinds.ts";
import type { EventCase, Lookups } from "../../src/feed/render/lookups.ts";
import { buttonsOf } from "../../src/feed/render/post-buttons.ts";
import { eventCase, hash, kinds, lookups, sample } from "../support/announced-events.ts";

describe("the buttons of an event", () => {
  const idsOf = (kind: AnnouncedKind, change: Partial<Lookups> = {}) =>
    Object.fromEntries(
      buttonsOf([sample(kind)], lookups(change)).map(({ label, customId }) => [label, customId]),
    );
  const visible = { casts: new Map([[hash, { fid: 7, body: textBody("x"), hidden: false, gone: false }]]) };
  const hidden = { casts: new Map([[hash, { fid: 7, body: textBody("x"), hidden: true, gone: true }]]) };

  test("run the commands that one would type, with all that they need", () => {
    const cases = new Map([[4812, eventCase()]]);
    expect(idsOf("user.banned", { cases })).toEqual({
      Why: "run:case show:number=3:channel=memes",
      Undo: "run:undo:what=C-3:channel=memes",
      History: "run:case show:user=7:channel=memes",
    });
    expect(idsOf("cast.created", visible)).toEqual({
      Hide: `run:hide:cast=${hash}:channel=memes`,
      "Ban author": "run:ban:user=7:channel=memes",
      History: "run:case show:user=7:channel=memes",
      "Add to blocklist…": `run:list add:cast=${hash}`,
    });
    const hide = eventCase({ kind: "hide", targetCast: hash });
    expect(idsOf("record.hidden", { ...hidden, cases: new Map([[4812, hide]]) })).toEqual({
      Why: "run:case show:number=3:channel=memes",
      Undo: "run:undo:what=C-3:channel=memes",
      "Ban author": "run:ban:user=7:channel=memes",
      History: "run:case show:user=7:channel=memes",
      "Add to blocklist…": `run:list add:cast=${hash}`,
    });
  });

  test("of a rule's hit explain it, and take back what it did, or do what it did not", () => {
    const hide = eventCase({ kind: "hide", targetCast: hash });
    const hits = (...cases: EventCase[]) => ({ hits: new Map([[4812, { castHash: hash, cases }]]) });
    const banned = new Set(["memes 7"]);
    expect(idsOf("rule.hit", { ...hidden, banned, ...hits(hide, eventCase({ number: 4 })) })).toEqual({
      Why: "run:rule explain:event=3",
      "Undo hide": "run:undo:what=C-3:channel=memes",
      "Undo ban": "run:undo:what=C-4:channel=memes",
      History: "run:case show:user=7:channel=memes",
      "Add to blocklist…": `run:list add:cast=${hash}`,
    });
    expect(Object.keys(idsOf("rule.hit", { ...visible, ...hits() }))).toEqual([
      "Why",
      "Hide",
      "Ban author",
      "History",
      "Add to blocklist…",
    ]);
  });

  test("of many cases in one post undo all of them at once, and leave room for the others", () => {
    const hides = [1, 2, 3].map((number) => eventCase({ kind: "hide", targetCast: hash, number }));
    const ban = eventCase({ number: 5 });
    const hits = new Map([[4812, { castHash: hash, cases: [...hides, ban] }]]);
    const banned = new Set(["memes 7"]);
    expect(idsOf("rule.hit", { ...hidden, banned, hits })).toEqual({
      Why: "run:rule explain:event=3",
      "Undo all": "run:undo:what=C-5 1 2 3:channel=memes",
      "Undo ban": "run:undo:what=C-5:channel=memes",
      History: "run:case show:user=7:channel=memes",
      "Add to blocklist…": `run:list add:cast=${hash}`,
    });
    const many = Array.from({ length: 20 }, (_, at) =>
      eventCase({ kind: "hide", targetCast: hash, number: 1000 + at }),
    );
    const tooMany = new Map([[4812, { castHash: hash, cases: [ban, ...many] }]]);
    expect(Object.keys(idsOf("rule.hit", { ...hidden, banned, hits: tooMany }))).toEqual([
      "Why",
      "Undo ban",
      "Undo hide C-1000",
      "History",
      "Add to blocklist…",
    ]);
  });

  test("of several cases where hardly any place is left undo all of them", () => {
    const cases = [eventCase({ kind: "pin", targetCast: hash }), eventCase({ kind: "invite", number: 4 })];
    const hits = new Map([[4812, { castHash: hash, cases }]]);
    expect(Object.keys(idsOf("rule.hit", { ...visible, hits }))).toEqual([
      "Why",
      "Undo all",
      "Hide",
      "Ban author",
      "History",
    ]);
  });

  test("of hits on several casts block what the first of them has", () => {
    const other = `0x${"cd".repeat(20)}`;
    const group = [sample("rule.hit", { id: 1 }), sample("rule.hit", { id: 2 })];
    const hits = new Map([
      [1, { castHash: other, cases: [] }],
      [2, { castHash: hash, cases: [] }],
    ]);
    const of = (casts: Lookups["casts"]) =>
      buttonsOf(group, lookups({ hits, casts })).find(({ label }) => label === "Add to blocklist…")?.customId;
    const cast = { fid: 7, body: textBody("x"), hidden: true, gone: true };
    expect(
      of(
        new Map([
          [hash, cast],
          [other, cast],
        ]),
      ),
    ).toBe(`run:list add:cast=${other}`);
    expect(of(new Map([[hash, cast]]))).toBe(`run:list add:cast=${hash}`);
    expect(of(new Map())).toBeUndefined();
  });

  test("end what holds: a lockdown, a pause; and bring back whose ban was lifted", () => {
    expect(idsOf("lockdown.changed")).toEqual({ Lift: "run:lockdown:end=true:channel=memes" });
    expect(idsOf("automod.changed")).toEqual({ Resume: "run:rule resume:channel=memes" });
    const again = { "Invite again": "run:invite:user=7:channel=memes" };
    expect(idsOf("user.unbanned")).toMatchObject(again);
    expect(idsOf("user.unbanned", { banned: new Set(["memes 7"]) })).not.toMatchObject(again);
  });

  test("offer to ban nobody who is banned, by whatever it was", () => {
    const banned = new Set(["memes 7"]);
    for (const kind of ["cast.created", "record.hidden", "rule.hit"] as const) {
      expect(idsOf(kind, { ...visible, banned })).not.toHaveProperty("Ban author");
      expect(idsOf(kind, { ...visible, banned: new Set(["art 7"]) })).toHaveProperty("Ban author");
    }
  });

  test("undo whatever can be undone as a case, and offer to hide only what that would not hide", () => {
    const unban = new Map([[4812, eventCase({ kind: "unban", number: 9 })]]);
    expect(idsOf("user.unbanned", { cases: unban })).toMatchObject({
      Undo: "run:undo:what=C-9:channel=memes",
    });
    const shown = new Map([[4812, eventCase({ kind: "unhide", targetCast: hash })]]);
    expect(Object.keys(idsOf("record.unhidden", { ...visible, cases: shown }))).toEqual([
      "Why",
      "Undo",
      "Ban author",
      "History",
      "Add to blocklist…",
    ]);
  });

  test("offer nothing that was taken back already, and nothing of what is of no channel", () => {
    const cases = new Map([[4812, eventCase({ state: "reverted" })]]);
    expect(idsOf("user.banned", { cases })).not.toHaveProperty("Undo");
    const ended = new Map([[4812, eventCase({ kind: "unban", isExpiry: true })]]);
    expect(idsOf("user.unbanned", { cases: ended })).not.toHaveProperty("Undo");
    const unpinned = new Map([[4812, eventCase({ kind: "unpin", state: "outside" })]]);
    expect(idsOf("pin.changed", { cases: unpinned })).not.toHaveProperty("Undo");
    expect(buttonsOf([sample("username_proof.merged", { channelId: null })], lookups())).toEqual([]);
  });

  const states = [
    eventCase(),
    eventCase({ kind: "hide", targetCast: hash }),
    eventCase({ kind: "unhide", targetCast: hash, state: "outside" }),
    eventCase({ kind: "pin", targetCast: hash }),
  ];
  test.each(kinds)("are such as Discord takes, for %s", (kind) => {
    const each = ["memes", "c".repeat(80)].flatMap((channelId) =>
      states.flatMap((found) => [visible, hidden].map((cast) => ({ channelId, found, cast }))),
    );
    for (const { channelId, found, cast } of each) {
      const cases = new Map([[4812, found]]);
      const hits = new Map([[4812, { castHash: hash, cases: [found] }]]);
      const buttons = buttonsOf([sample(kind, { channelId })], lookups({ cases, hits, ...cast }));
      const ids = buttons.map(({ customId }) => customId);
      expect(ids.filter((id) => id.length > 100)).toEqual([]);
      expect([new Set(ids).size, ids.length <= 5]).toEqual([ids.length, true]);
    }
  });
});
