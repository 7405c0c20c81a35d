import type { Client } from "discord.js";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { browserPath, openSandboxTab, useBrowser, type SandboxTab } from "../support/browser.ts";
import { createDiscordClient, logIn, startTestDiscord, type TestDiscord } from "../support/discord.ts";

test.skipIf(browserPath)("there is no browser on this machine: nobody typed commands in one", () => {
  expect(browserPath).toBeUndefined();
});

const text = { type: 3, description: "d" };
const commands = [
  {
    name: "channel",
    description: "d",
    options: [
      {
        type: 1,
        name: "info",
        description: "Whom nothing is hidden from",
        options: [{ ...text, name: "channel" }],
      },
      {
        type: 1,
        name: "link",
        description: "d",
        options: [{ ...text, name: "channel", required: true, autocomplete: true }],
      },
    ],
  },
  {
    name: "ban",
    description: "d",
    options: [
      { type: 6, name: "user", description: "d", required: true },
      { ...text, name: "reason" },
      { type: 5, name: "quiet", description: "d" },
    ],
  },
];

describe.runIf(browserPath)("a command in the composer", () => {
  const browser = useBrowser();
  let discord: TestDiscord;
  let client: Client;
  let tab: SandboxTab;
  let line: Locator;

  beforeAll(async () => {
    discord = await startTestDiscord({ page: (server) => createSandboxPage(server, silentLog) });
    client = createDiscordClient(discord, async (interaction) => {
      if (interaction.isAutocomplete())
        await interaction.respond([
          { name: "/gardeners", value: "gardeners" },
          { name: "/garden", value: "garden" },
        ]);
      if (interaction.isChatInputCommand())
        await interaction.reply(
          `got ${interaction.options.data.map((option) => JSON.stringify(option.options ?? option, pick)).join()}`,
        );
    });
    await logIn(client);
    await client.application?.commands.set(commands);
    tab = await openSandboxTab(browser, discord.origin);
    line = tab.chat.getByRole("combobox", { name: /^Message #/ });
  });

  afterAll(async () => {
    await client.destroy();
    await discord.stop();
  });

  beforeEach(async () => {
    await line.waitFor();
    await line.fill("");
    await line.focus();
  });

  /** The options with their values, without what Discord adds to them. */
  function pick(key: string, value: unknown): unknown {
    return ["type", "user", "member", "autocomplete"].includes(key) ? undefined : value;
  }

  const enter = () => tab.page.keyboard.press("Enter");
  const refusal = (said: string) => tab.chat.getByRole("alert").getByText(said, { exact: true });
  const got = (options: object[]) => tab.message(JSON.stringify(options).slice(1, -1));

  it("runs when it is typed as the tour writes it", async () => {
    await tab.page.keyboard.type("/channel link channel:garden");
    // The list offers another first; what is written out counts.
    await tab.chat.getByRole("option", { name: "/gardeners" }).waitFor();
    await enter();
    await shows(got([{ name: "channel", value: "garden" }]));
  });

  it("runs when it is pasted, also where its options' values have spaces or are chosen from a list", async () => {
    const user = [...discord.context.world.users.values()].find(({ username }) => username === "stranger");
    await tab.page.keyboard.insertText("/ban user:@stranger quiet:true reason:two words: again");
    await enter();
    await shows(got([{ name: "user", value: user?.id }]));
    await shows(tab.message('"reason","value":"two words: again"'));
    await shows(tab.message('"quiet","value":true'));
  });

  it("goes on to another option where its name is typed", async () => {
    await tab.page.keyboard.type("/ban @member reason:spam");
    await enter();
    await shows(tab.message('"reason","value":"spam"'));
  });

  it("takes words without a name for its first option", async () => {
    await tab.page.keyboard.insertText("/channel info meadow");
    await enter();
    await shows(got([{ name: "channel", value: "meadow" }]));
  });

  it("names an option that it does not have", async () => {
    await tab.page.keyboard.insertText("/ban usr:member");
    await enter();
    await shows(refusal("/ban has no option usr. Its options: user, reason, quiet."));
    await tab.page.keyboard.press("Escape");
  });

  it("is said not to be there, and never because it only goes on", async () => {
    await tab.page.keyboard.type("/channel garden");
    await enter();
    await shows(refusal("/channel needs a subcommand: info, link."));
    for (const name of ["chanel", "nothing"]) {
      await line.fill(`/${name}`);
      await enter();
      await shows(refusal(`There is no command /${name} here.`));
    }
  });

  it("and the browser complained of nothing", () => {
    expect(tab.complaints).toEqual([]);
  });
});

/** Waits until the page shows it, and fails when it does not. */
async function shows(what: Locator): Promise<void> {
  await what.waitFor();
  expect(await what.isVisible()).toBe(true);
}
