import type { Client } from "discord.js";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { postMessage } from "../../src/sandbox/discord/messages/write-message.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { sandboxGuild, sandboxPeople, sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { browserPath, openSandboxTab, useBrowser, type SandboxTab } from "../support/browser.ts";
import { findBarriers } from "../support/console-tab.ts";
import { createDiscordClient, logIn, startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { openSampleNetwork, type SampleNetwork } from "../support/sample-network.ts";

test.skipIf(browserPath)("there is no browser on this machine: nobody was welcomed in one", () => {
  expect(browserPath).toBeUndefined();
});

const commands = [
  {
    name: "setup",
    description: "d",
    options: [
      {
        type: 1,
        name: "link",
        description: "d",
        options: [{ type: 3, name: "channel", description: "d", required: true }],
      },
    ],
  },
  ...["Explain", "Hide", "Ban author", "History", "Who"].map((name) => ({ name, type: 3 })),
];

describe.runIf(browserPath)("the first minute in the sandbox", () => {
  const browser = useBrowser();
  let sample: SampleNetwork;
  let discord: TestDiscord;
  let client: Client;
  let tab: SandboxTab;

  beforeAll(async () => {
    sample = await openSampleNetwork();
    discord = await startTestDiscord({
      people: sandboxPeople,
      guilds: [sandboxGuild],
      page: (server) => createSandboxPage(server, silentLog, { pane: sample.pane, tour: true }),
    });
    client = createDiscordClient(discord, () => Promise.resolve());
    await logIn(client);
    await client.application?.commands.set(commands);
    tab = await openSandboxTab(browser, discord.origin);
  });

  afterAll(async () => {
    await client.destroy();
    await discord.stop();
    await sample.close();
  });

  it("welcomes in its first room with steps that can be taken from there", async () => {
    const welcome = tab.chat.getByRole("region", { name: "Welcome" });
    await expect.poll(() => welcome.getByRole("listitem").count()).toBe(6);
    await welcome.getByRole("button", { name: "@mo" }).first().click();
    await tab.page.getByRole("radio", { name: "mo (moderator)", checked: true }).waitFor();
    await welcome.getByRole("button", { name: "#market-feed" }).click();
    await tab.chat.getByRole("combobox", { name: "Message #market-feed" }).waitFor();
    await expect.poll(() => welcome.count()).toBe(0);
  });

  it("shows in the network pane the channel of the open room, whoever one is", async () => {
    await tab.network.getByRole("heading", { name: "Network Farcaster as mo sees it" }).waitFor();
    await tab.network.getByPlaceholder("Cast into /night-market as mo").waitFor();
    await tab.be("ada");
    await tab.network.getByPlaceholder("Cast into /night-market as ada").waitFor();
    await tab.enterRoom("garden-feed");
    await tab.network.getByPlaceholder("Cast into /garden as ada").waitFor();
    // What the third step needs is in sight.
    const invite = tab.network.getByRole("form", { name: "Invite" });
    const box = await invite.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(900);
  });

  it("ticks off what was done", async () => {
    await tab.enterRoom("lobby");
    const steps = tab.chat.getByRole("region", { name: "Welcome" }).getByRole("listitem");
    const ticked = async () =>
      Promise.all((await steps.all()).map((step) => step.getByRole("img", { name: "Done" }).count()));
    await expect.poll(ticked).toEqual([1, 0, 0, 0, 0, 0]);
    const { context, applicationId: authorId } = discord;
    const say = (roomId: string, description: string) =>
      postMessage(context, { roomId, authorId, body: { embeds: [{ title: "Banned", description }] } });
    const [, mo] = sandboxPeople;
    say(sandboxRooms.marketFeed, `@lark · by rule scam-links`);
    say(sandboxRooms.marketFeed, `@lark · by <@${mo?.id}> · case C-3`);
    await expect.poll(ticked).toEqual([1, 1, 0, 0, 0, 0]);
    const [ada, , , nia] = sample.pane.people;
    if (!ada || !nia) throw new Error("the sample has no people");
    const invite = { channelId: "garden", inviteFid: nia.fid, role: "member" } as const;
    await sample.pane.as(ada).channelInvites.invite(invite);
    say(sandboxRooms.gardenFeed, "Invited");
    await expect.poll(ticked).toEqual([1, 1, 0, 1, 1, 0]);
    const answer = { channelId: "garden", role: "member", accept: true } as const;
    await sample.pane.as(nia).channelInvites.answer(answer);
    await expect.poll(ticked).toEqual([1, 1, 0, 1, 1, 1]);
  });

  it("shows what was done for some seconds, and draws its signs itself", async () => {
    const note = tab.network.getByRole("status").getByText(/^(Unfollowed|Following)\.$/);
    await tab.network.getByRole("button", { name: /^(Unf|F)ollow$/ }).click();
    await note.waitFor();
    await note.waitFor({ state: "detached" });
    await tab.chat.getByRole("button", { name: "Bot permissions" }).click();
    await tab.chat.getByRole("checkbox", { name: "embed links" }).click();
    await tab.chat.getByRole("img", { name: "The bot lacks a permission here" }).waitFor();
    await tab.chat.getByRole("checkbox", { name: "embed links" }).click();
    const text = await tab.page.locator("body").innerText();
    expect(text).not.toMatch(/\p{Extended_Pictographic}/u);
  });

  it("opens the last message's menu where there is space", async () => {
    const { context, applicationId: authorId } = discord;
    const post = () =>
      postMessage(context, { roomId: sandboxRooms.lobby, authorId, body: { content: "hello" } });
    for (let count = 0; count < 20; count += 1) post();
    await expect.poll(() => tab.chat.getByRole("article").count()).toBe(20);
    const last = tab.chat.getByRole("article").last();
    await last.click({ button: "right" });
    const menu = last.getByRole("menu");
    await menu.waitFor();
    const [feed, box] = [await tab.chat.getByRole("log").boundingBox(), await menu.boundingBox()];
    if (!feed || !box) throw new Error("nothing is shown");
    expect(box.y + box.height).toBeLessThanOrEqual(feed.y + feed.height);
    expect(box.y).toBeGreaterThanOrEqual(feed.y);
    await tab.page.keyboard.press("Escape");
  });

  it.each([
    ["light", 1440, []],
    ["dark", 390, ["Network", "Chat"]],
    ["light", 390, ["Network", "Chat"]],
  ] as const)("has no barriers, %s, %i pixels wide", async (colorScheme, width, tabs) => {
    await tab.page.emulateMedia({ colorScheme });
    await tab.page.setViewportSize({ width, height: 900 });
    expect(await findBarriers(tab.page)).toEqual([]);
    for (const name of tabs) {
      await tab.page.getByRole("button", { name, exact: true }).click();
      expect(await findBarriers(tab.page)).toEqual([]);
      expect(await tab.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    }
    await tab.page.setViewportSize({ width: 1440, height: 900 });
  });

  it("puts a command that is clicked into the room that its step is about, and sends nothing by itself", async () => {
    const listMessages = () => discord.context.world.messages.get(sandboxRooms.gardenFeed)?.length;
    const before = listMessages();
    await tab.enterRoom("lobby");
    await tab.chat
      .getByRole("region", { name: "Welcome" })
      .getByRole("button", { name: "/setup link" })
      .click();
    const filledIn = tab.chat.locator('[data-option="channel"]');
    await filledIn.waitFor();
    expect(await filledIn.inputValue()).toBe("garden");
    await tab.chat.getByRole("heading", { name: "garden-feed" }).waitFor();
    await tab.page.keyboard.press("Escape");
    await tab.chat.getByRole("combobox", { name: "Message #garden-feed" }).waitFor();
    expect(listMessages()).toBe(before);
  });

  it("opens again in the room that one was in", async () => {
    await tab.enterRoom("market-feed");
    await tab.page.reload();
    await tab.chat.getByRole("combobox", { name: "Message #market-feed" }).waitFor();
    expect(await tab.chat.getByRole("region", { name: "Welcome" }).count()).toBe(0);
  });

  it("and the browser complained of nothing", () => {
    expect(tab.complaints).toEqual([]);
    expect(discord.context.violations).toEqual([]);
  });
});
