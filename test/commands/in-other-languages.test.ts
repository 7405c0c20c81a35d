import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newEvent } from "../../src/observe/events.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { castRow } from "../support/rules.ts";
import { type ReviewsInDiscord, startReviewsInDiscord } from "../support/rules-in-discord.ts";
import { people } from "../support/world.ts";

let scene: ReviewsInDiscord;

beforeAll(async () => void (scene = await startReviewsInDiscord()));
afterAll(() => scene.stop());
beforeEach(async () => {
  await scene.reset();
  const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
  scene.discord.people.chooseLanguage("stranger", "de");
  scene.discord.people.chooseLanguage("member", "xx");
});

const report = (user: string, cast = scene.castHash()): Promise<Seen> =>
  scene.run(user, "report cast", { cast, reason: "Betrug" });

describe("a member whose Discord is German", () => {
  test("reports in German, and the moderators read English", async () => {
    expect((await report("stranger")).text).toContain("Gemeldet\n");
    expect((await report("stranger")).text).toContain("Du hast diesen Cast schon gemeldet.");
    expect((await report("member")).text).toContain("Others have reported it too");
    await scene.deliver();
    const post = scene.shownIn("feed");
    expect(post.text).toContain("Reported by 2 members.");
    await scene.click("moderator", post, "Dismiss");
    expect((await report("stranger")).text).toContain("geprüft und so gelassen, wie er ist");
  });

  test("is refused in German", async () => {
    const unseen = await report("stranger", `0x${"d".repeat(40)}`);
    expect(unseen.text).toContain("in keinem Channel dieses Servers (/memes)");
    await scene.run("moderator", "report ignore", { user: "stranger" });
    expect((await report("stranger")).text).toContain("nimmt von dir keine Meldungen mehr an");
  });

  test("reports from a message's menu with a German form", async () => {
    const { bot } = scene;
    const castHash = scene.castHash();
    await scene.run("owner", "feed add", { kinds: "casts" }, "feed");
    const data = {
      castHash,
      text: "Free airdrop",
      rootHash: castHash,
      threadDepth: 0,
      mentions: [],
      embeds: [],
    };
    const about = { kind: "cast.created", channelId: "memes", subjectFid: people.troll, data } as const;
    await bot.happen(newEvent(bot.clock.now(), { sourceKey: "cast", ...about }));
    await scene.deliver();
    const { id } = scene.shownIn("feed").message;
    const asked = { user: "stranger", room: "feed", command: "Report", target: id };
    const opened = scene.discord.people.contextMenu(asked);
    expect(await opened.outcome).toMatchObject({
      kind: "modal",
      modal: {
        title: "Der Moderation melden",
        components: [{ label: "Was stimmt damit nicht? (freiwillig)" }],
      },
    });
    expect((await scene.submit("stranger", opened, { reason: "Betrug" }, "feed")).text).toContain(
      "Gemeldet\n",
    );
    const said = scene.discord.people.say({ user: "member", room: "general", content: "gm" });
    expect((await scene.openMenu("stranger", "Report", said.id)).text).toContain("um keinen Cast");
  });
});
