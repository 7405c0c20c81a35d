import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type Client,
  type Interaction,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  SlashCommandBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../../../src/log.ts";
import { createSandboxPage } from "../../../src/sandbox/page-server.ts";
import { browserPath, useBrowser } from "../../support/browser.ts";
import { createDiscordClient, logIn, startTestDiscord, type TestDiscord } from "../../support/discord.ts";

const ban = new SlashCommandBuilder()
  .setName("ban")
  .setDescription("Keeps people out")
  .addSubcommand((add) =>
    add
      .setName("add")
      .setDescription("Bans somebody")
      .addStringOption((user) =>
        user.setName("user").setDescription("Who").setRequired(true).setAutocomplete(true),
      )
      .addStringOption((reason) => reason.setName("reason").setDescription("Why")),
  );
const mute = new SlashCommandBuilder().setName("mute").setDescription("Is never answered");

/** A bot that asks before it bans. */
async function answer(interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) {
    await interaction.respond([
      { name: "@spammer · fid 7", value: "7" },
      { name: "@spandrel · fid 8", value: "8" },
    ]);
  } else if (interaction.isChatInputCommand() && interaction.commandName === "ban") {
    const { options } = interaction;
    const yes = new ButtonBuilder().setCustomId("why").setLabel("Go on").setStyle(ButtonStyle.Danger);
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({
      content: `Ban **${options.getString("user")}** for ${options.getString("reason")}?`,
      components: [new ActionRowBuilder<ButtonBuilder>().addComponents(yes)],
    });
  } else if (interaction.isButton()) {
    const input = new TextInputBuilder().setCustomId("note").setStyle(TextInputStyle.Short);
    const label = new LabelBuilder().setLabel("Note").setTextInputComponent(input);
    await interaction.showModal(
      new ModalBuilder().setCustomId("form").setTitle("A note").addLabelComponents(label),
    );
  } else if (interaction.isModalSubmit()) {
    await interaction.reply(`Noted: ${interaction.fields.getTextInputValue("note")}`);
  }
}

test.skipIf(browserPath)("there is no browser on this machine: the page was not tried in one", () => {
  expect(browserPath).toBeUndefined();
});

describe.runIf(browserPath)("the chat pane in a browser", () => {
  const browser = useBrowser();
  let page: Page;
  let discord: TestDiscord;
  let client: Client;
  let errors: string[];

  beforeEach(async () => {
    discord = await startTestDiscord({
      acknowledgeWithin: 1000,
      page: (local) => createSandboxPage(local, silentLog),
    });
    client = createDiscordClient(discord, answer);
    await logIn(client);
    await client.application?.commands.set([ban, mute], discord.guildId);
    ({ page, complaints: errors } = await browser.open());
    await page.goto(discord.origin);
    await actAs("Mona Moderator");
  });

  afterEach(async () => {
    await page.context().close();
    await client.destroy();
    await discord.stop();
  });

  const composer = () => page.getByRole("combobox", { name: "Message #general" });
  const feed = () => page.getByRole("log");

  async function actAs(name: string): Promise<void> {
    await page.getByRole("radio", { name }).click();
    await page.getByPlaceholder(`Message #general as ${name}`).waitFor();
  }

  test("a command is filled in by keys alone, confirmed, and seen by its user only", async () => {
    await composer().fill("/ban");
    await page.keyboard.press("Enter");
    await page.keyboard.type("sp");
    await page.getByRole("option", { name: "@spandrel" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // The list of the other options is open, with what each is about.
    await page.getByRole("option", { name: /^reason\s*Why$/ }).waitFor();
    await page.keyboard.type("reas");
    await page.keyboard.press("Enter");
    await page.keyboard.type("free mints");
    await page.keyboard.press("Enter");
    await feed().getByText("Ban 8 for free mints?").waitFor();
    await feed().getByText("Only you can see this").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("textbox", { name: "Note" }).fill("third time");
    await page.keyboard.press("Enter");
    await feed().getByText("Noted: third time").waitFor();
    await actAs("Sam Stranger");
    await feed().getByText("Noted: third time").waitFor();
    expect(await feed().getByText("Ban 8").count()).toBe(0);
    await actAs("Mona Moderator");
    await page.getByRole("button", { name: "Dismiss message" }).click();
    await feed().getByText("Ban 8").waitFor({ state: "detached" });
    expect([discord.context.violations, errors]).toEqual([[], []]);
  });

  test("a key that comes as soon as the list is there moves its mark", async () => {
    // Watched for before the command is there, because the bot is asked 150 ms after it is.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.querySelector("#values [role=option]")) return;
      observer.disconnect();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await composer().fill("/ban");
    await page.keyboard.press("Enter");
    await page.keyboard.type("sp");
    await page.getByRole("option", { name: "@spandrel", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send" }).press("Enter");
    await feed().getByText("Ban 8 for null?").waitFor();
    expect(errors).toEqual([]);
  });

  test("a command without what it needs is not sent, and Escape leaves it", async () => {
    await composer().fill("/ban");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("Please fill in user").waitFor();
    await page.keyboard.press("Escape");
    await composer().waitFor();
    expect(errors).toEqual([]);
  });

  test("an application that does not answer is told of", async () => {
    await composer().fill("/mute");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Send" }).press("Enter");
    await feed().getByText("The application did not respond").waitFor();
    expect(errors).toEqual([]);
  });

  test("messages, edits and deletions appear at once, with what they mention, and nothing in them is markup", async () => {
    const text = `<b>bold</b> **strong** <#${discord.rooms.feed}> <t:1700000000:D>`;
    const message = discord.people.say({ user: "member", room: "general", content: text });
    await feed().getByText("<b>bold</b>").waitFor();
    await feed().getByText("#feed").waitFor();
    await feed().getByText("November 14, 2023").waitFor();
    expect(await feed().locator("b").count()).toBe(0);
    await client.rest.delete(`/channels/${discord.rooms.general}/messages/${message.id}`);
    await feed().getByText("<b>bold</b>").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
  });

  test("the page goes on when the server restarts", async () => {
    discord.people.say({ user: "member", room: "general", content: "before" });
    await feed().getByText("before").waitFor();
    const port = Number(new URL(discord.origin).port);
    await discord.stopServer();
    discord = await startTestDiscord({
      file: discord.file,
      port,
      page: (local) => createSandboxPage(local, silentLog),
    });
    discord.people.say({ user: "member", room: "general", content: "after" });
    await feed().getByText("after").waitFor();
    expect(errors.filter((error) => !/ERR_/.test(error))).toEqual([]);
  });
});
