import { textBody } from "../../src/observe/cast-body.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deliver, proposeByRule } from "../support/jobs.ts";
import { applyCase } from "../../src/moderation/cases/apply.ts";
import type { EventContent } from "../../src/observe/events.ts";
import { guild } from "../support/observer.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { people, type World } from "../support/world.ts";
import { banned, left, restricted, room, unbanned, useFeedRoom } from "./feed-room.ts";

const { troll } = people;
const scene = useFeedRoom();
const { start, happen, happenTo, deliverNow, shown, titles } = scene;

const joined: EventContent = { kind: "member.joined", data: { at: 0 } };
const inviteEnded: EventContent = { kind: "invite.ended", data: { role: "member" } };

describe("one deed is one post", () => {
  test("of a ban with what follows from it, in whatever order it is read", async () => {
    await happen(left, banned);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("No longer a member.");
    expect(scene.rooms.numbers(room)).toEqual(["E-1"]);
  });

  test("also where the rest comes when it is posted already: the post is edited", async () => {
    await happen(banned);
    await deliverNow();
    expect(shown()[0]).not.toContain("No longer a member.");
    await happen(left);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown()[0]).toContain("No longer a member.");
  });

  test("and does not say that somebody is free who is banned instead", async () => {
    const unrestricted: EventContent = { kind: "user.unrestricted", data: {} };
    await happen(banned, unrestricted);
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
    expect(shown().join()).not.toContain("No longer restricted");
    await happenTo(3, { kind: "member.joined", data: { at: 1 } }, unrestricted);
    await deliverNow();
    expect(shown().join()).toContain("No longer restricted.");
  });

  test("and edits give way to news", async () => {
    await happen(banned);
    await happenTo(3, banned);
    await deliver(scene.bot, scene.rooms, room);
    await happen(left);
    await happenTo(3, left);
    await deliver(scene.bot, scene.rooms, room);
    await happenTo(5, banned);
    await sendNow(scene.bot, scene.rooms);
    expect(shown().join()).not.toContain("No longer a member.");
    await deliver(scene.bot, scene.rooms, room);
    scene.bot.clock.advance(2);
    await sendNow(scene.bot, scene.rooms);
    expect(shown().join().split("No longer a member.")).toHaveLength(3);
  });

  test("though not for longer than half a minute where news never end", async () => {
    await happen(banned);
    await deliver(scene.bot, scene.rooms, room);
    await happen(left);
    await deliver(scene.bot, scene.rooms, room);
    await happenTo(5, banned);
    scene.bot.clock.advance(31);
    await sendNow(scene.bot, scene.rooms);
    expect(shown()[0]).toContain("No longer a member.");
  });

  test("of a gap that becomes longer: its post says how long it is by now", async () => {
    const gap = (from: number, until: number): EventContent => ({
      kind: "gap.found",
      data: { source: "hub/1", from, until },
    });
    await happen(gap(100, 160));
    await deliverNow();
    await happen(gap(100, 220));
    await happen(gap(100, 280), gap(900, 910));
    await deliverNow();
    expect(shown()).toEqual([
      expect.stringMatching(/Between <t:100:f> and <t:280:f>/),
      expect.stringMatching(/Between <t:900:f> and <t:910:f>/),
    ]);
  });

  test("of an invite that was accepted, and of a ban that was lifted", async () => {
    await happen(inviteEnded, joined);
    await happenTo(3, unbanned, restricted);
    await deliverNow();
    expect(titles()).toEqual(["Joined memes", "Ban lifted in memes"]);
    expect(shown()[0]).toContain("Accepted the invite to become member.");
    expect(shown()[1]).toContain("Restricted: can join again only by invite.");
  });

  test("and what only looks alike has its own: another person, another time, another change", async () => {
    await happen(banned);
    await happenTo(3, left);
    await happen(unbanned);
    await deliverNow();
    scene.bot.clock.advance(120);
    await happen(left);
    await deliverNow();
    expect(titles()).toEqual([
      "Banned from memes",
      "No longer a member of memes",
      "Ban lifted in memes",
      "No longer a member of memes",
    ]);
  });

  test("of a rule's hit with what the rule does, and how that went", async () => {
    const hash = await scene.bot.net.seed.cast({ fid: troll, channelId: "memes", text: "airdrop" });
    await scene.bot.database.query
      .insertInto("castellan.casts")
      .values(castRow(hash, { fid: troll, text: "airdrop" }))
      .execute();
    const place = { rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
    const [cause] = await happen({
      kind: "cast.created",
      data: { castHash: hash, text: "airdrop", ...place },
    });
    const eventId = cause?.id ?? 0;
    const about = { guildId: guild, ruleId: "lures", eventId };
    const evidence = textBody("airdrop");
    const caseId = await proposeByRule(scene.bot, { kind: "hide", castHash: hash }, { ...about, evidence });
    await happen(
      { kind: "rule.hit", data: { ...about, version: 1, mode: "enforce", actions: ["hide the cast"] } },
      { kind: "strike.added", data: { ...about, points: 2, total: 5 } },
      { kind: "rule.alert", data: { ...about, text: "look" } },
    );
    await deliverNow();
    expect(shown()[0]).toContain("By rule `lures`: C-1 hide: under way");
    await applyCase(scene.bot, caseId);
    await happen({ kind: "record.hidden", data: { castHash: hash } });
    await deliverNow();
    expect(titles()).toEqual([`Cast hidden: fid ${troll}`]);
    expect(shown()[0]).toMatch(/By rule `lures`: C-1 cast hidden[^]*airdrop[^]*📣 look/);
  });

  test("of what a rule does about one event, though the room does not want its hits", async () => {
    const hash = await scene.bot.net.seed.cast({ fid: troll, channelId: "memes", text: "airdrop" });
    const place = { rootHash: hash, threadDepth: 0, mentions: [], embeds: [] };
    const [cause] = await happen({
      kind: "cast.created",
      data: { castHash: hash, text: "airdrop", ...place },
    });
    const about = { guildId: guild, eventId: cause?.id ?? 0, ruleId: "lures", evidence: textBody("airdrop") };
    const actions = [
      { kind: "hide" as const, castHash: hash },
      { kind: "ban" as const, fid: troll, forSeconds: null, reason: null },
    ];
    for (const [actionIndex, action] of actions.entries()) {
      await applyCase(scene.bot, await proposeByRule(scene.bot, action, { ...about, actionIndex }));
    }
    await happen({ kind: "record.hidden", data: { castHash: hash } });
    await deliverNow();
    expect(titles()).toEqual(["Banned from memes"]);
  });

  test("of what rules do about one person within a minute, and of nothing else", async () => {
    const castOf = async (text: string, fid: number = troll) => {
      const castHash = await scene.bot.net.seed.cast({ fid, channelId: "memes", text });
      await scene.bot.database.query
        .insertInto("castellan.casts")
        .values(castRow(castHash, { fid, text }))
        .execute();
      const place = { rootHash: castHash, threadDepth: 0, mentions: [], embeds: [] };
      const [cause] = await happenTo(fid, { kind: "cast.created", data: { castHash, text, ...place } });
      return cause?.id ?? 0;
    };
    const hit = (ruleId: string, eventId: number, mode: "enforce" | "shadow" = "enforce"): EventContent => ({
      kind: "rule.hit",
      data: { guildId: guild, ruleId, eventId, version: 1, mode, actions: ["hide the cast"] },
    });
    const [first, second, other] = [await castOf("one"), await castOf("two"), await castOf("three", 5)];
    await happen(hit("lures", first), hit("links", first, "shadow"));
    await happenTo(5, hit("lures", other));
    await deliverNow();
    await happen(hit("lures", second));
    await deliverNow();
    const posts = shown().filter((text) => text.includes("lures"));
    expect(posts).toHaveLength(2);
    expect(posts[0]).toMatch(
      /^By rule `lures`: hide the cast \(2 times\)\nRule `links` is in shadow. It would hide the cast.\n[^]*one[^]*two/m,
    );
    expect(posts[1]).toContain("three");
    scene.bot.clock.advance(61);
    await happen(hit("lures", await castOf("four")));
    await deliverNow();
    expect(shown().filter((text) => text.includes("lures"))).toHaveLength(3);
  });

  test("and what follows something that was only counted is told by itself", async () => {
    for (let fid = 100; fid < 130; fid += 1) await happenTo(fid, banned);
    scene.bot.clock.advance(2 * 3600);
    await deliverNow();
    expect(titles()).toEqual(["30 events that could not be posted in time"]);
    await scene.bot.database.query
      .updateTable("castellan.events")
      .set({ observed_at_ms: scene.bot.clock.now() })
      .execute();
    await happenTo(100, left);
    await deliverNow();
    expect(titles().at(-1)).toBe("No longer a member of memes");
  });

  test("whatever deaths and other workers do: nothing is lost, and nothing told twice", async () => {
    const step = fc.constantFrom("ban", "leave", "deliver", "race", "die", "lost", "gone", "wait");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await start();
        const who = { banned: 10, left: 10 };
        for (const next of steps) {
          if (next === "ban") await happenTo((who.banned += 1), banned);
          if (next === "leave") await happenTo((who.left += 1), left);
          if (next === "deliver") await deliverNow();
          if (next === "race")
            await Promise.all([deliver(scene.bot, scene.rooms, room), deliver(scene.bot, scene.rooms, room)]);
          if (next === "die") await deliver(dyingIn(2), scene.rooms, room).catch(() => {});
          if (next === "lost") scene.rooms.faults.push("lost_answer");
          if (next === "gone") scene.rooms.faults.push("gone");
          if (next === "wait") scene.bot.clock.advance(35);
        }
        scene.rooms.faults.length = 0;
        for (let round = 0; round < 3; round += 1) {
          scene.bot.clock.advance(1000);
          await deliverNow();
        }
        const text = shown();
        for (let fid = 11; fid <= who.banned; fid += 1) {
          const own = text.filter((one) => one.includes(`fid ${fid} `) && one.includes("Banned from"));
          expect(own).toHaveLength(1);
        }
        for (let fid = 11; fid <= who.left; fid += 1) {
          const own = text.filter((one) => one.includes(`fid ${fid} `) && /[Nn]o longer a member/.test(one));
          expect(own).toHaveLength(1);
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

/** Dies in the transaction with this number, counting from 1, without a trace of it. */
function dyingIn(transaction: number): World {
  let begun = 0;
  const { database } = scene.bot;
  const die: typeof database.transaction = (work) => {
    begun += 1;
    if (begun === transaction) return Promise.reject(new Error("died here"));
    return database.transaction(work);
  };
  return { ...scene.bot, database: { ...database, transaction: die } };
}
