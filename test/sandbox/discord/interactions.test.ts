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
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Outcome } from "../../../src/sandbox/discord/interactions/interactions.ts";
import {
  createDiscordClient,
  logIn,
  sendRaw,
  startTestDiscord,
  type TestDiscord,
} from "../../support/discord.ts";
import { clockOf } from "../../support/world.ts";

let discord: TestDiscord;
let client: Client;
let answer: (interaction: Interaction) => Promise<unknown>;
let now: number;

const ban = new SlashCommandBuilder()
  .setName("ban")
  .setDescription("Bans")
  .addSubcommand((add) =>
    add
      .setName("add")
      .setDescription("Bans somebody")
      .addStringOption((user) =>
        user.setName("user").setDescription("Who").setRequired(true).setAutocomplete(true),
      )
      .addIntegerOption((days) => days.setName("days").setDescription("How long").setMaxValue(30))
      .addUserOption((by) => by.setName("by").setDescription("Asked by")),
  );

beforeEach(async () => {
  now = Date.now();
  discord = await startTestDiscord({ clock: clockOf(() => now), acknowledgeWithin: 500, tokenLife: 900_000 });
  answer = async () => {};
  client = createDiscordClient(discord, (interaction) => answer(interaction));
  await logIn(client);
  await client.application?.commands.set([ban], discord.guildId);
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

const moderator = { user: "moderator", room: "general" };
const addBan = (options: Record<string, string | number>) =>
  discord.people.slash({ ...moderator, command: "ban add", options });

function messageOf(outcome: Outcome) {
  if (outcome.kind !== "message") throw new Error(`expected a message, got ${outcome.kind}`);
  return outcome.message;
}

test("options arrive with their types, and a person with their roles", async () => {
  answer = async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const { options } = interaction;
    const by = options.getUser("by", true);
    const parts = [
      options.getSubcommand(),
      options.getString("user"),
      options.getInteger("days"),
      by.username,
    ];
    await interaction.reply(parts.join(" "));
  };
  const outcome = await addBan({ user: "spammer", days: 7, by: "owner" }).outcome;
  expect(messageOf(outcome)).toMatchObject({ content: "add spammer 7 owner", visibleTo: null, type: 20 });
});

test.each([
  ["a required option is missing", {}, /fill in user/],
  ["an option is unknown", { user: "a", what: "b" }, /no option called what/],
  ["a number is too large", { user: "a", days: 31 }, /at most 30/],
  ["a person is unknown", { user: "a", by: "nobody" }, /nobody called nobody/],
])("the client refuses a command where %s", (_, options, message) => {
  expect(() => addBan(options)).toThrow(message);
});

test("suggestions follow what is typed", async () => {
  answer = async (interaction) => {
    if (!interaction.isAutocomplete()) return;
    const typed = interaction.options.getFocused();
    await interaction.respond([{ name: `${typed}!`, value: typed }]);
  };
  const typed = { ...moderator, command: "ban add", options: { user: "sp" }, focused: "user" };
  expect(await discord.people.autocomplete(typed)).toEqual([{ name: "sp!", value: "sp" }]);
});

test("a button opens a form, the form is sent, another button updates its message", async () => {
  answer = async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const yes = new ButtonBuilder().setCustomId("yes").setLabel("Yes").setStyle(ButtonStyle.Danger);
      const why = new ButtonBuilder().setCustomId("why").setLabel("Why").setStyle(ButtonStyle.Primary);
      const row = new ActionRowBuilder<ButtonBuilder>().addComponents(yes, why);
      await interaction.reply({ content: "Sure?", components: [row], flags: MessageFlags.Ephemeral });
    } else if (interaction.isButton() && interaction.customId === "why") {
      const input = new TextInputBuilder()
        .setCustomId("reason")
        .setStyle(TextInputStyle.Short)
        .setMaxLength(10);
      const label = new LabelBuilder().setLabel("Reason").setTextInputComponent(input);
      await interaction.showModal(
        new ModalBuilder().setCustomId("form").setTitle("Why?").addLabelComponents(label),
      );
    } else if (interaction.isModalSubmit()) {
      await interaction.reply(`because ${interaction.fields.getTextInputValue("reason")}`);
    } else if (interaction.isButton()) {
      await interaction.update({ content: "Done", components: [] });
    }
  };
  const asked = messageOf(await addBan({ user: "a" }).outcome);
  expect(() =>
    discord.people.click({ user: "owner", room: "general", message: asked.id, customId: "yes" }),
  ).toThrow(/message no longer exists/);
  const opened = discord.people.click({ ...moderator, message: asked.id, customId: "why" });
  await expect(
    discord.people.submitModal({ ...moderator, opened, fields: { reason: "far too long" } }),
  ).rejects.toThrow(/at most 10/);
  const sent = await discord.people.submitModal({ ...moderator, opened, fields: { reason: "spam" } });
  expect(messageOf(await sent.outcome).content).toBe("because spam");
  const outcome = await discord.people.click({ ...moderator, message: asked.id, customId: "yes" }).outcome;
  expect(outcome).toMatchObject({
    kind: "updated",
    message: { id: asked.id, content: "Done", components: [] },
  });
  expect(discord.context.violations).toEqual([]);
});

test("an answer says of what it is one: command, button, form, follow-up", async () => {
  answer = async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const why = new ButtonBuilder().setCustomId("why").setLabel("Why").setStyle(ButtonStyle.Primary);
      const more = new ButtonBuilder().setCustomId("more").setLabel("More").setStyle(ButtonStyle.Primary);
      await interaction.reply({
        content: "Sure?",
        components: [new ActionRowBuilder<ButtonBuilder>().addComponents(why, more)],
      });
      await interaction.followUp("And then?");
    } else if (interaction.isButton() && interaction.customId === "why") {
      const input = new TextInputBuilder().setCustomId("reason").setStyle(TextInputStyle.Short);
      const label = new LabelBuilder().setLabel("Reason").setTextInputComponent(input);
      await interaction.showModal(
        new ModalBuilder().setCustomId("form").setTitle("Why?").addLabelComponents(label),
      );
    } else if (interaction.isModalSubmit() || interaction.isButton()) {
      await interaction.reply("I see");
    }
  };
  const read = async (id: string) => {
    const { body } = await sendRaw(discord, "GET", `/channels/${discord.rooms.general}/messages/${id}`);
    return body as Record<string, unknown>; // an object, as all answers
  };
  const owners = { authorizing_integration_owners: { 0: discord.guildId } };
  const user = expect.objectContaining({ username: "moderator" });
  const command = addBan({ user: "a" });
  const asked = messageOf(await command.outcome);
  const used = { id: command.id, type: 2, user };
  expect(await read(asked.id)).toMatchObject({ interaction: { ...used, name: "ban add" } });
  expect((await read(asked.id))["interaction_metadata"]).toEqual({ ...used, ...owners });
  const followUp = await vi.waitFor(
    () => {
      const found = discord.context.world.messages
        .get(discord.rooms.general)
        ?.find((m) => m.content === "And then?");
      expect(found).toBeDefined();
      return found?.id ?? "";
    },
    { timeout: 60_000 },
  );
  expect((await read(followUp))["interaction_metadata"]).toEqual({
    ...used,
    ...owners,
    original_response_message_id: asked.id,
  });

  const more = discord.people.click({ ...moderator, message: asked.id, customId: "more" });
  const told = await read(messageOf(await more.outcome).id);
  const clicked = { type: 3, user, ...owners, interacted_message_id: asked.id };
  expect(told["interaction_metadata"]).toEqual({ id: more.id, ...clicked });
  expect(told).not.toHaveProperty("interaction");

  const opened = discord.people.click({ ...moderator, message: asked.id, customId: "why" });
  const sent = await discord.people.submitModal({ ...moderator, opened, fields: { reason: "spam" } });
  const { interaction_metadata: form } = await read(messageOf(await sent.outcome).id);
  const triggering_interaction_metadata = { id: opened.id, ...clicked };
  expect(form).toEqual({ id: sent.id, type: 5, user, ...owners, triggering_interaction_metadata });
});

test("a menu gives its values, and only those that it has", async () => {
  answer = async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const menu = new StringSelectMenuBuilder().setCustomId("m").addOptions({ label: "One", value: "1" });
      await interaction.reply({
        components: [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu)],
      });
    } else if (interaction.isStringSelectMenu()) {
      await interaction.update({ content: interaction.values.join(), components: [] });
    }
  };
  const { id: message } = messageOf(await addBan({ user: "a" }).outcome);
  expect(() => discord.people.select({ ...moderator, message, customId: "m", values: ["2"] })).toThrow(
    /options/,
  );
  const outcome = await discord.people.select({ ...moderator, message, customId: "m", values: ["1"] })
    .outcome;
  expect(outcome).toMatchObject({ kind: "updated", message: { content: "1" } });
});

test("an interaction that nobody acknowledges has failed, and is unknown from then on", async () => {
  let interaction: Interaction | undefined;
  answer = async (got) => {
    interaction = got;
  };
  expect(await addBan({ user: "a" }).outcome).toEqual({ kind: "failed" });
  now += 501;
  if (!interaction?.isChatInputCommand()) throw new Error("the bot got no command");
  await expect(interaction.reply("late")).rejects.toMatchObject({ code: 10062 });
});

test("acknowledging twice, answering a command with choices, and using a token too early or too late are refused", async () => {
  const asked = addBan({ user: "a" });
  const callback = `/interactions/${asked.id}/${asked.token}/callback`;
  const webhook = `/webhooks/${discord.applicationId}/${asked.token}`;
  const choices = { type: 8, data: { choices: [] } };
  expect(await sendRaw(discord, "POST", callback, choices)).toMatchObject({ body: { code: 50035 } });
  expect(await sendRaw(discord, "POST", webhook, { content: "early" })).toMatchObject({
    body: { code: 10015 },
  });
  expect(await sendRaw(discord, "POST", callback, { type: 4 })).toMatchObject({ body: { code: 50006 } });
  expect(await sendRaw(discord, "POST", callback, { type: 5, data: { flags: 64 } })).toMatchObject({
    status: 204,
  });
  expect(await sendRaw(discord, "POST", callback, { type: 5 })).toMatchObject({ body: { code: 40060 } });
  now += 900_001;
  expect(await sendRaw(discord, "POST", webhook, { content: "late" })).toMatchObject({
    body: { code: 50027 },
  });
});

test("an edit cannot make an answer ephemeral, nor give content to components v2", async () => {
  const asked = addBan({ user: "a" });
  const callback = `/interactions/${asked.id}/${asked.token}/callback`;
  const original = `/webhooks/${discord.applicationId}/${asked.token}/messages/@original`;
  await sendRaw(discord, "POST", callback, {
    type: 4,
    data: { flags: 1 << 15, components: [{ type: 10, content: "t" }] },
  });
  expect(await sendRaw(discord, "PATCH", original, { content: "c" })).toMatchObject({
    body: { code: 50035 },
  });
  expect(await sendRaw(discord, "PATCH", original, { flags: 64 })).toMatchObject({ body: { code: 50035 } });
  expect(await sendRaw(discord, "DELETE", original)).toMatchObject({ status: 204 });
  expect(await sendRaw(discord, "GET", original)).toMatchObject({ body: { code: 10008 } });
});

test("26 choices and a form with a title of 46 are refused", async () => {
  const half = { command: "ban add", options: {}, focused: "user" };
  const typing = discord.people.autocomplete({ ...moderator, ...half });
  const asked = await new Promise<Interaction>((resolve) => {
    answer = async (interaction) => resolve(interaction);
  });
  const choices = Array.from({ length: 26 }, (_, index) => ({ name: `${index}`, value: `${index}` }));
  const path = `/interactions/${asked.id}/${asked.token}/callback`;
  expect(await sendRaw(discord, "POST", path, { type: 8, data: { choices } })).toMatchObject({
    body: { code: 50035 },
  });
  expect(await typing).toEqual([]);
  const command = addBan({ user: "a" });
  const form = {
    custom_id: "f",
    title: "x".repeat(46),
    components: [{ type: 18, label: "l", component: { type: 4, custom_id: "c", style: 1 } }],
  };
  const callback = `/interactions/${command.id}/${command.token}/callback`;
  const refused = await sendRaw(discord, "POST", callback, { type: 9, data: form });
  expect(refused.body.errors).toMatchObject({
    data: { title: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
  });
});
