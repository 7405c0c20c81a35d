import {
  ApplicationCommandType,
  ButtonStyle,
  ComponentType,
  type Client,
  type Interaction,
} from "discord.js";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { silentLog } from "../../src/log.ts";
import { actAs } from "../../src/sandbox/network-pane/act.ts";
import { createSandboxPage } from "../../src/sandbox/page-server.ts";
import { sandboxGuild, sandboxPeople } from "../../src/sandbox/sample/sample-server.ts";
import {
  browserPath,
  openSandboxTab,
  takesPictures,
  useBrowser,
  type SandboxTab,
} from "../support/browser.ts";
import { createDiscordClient, logIn, startTestDiscord, type TestDiscord } from "../support/discord.ts";
import { openSampleNetwork, type SampleNetwork } from "../support/sample-network.ts";

test.skipIf(browserPath)("there is no browser on this machine: nobody used the page in one", () => {
  expect(browserPath).toBeUndefined();
});

const text = { type: 3, description: "d" };
const commands = [
  {
    name: "ping",
    description: "Asks, and does it once",
    options: [{ ...text, name: "why", description: "A reason" }],
  },
  {
    name: "channel",
    description: "d",
    options: [
      { type: 1, name: "link", description: "d", options: [{ ...text, name: "channel", required: true }] },
    ],
  },
  ...Array.from({ length: 20 }, (_, n) => ({
    name: `other-${n}`,
    description: `Another command, number ${n}`,
  })),
];
const menuCommands = [
  { name: "Hide this cast", type: ApplicationCommandType.Message as const },
  { name: "History", type: ApplicationCommandType.User as const },
];

/** What the bot was asked to do by buttons. */
let pressed = 0;

async function answer(interaction: Interaction): Promise<void> {
  if (interaction.isContextMenuCommand()) {
    await interaction.reply(`${interaction.commandName} of ${interaction.targetId}`);
  } else if (interaction.isChatInputCommand()) {
    const button = {
      type: ComponentType.Button,
      customId: "go",
      label: "Go",
      style: ButtonStyle.Danger,
    } as const;
    await interaction.reply({
      content: `Sure? ${interaction.options.getString("why") ?? "For no reason"}`,
      components: [{ type: ComponentType.ActionRow, components: [button] }],
    });
  } else if (interaction.isButton()) {
    pressed += 1;
    await interaction.deferUpdate();
    await interaction.editReply({ content: `Done ${pressed}`, components: [] });
  }
}

describe.runIf(browserPath)("the sandbox's page", () => {
  const browser = useBrowser();
  let sample: SampleNetwork;
  let discord: TestDiscord;
  let client: Client;
  let tab: SandboxTab;
  let line: Locator;

  beforeAll(async () => {
    sample = await openSampleNetwork();
    discord = await startTestDiscord({
      people: sandboxPeople,
      guilds: [sandboxGuild],
      page: (server) => createSandboxPage(server, silentLog, { pane: sample.pane, tour: true }),
    });
    client = createDiscordClient(discord, answer);
    await logIn(client);
    await client.application?.commands.set([...commands, ...menuCommands]);
    tab = await openSandboxTab(browser, discord.origin);
    line = tab.chat.getByRole("combobox", { name: /^Message #/ });
    await tab.be("mo");
    await tab.enterRoom("market-feed");
  });

  afterAll(async () => {
    await client.destroy();
    await discord.stop();
    await sample.close();
  });

  const focused = () => tab.page.evaluate<string>(`document.activeElement.getAttribute("aria-label") ?? ""`);
  const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const colourOf = (what: string) =>
    tab.page.evaluate<string>(`getComputedStyle(document.querySelector("${what}")).backgroundColor`);

  it("lists a command's options with what they are about, and Enter sends it without any", async () => {
    await line.fill("/ping");
    await tab.page.keyboard.press("Enter");
    await tab.chat.getByRole("option", { name: /^why\s*A reason$/ }).waitFor();
    await expect.poll(focused).toBe("Add an option");
    await tab.page.keyboard.press("Enter");
    await tab.message("Sure? For no reason").waitFor();
    await line.fill("/ping");
    await tab.page.keyboard.press("Enter");
    await tab.page.keyboard.type("why:because");
    await tab.page.keyboard.press("Enter");
    await tab.message("Sure? because").waitFor();
    await expect.poll(focused).toBe("Message #market-feed");
  });

  it("takes a double click for one press, and says nothing in red where a message has changed meanwhile", async () => {
    const button = tab.message("Sure? because").getByRole("button", { name: "Go" });
    const stale = await button.elementHandle();
    await button.dblclick();
    await tab.message("Done 1").waitFor();
    // Another press that was on its way: the page had not heard of the change yet.
    const [last] = discord.context.world.messages.get("800000000000000014")?.slice(-1) ?? [];
    const given = { user: "mo", room: "market-feed", message: last?.id, customId: "go" };
    const late = await tab.page.evaluate<{ error: { code: string } }>(
      `fetch("/chat/click", { method: "POST", headers: { "content-type": "application/json" },
        body: '${JSON.stringify(given)}' }).then((answer) => answer.json())`,
    );
    expect(late.error.code).toBe("expired");
    expect(pressed).toBe(1);
    expect(await tab.chat.getByRole("alert").count()).toBe(0);
    await stale?.dispose();
  });

  it("goes on typing where one typed, after a press and from anywhere", async () => {
    await tab.message("Sure? For no reason").getByRole("button", { name: "Go" }).click();
    await tab.message("Done 2").waitFor();
    await tab.page.keyboard.type("a");
    await tab.page.evaluate("document.activeElement.blur()");
    await tab.page.keyboard.type("b");
    expect(await line.inputValue()).toBe("ab");
    await line.fill("");
  });

  it("opens its lists above the composer, with whole rows, also in a low window", async () => {
    for (const height of [900, 450]) {
      await tab.page.setViewportSize({ width: 1440, height });
      await line.fill("/");
      const list = await boxOf(tab.chat.locator(".list-box"));
      expect(list.y).toBeGreaterThan(50);
      expect(list.y + list.height).toBeLessThanOrEqual((await boxOf(line)).y);
      const rows = await tab.chat.locator(".list-box ul").evaluate((one) => one.clientHeight / 36);
      expect(Number.isInteger(rows)).toBe(true);
    }
    await line.fill("");
    await tab.page.setViewportSize({ width: 1440, height: 900 });
  });

  it("has light and dark colours, as the system says, and frames what is chosen where colours are forced", async () => {
    await tab.page.emulateMedia({ colorScheme: "light" });
    expect(await colourOf("body")).toBe("rgb(255, 255, 255)");
    await tab.page.emulateMedia({ colorScheme: "dark" });
    expect(await colourOf("body")).toBe("rgb(20, 21, 27)");
    await tab.page.emulateMedia({ forcedColors: "active" });
    const style = await tab.page.evaluate<string>(
      `getComputedStyle(document.querySelector("[role=radio][aria-checked=true]")).outlineStyle`,
    );
    expect(style).toBe("solid");
    await tab.page.emulateMedia({ forcedColors: "none" });
  });

  it("changes the person by arrow keys, from one stop of the tab key", async () => {
    await tab.page.getByRole("radio", { name: "mo (moderator)" }).focus();
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.getByRole("radio", { name: "mel (member)", checked: true }).waitFor();
    await tab.page.keyboard.press("ArrowLeft");
    await tab.page.getByRole("radio", { name: "mo (moderator)", checked: true }).waitFor();
    expect(await tab.page.locator("[role=radio][tabindex='0']").count()).toBe(1);
  });

  it.each([390, 900])("shows everybody at a width of %d", async (width) => {
    await tab.page.setViewportSize({ width, height: 840 });
    for (const person of await tab.page.getByRole("radio").all()) {
      const box = await boxOf(person);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
    expect(await tab.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    const shown = await tab.page.locator("[role=radio] .avatar").allInnerTexts();
    expect(new Set(shown).size).toBe(shown.length);
    await tab.page.setViewportSize({ width: 1440, height: 900 });
  });

  it("counts in red only what names the person", async () => {
    discord.people.say({ user: "ada", room: "mod-desk", content: "hello" });
    await tab.chat.getByLabel("1 new", { exact: true }).waitFor();
    discord.people.say({ user: "ada", room: "mod-desk", content: "<@700000000000000002> look" });
    const mentioned = tab.chat.getByLabel("1 for you, 2 new");
    await mentioned.waitFor();
    expect(await mentioned.innerText()).toContain("1");
  });

  it("offers the bot's context-menu commands by keys and by a right click", async () => {
    const said = discord.people.say({ user: "ada", room: "market-feed", content: "right click me" });
    const message = tab.message("right click me");
    await message.getByText("right click me").click({ button: "right" });
    await tab.chat.getByRole("menuitem", { name: "Hide this cast" }).waitFor();
    await tab.page.keyboard.press("ArrowDown");
    await tab.page.keyboard.press("Enter");
    await tab.message(`Hide this cast of ${said.id}`).waitFor();
    expect(await tab.message(`Hide this cast of ${said.id}`).innerText()).toMatch(/used\s+Hide this cast/);
    await message.getByRole("button", { name: "Apps for this message" }).click({ force: true });
    await tab.chat.getByRole("menuitem", { name: "History" }).click();
    await tab.message("History of 700000000000000001").waitFor();
  });

  it("gives a name up and registers another, and says so where it is seen", async () => {
    const own = tab.network.getByLabel("Your name");
    await own.getByText("You hold the name mo.").waitFor();
    sample.network.context.clock.advance(5);
    await own.getByRole("button", { name: "Give up" }).click();
    await tab.network.getByRole("status").getByText("mo is available to everybody now.").waitFor();
    await own.getByLabel("Name to register").fill("ada");
    await own.getByRole("button", { name: "Register" }).click();
    const refusal = tab.network.getByRole("status").getByText("The name ada belongs to somebody else.");
    await refusal.waitFor();
    expect((await boxOf(refusal)).y).toBeLessThan(900);
    await own.getByLabel("Name to register").fill("mo-the-second");
    await own.getByRole("button", { name: "Register" }).click();
    await own.getByText("You hold the name mo-the-second.").waitFor();
  });

  it("shows replies below what they answer, newest words first, and hidden casts to those who see them", async () => {
    const root = tab.network.getByRole("region", { name: "Casts" }).getByRole("listitem").nth(3);
    const [old] = (await root.locator("p").allInnerTexts()) as [string];
    const castHash = (await root.locator(".net-copy").getAttribute("data-hash")) ?? "";
    await actAs(sample.pane, sample.person("mel"), { do: "reply", castHash, text: "An answer of now" });
    await tab.cast("An answer of now").getByText("answers").waitFor();
    const first = await tab.network.locator(".net-cast > p").allInnerTexts();
    expect(first).toContain(old);
    const at = first.indexOf("An answer of now");
    const answered = await tab.cast("An answer of now").locator(".net-quiet").innerText();
    const authors = await tab.network.locator(".net-cast-head > b").allInnerTexts();
    expect(authors.slice(0, at)).toContain(answered.replace("answers ", ""));
    await tab.cast("An answer of now").getByRole("button", { name: "Hide" }).click();
    await tab.cast("An answer of now").getByText("hidden", { exact: true }).waitFor();
    await tab.be("nia");
    await tab.network.getByText("1 hidden cast is not shown to nia.").waitFor();
    expect(await tab.cast("An answer of now").count()).toBe(0);
  });

  it("and the browser complained of nothing but what was refused", () => {
    expect(tab.complaints.filter((said) => !said.includes("status of 400"))).toEqual([]);
    expect(discord.context.violations).toEqual([]);
  });

  it.runIf(takesPictures)("its pictures", async () => {
    await tab.be("mo");
    await tab.enterRoom("lobby");
    for (const colorScheme of ["dark", "light"] as const) {
      await tab.page.emulateMedia({ colorScheme });
      await tab.page.screenshot({ path: `docs/pictures/sandbox-${colorScheme}.png` });
    }
    await tab.page.setViewportSize({ width: 390, height: 844 });
    await tab.page.screenshot({ path: "docs/pictures/sandbox-phone.png" });
    expect(tab.page.viewportSize()).toEqual({ width: 390, height: 844 });
  });
});
