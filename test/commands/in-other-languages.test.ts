import { beforeEach, describe, expect, test } from "vitest";
import { createRooms } from "../../src/discord/rooms.ts";
import { newEvent } from "../../src/observe/events.ts";
import type { Seen } from "../support/bot-in-discord.ts";
import { testToken } from "../support/discord.ts";
import { sendNow } from "../support/outbox.ts";
import { castRow } from "../support/rules.ts";
import { people, verifyDiscord } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

const scene = await useReviewsInDiscord();
beforeEach(async () => {
  const row = castRow(scene.castHash(), { fid: people.troll, text: "Free airdrop" });
  await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
  scene.discord.people.chooseLanguage("stranger", "de");
  scene.discord.people.chooseLanguage("member", "xx");
});

const report = (user: string, cast = scene.castHash()): Promise<Seen> =>
  scene.run(user, "report", { cast, reason: "Betrug" });

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
    await scene.run("moderator", "review ignore", { user: "stranger" });
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

describe("somebody who was banned and whose Discord is German", () => {
  beforeEach(async () => {
    scene.bot.clock.advance(10);
    await verifyDiscord(scene.bot, people.troll, scene.users.stranger);
    const asked = await scene.run("moderator", "ban", {
      user: "7",
      reason: "spam",
      duration: "permanent",
    });
    await scene.click("moderator", asked, "Ban");
  });

  const appeal = (text?: string, options: Record<string, string> = {}): Promise<Seen> =>
    scene.run("stranger", "appeal", { ...(text !== undefined && { text }), ...options });

  test("appeals in German, and gets the answer in German, while the moderators read English", async () => {
    expect((await appeal()).text).toMatch(/\*\*C-1\*\* Bann in \/memes <t:\d+:R> · spam/);
    expect((await appeal("bitte", { case: "R-3" })).text).toContain("Das ist keine Fallnummer.");
    const sent = await appeal("Das war ein Versehen");
    expect(sent.text).toContain("Einspruch gesendet\nDie Moderation von /memes prüft deinen Bann (C-1).");
    expect((await appeal("noch einmal", { case: "C-1" })).text).toContain("hat noch nicht entschieden");
    await scene.deliver();
    const post = scene.shownIn("feed");
    expect(post.text).toContain("appeals against the ban: case **C-1** in /memes");
    // Meanwhile they use Discord in English: the answer is in the language of the appeal.
    scene.discord.people.chooseLanguage("stranger", "en-US");
    await scene.click("moderator", post, "Lift");
    await sendNow(scene.bot, createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} }));
    expect(privateMessages()).toEqual([
      expect.stringContaining(
        "Deinem Einspruch wurde stattgegeben: Die Moderation hat sich deinen Bann in /memes noch einmal angesehen (C-1). Der Bann ist aufgehoben. Um wieder Mitglied zu werden, brauchst du eine neue Einladung.",
      ),
    ]);
    scene.discord.people.chooseLanguage("stranger", "de");
    expect((await appeal()).text).toMatch(/Bann in \/memes, Einspruch <t:\d+:R>: stattgegeben <t:\d+:R>\./);
  });

  test("is told of an action in the language of the moderators' template", async () => {
    const template = "Hallo {user}, dein Cast ist ausgeblendet ({reason}), {until}. {appeal}";
    const alone = await scene.run("owner", "setup message", { language: "de" });
    expect(alone.text).toContain("Give the template, too");
    const asked = await scene.run("owner", "setup message", { template, language: "de" });
    expect(asked.text).toContain("dauerhaft. /appeal");
    await scene.click("owner", asked, "Send it from now on");
    const hiding = await scene.run("moderator", "hide", { cast: scene.castHash() });
    await scene.click("moderator", hiding, "Hide");
    await sendNow(scene.bot, createRooms({ token: testToken, api: scene.discord.api, onRefused: () => {} }));
    expect(privateMessages().at(-1)).toMatch(
      /^Ein Cast von dir wurde in \/memes ausgeblendet: Hallo .+ \(kein Grund angegeben\), bis die Moderation ihn wieder einblendet\. .* Fall C-2 in \/memes, \d+$/,
    );
  });

  test("is told in the language as before when the moderators rewrite their template", async () => {
    const preview = (options: Record<string, string>): Promise<Seen> =>
      scene.run("owner", "setup message", options);
    expect((await preview({ template: "{until}" })).text).toContain("For a ban, in English: \npermanently");
    const first = await preview({ template: "Es gilt {until}.", language: "de" });
    await scene.click("owner", first, "Send it from now on");
    const rewritten = await preview({ template: "Bann: {until}." });
    expect(rewritten.text).toContain("For a ban, in Deutsch: \nBann: dauerhaft.");
    await scene.click("owner", rewritten, "Send it from now on");
    expect((await scene.run("owner", "setup message")).text).toMatch(/, in Deutsch:\n[^]*Bann: \{until\}\./);
    const changed = await preview({ template: "Ban: {until}.", language: "en-US" });
    expect(changed.text).toContain("For a ban, in English: \nBan: permanently.");
  });

  test("chooses in a German menu", async () => {
    const asked = await scene.run("moderator", "hide", { cast: scene.castHash() });
    await scene.click("moderator", asked, "Hide");
    const menu = await appeal("bitte");
    expect(menu.text).toContain("Wogegen möchtest du Einspruch einlegen?");
    const sent = await scene.choose("stranger", menu, "Ausgeblendeter Cast in /memes, C-2");
    expect(sent.text).toContain("prüft deinen ausgeblendeten Cast (C-2)");
  });

  function privateMessages(): string[] {
    const { world } = scene.discord.context;
    const room = [...world.rooms.values()].find(({ recipientId }) => recipientId === scene.users.stranger);
    return (world.messages.get(room?.id ?? "") ?? []).flatMap(({ embeds }) =>
      embeds.map(({ title, description, footer }) => `${title}: ${description} ${footer?.text}`),
    );
  }
});

describe("/help", () => {
  test("is German for members whose Discord is, and English for moderators", async () => {
    const { text } = await scene.run("stranger", "help");
    expect(text).toContain("Protokoll und Prüfungen");
    expect(text).toContain("/report Melde einen Cast an die Moderation seines Channels");
    expect(text).toMatch(/Die anderen \d+ Befehle sind für alle, die moderieren\./);
    scene.discord.people.chooseLanguage("moderator", "de");
    expect((await scene.run("moderator", "help")).text).toContain("Click a command to type it.");
  });

  test("is English for those whose language there is not", async () => {
    expect((await scene.run("member", "help")).text).toContain("Click a command to type it.");
  });
});
