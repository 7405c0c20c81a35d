import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { commands } from "../../commands/index.ts";
import { findHandler } from "../../src/discord/find-handler.ts";
import type { View } from "../../src/discord/view.ts";
import { textBody } from "../../src/observe/cast-body.ts";
import type { CastBody } from "../../src/text/show-cast.ts";
import type { GivenOptions } from "../../src/sandbox/discord/actions/fill-options.ts";
import { see } from "../support/bot-in-discord.ts";
import { deskOf, openTestConsole, withSignIn, type DeskAnswer } from "../support/console.ts";
import { castRow, rule, ruleFile } from "../support/rules.ts";
import { commandContext, people } from "../support/world.ts";
import { useReviewsInDiscord } from "../support/scenes.ts";

/*
 * Wherever a person decides about a cast, all that it shows stands there: pictures and links that it embeds, who is mentioned.
 * Rows are casts, columns are places.
 */

const scene = await useReviewsInDiscord(withSignIn);
const desk = openTestConsole(scene);
afterAll(() => desk.server.close());
beforeEach(async () => {
  await scene.bot.database.query
    .insertInto("castellan.names")
    .values({ name: "brook", fid: 12, owner: "0x", since: 1 })
    .execute();
  await scene.run("owner", "feed add", { kinds: "casts", room: "mod-log" });
});

const mention = {
  text: "🎉 you are a fraud, ",
  mentions: [12],
  mentionsPositions: [Buffer.byteLength("🎉 you are a fraud, ")],
};
const hostile = "https://evil.example/``` @everyone <@1> [x](https://evil.example)\n\u202e`y`";

interface Shown {
  cast: Partial<CastBody>;
  /** What has to be read of it. */
  sees: RegExp[];
}
const casts: Record<string, Shown> = {
  "a picture without a text": {
    cast: { text: "", embeds: ["https://lure.example/x.png"] },
    sees: [/lure\.example/],
  },
  "a link below a long text": {
    cast: { text: "look here ".repeat(80), embeds: ["https://lure.example/claim"] },
    sees: [/lure\.example/],
  },
  "a mention, and markdown and marks of direction in an embed": {
    cast: { ...mention, embeds: [hostile] },
    sees: [/🎉 you are a fraud, @brook/, /evil\.example/],
  },
};

async function read(path: string): Promise<DeskAnswer> {
  const visitor = await desk.signIn(scene.users.moderator);
  return deskOf({ desk, guildId: scene.discord.guildId, visitor }).read(path);
}
const text = async (command: string, options: GivenOptions) =>
  (await scene.run("moderator", command, options)).text;

const wordsOf = ({ embeds = [] }: View): string =>
  embeds
    .flatMap(({ title, description, fields = [] }) => [
      title,
      description,
      ...fields.map(({ value }) => value),
    ])
    .join("\n");

async function hide(): Promise<void> {
  await scene.click("moderator", await scene.run("moderator", "hide", { cast: scene.castHash() }), "Hide");
}

const always = { when: { "text.length": { gte: 0 } }, then: [{ hide: {} }] };

/** Where it is shown, each after the cast was seen, judged and held for review. */
const places: Record<string, () => Promise<string>> = {
  "the room's post of the review": async () => scene.shownIn("feed").text,
  "the room's post of the cast": async () => {
    const posts = scene.discord.context.world.messages.get(scene.discord.rooms["mod-log"]) ?? [];
    return posts.map((post) => see(post).text).findLast((post) => post.startsWith("Cast in")) ?? "";
  },
  "/review show": () => text("review show", { number: "R-1" }),
  "/review show without a number": () => text("review show", {}),
  "/review decide": () => text("review decide", { decision: "dismiss", reviews: "R-1" }),
  "/hide": () => text("hide", { cast: scene.castHash() }),
  "/pin": () => text("pin", { cast: scene.castHash(), notify: true }),
  "/undo of a hidden cast, as its case": () => text("undo", { what: scene.castHash() }),
  "/hide of many": () => text("hide", { user: "7" }),
  "/case show": async () => {
    await hide();
    return text("case show", { number: "C-1" });
  },
  "/case show without a number": async () => {
    await hide();
    return text("case show", {});
  },
  "a ban's preview, among the earlier cases": async () => {
    await hide();
    return text("ban", { user: "7", duration: "permanent", reason: "spam" });
  },
  "/case show, after the cast's text was pruned": async () => {
    await hide();
    await scene.bot.database.query
      .updateTable("castellan.casts")
      .set({ text: "", embeds: "[]", mentions: "[]", mentions_positions: "[]", erased_at_ms: 1 })
      .execute();
    return text("case show", { number: "C-1" });
  },
  "/who": () => text("who", { user: "7" }),
  "/rule explain": () => text("rule explain", { cast: scene.castHash() }),
  "/rule test": () => text("rule test", { text: ruleFile([rule({ id: "all", mode: "shadow", ...always })]) }),
  "/report": () => text("report", { cast: scene.castHash() }),
  "a report's review": async () => {
    await text("report", { cast: scene.castHash() });
    return text("review show", { number: "R-2" });
  },
  "suggestions of casts": async () => {
    const { guildId } = scene.discord;
    const actor = { userId: scene.users.moderator, guildId, roomId: "r", roleIds: [], managesServer: false };
    const suggest = findHandler(commands, "hide")?.options["cast"]?.suggest;
    const offered = (await suggest?.("", commandContext(scene.bot, actor), { channel: "memes" })) ?? [];
    return offered.map(({ name }) => name).join("\n");
  },
  "the console's queue": async () => {
    const { items } = await read("/queue");
    return items.map(({ view }) => wordsOf(view)).join("\n");
  },
  "the console's page of a person": async () => wordsOf((await read("/read/person?user=7")).view),
  "the console's list of cases": async () => {
    await hide();
    return (await read("/cases?channel=memes")).cases.map(({ target }) => target).join("\n");
  },
  "the console's page of a case": async () => {
    await hide();
    return wordsOf((await read("/cases/memes/C-1")).view);
  },
};

describe.each(Object.entries(casts))("%s", (_name, { cast, sees }) => {
  test.each(Object.entries(places))("is seen in %s", async (_place, show) => {
    const body = { ...textBody("Free airdrop"), ...cast };
    const { embeds, mentions, mentionsPositions } = body;
    const row = castRow(scene.castHash(), {
      fid: people.troll,
      text: body.text,
      embeds: JSON.stringify(embeds),
      mentions: JSON.stringify(mentions),
      mentions_positions: JSON.stringify(mentionsPositions),
      cast_at: Math.floor(scene.bot.clock.now() / 1000) - 5,
    });
    await scene.bot.database.query.insertInto("castellan.casts").values(row).execute();
    await scene.hold(always, body);
    const shown = await show();
    for (const part of sees) expect(shown).toMatch(part);
    // Outside of code nothing of it is left that Discord would make a link, a mention or a turn of the text of.
    const outside = shown.replace(/```\n[^`]*\n```/g, "·").replace(/`[^`\n]+`/g, "·");
    expect(outside.replaceAll("(https://castle.test/", "(")).not.toMatch(/https:|@everyone|<@1>|\u202e/);
  });
});
