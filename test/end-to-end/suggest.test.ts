import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { casts, fids, openGarden, type Garden, botFid } from "../support/garden.ts";

const channelId = "garden";
const polling = { timeout: 60_000, interval: 100 };

const openings = ["Look at this", "Friends", "It is live", "Do not miss it", "Only today"];
const lure = (number: number) =>
  `${openings[number % openings.length]}! Round ${number} https://drop${number}.seed-gift.example/go`;
const talk = [
  "Moths like the jasmine",
  "Look at this rose",
  "It is live music tonight",
  "https://seeds.example",
];

// One story: each test goes on where the one before it ended.
describe("a rule that moderators' own decisions suggest", { timeout: 180_000 }, () => {
  let garden: Garden;
  const cast = (fid: number, text: string) => garden.operator.cast({ fid, channelId, text });
  const isHidden = async (hash: string) => (await garden.operator.readCast({ hash })).hiddenByModeration;

  beforeAll(async () => {
    garden = await openGarden("in this process");
    await garden.as(fids.owner).channelInvites.invite({ channelId, inviteFid: botFid, role: "moderator" });
    await garden.run("owner", "setup link", { channel: channelId });
  });
  afterAll(() => garden.stop());

  it("offers nothing before anybody has removed anything", async () => {
    const { text, buttons } = await garden.run("moderator", "rule suggest");
    expect(text).toContain("by hand do not have enough in common");
    expect(buttons).toEqual({});
  });

  it("twenty casts hidden by hand have an address in common that no cast that stayed has", async () => {
    for (const [index, text] of talk.entries()) await cast(index % 2 ? fids.member : fids.follower, text);
    for (let number = 1; number <= 20; number++) {
      const { hash } = await cast([fids.troll, fids.peddler, fids.stranger][number % 3] ?? 0, lure(number));
      const preview = await vi.waitFor(async () => {
        const seen = await garden.run("moderator", "hide", { cast: hash });
        expect(seen.buttons).toHaveProperty("Hide");
        return seen;
      }, polling);
      await garden.click("moderator", preview, "Hide");
    }
    // What was hidden is known at once, that it was cast when the hub was read.
    await vi.waitFor(async () => {
      const { text, buttons } = await garden.run("moderator", "rule suggest");
      expect(text).toContain(
        "**1. address-seed-gift-example** · new rule in shadow: hides casts with the address `seed-gift.example`\n20 of 20 casts that people removed by hand and no rule matches.\nRehearsed. Newly matched: **20**, none of them visible today.",
      );
      expect(Object.keys(buttons)).toEqual(["Add 1 in shadow"]);
    }, polling);
    expect((await garden.run("moderator", "rule show")).text).toContain("no rules");
  });

  it("is added in shadow by a button, put in force by a command, and hides the next such cast", async () => {
    const list = await garden.run("moderator", "rule suggest");
    const preview = await garden.ask("moderator", list, "Add 1 in shadow");
    expect(preview.text).toContain("🔵 shadow **address-seed-gift-example**");
    expect(preview.text).toContain("🆕 newly hit: **20**");
    const added = await garden.click("moderator", preview, "Add it");
    expect(added.text).toContain("Version 1 is in force: 0 enforce, 0 review, 1 shadow");
    expect((await garden.run("moderator", "rule suggest")).text).toContain("enough in common");

    const options = { rule: "address-seed-gift-example", mode: "enforce" };
    const change = await garden.run("moderator", "rule mode", options);
    await garden.click("moderator", change, "Change it");
    const { hash } = await cast(fids.peddler, lure(21));
    const { hash: other } = await cast(fids.peddler, talk[1] ?? "");
    await vi.waitFor(async () => expect(await isHidden(hash)).toBe(true), polling);
    expect(await isHidden(other)).toBe(false);
    expect(await isHidden(casts.greeting)).toBe(false);
    expect([garden.discord.context.violations, garden.errors()]).toEqual([[], []]);
  });
});
