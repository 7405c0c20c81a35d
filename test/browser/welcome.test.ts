import type { Client } from "discord.js";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { sandboxGuild, sandboxPeople, sandboxRooms } from "../../src/sandbox/sample/sample-server.ts";
import { browserPath, openSandboxTab, useBrowser, type SandboxTab } from "../support/browser.ts";
import { createDiscordClient, logIn, startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { openSampleNetwork, type SampleNetwork } from "../support/sample-network.ts";

test.skipIf(browserPath)("there is no browser on this machine: nobody was welcomed in one", () => {
  expect(browserPath).toBeUndefined();
});

const commands = [
  {
    name: "channel",
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
    await expect.poll(() => welcome.getByRole("listitem").count()).toBe(5);
    await welcome.getByRole("button", { name: "@mo" }).click();
    await tab.page.getByRole("radio", { name: "mo (moderator)", checked: true }).waitFor();
    await welcome.getByRole("button", { name: "#market-feed" }).click();
    await tab.chat.getByRole("combobox", { name: "Message #market-feed" }).waitFor();
    await expect.poll(() => welcome.count()).toBe(0);
  });

  it("puts a command that is clicked into the room that its step is about, and sends nothing by itself", async () => {
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
    expect(discord.context.world.messages.get(sandboxRooms.gardenFeed) ?? []).toEqual([]);
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
