import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  EmbedBuilder,
  MessageFlags,
  SlashCommandBuilder,
  type TextChannel,
} from "discord.js";
import { afterAll, expect, test } from "vitest";
import type { Exchange } from "../../support/discord-faults.ts";
import { createDiscordClient, logIn, startTestDiscord } from "../../support/discord.ts";
import { openDiscordDocument } from "../../support/discord-document.ts";

const document = openDiscordDocument();
const exchanges: Exchange[] = [];

afterAll(async () => {
  await client.destroy();
  await discord.stop();
});

const button = new ButtonBuilder().setCustomId("yes").setLabel("Yes").setStyle(ButtonStyle.Danger);
const embed = new EmbedBuilder()
  .setTitle("t")
  .setDescription("d")
  .setColor(0xff0000)
  .setFooter({ text: "#1" });

const discord = await startTestDiscord();
discord.exchanged.listen((exchange) => exchanges.push(exchange));
const client = createDiscordClient(discord, async (interaction) => {
  if (interaction.isAutocomplete()) await interaction.respond([{ name: "one", value: "1" }]);
  if (interaction.isChatInputCommand()) await answer(interaction);
});
await logIn(client);
await tour();

async function answer(interaction: ChatInputCommandInteraction): Promise<void> {
  if (interaction.options.getString("user") === "public") {
    await interaction.reply({ content: "public", withResponse: true });
    return;
  }
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const components = [new ActionRowBuilder<ButtonBuilder>().addComponents(button)];
  await interaction.editReply({ embeds: [embed], components });
  await interaction.fetchReply();
  await interaction.followUp({ content: "more", flags: MessageFlags.Ephemeral });
  await interaction.deleteReply();
}

/** Once over every route that a bot of our kind uses. */
async function tour(): Promise<void> {
  const ban = new SlashCommandBuilder()
    .setName("ban")
    .setDescription("d")
    .addStringOption((user) => user.setName("user").setDescription("d").setAutocomplete(true));
  await client.application?.commands.set([ban]);
  await client.application?.commands.set([ban], discord.guildId);
  await client.application?.commands.fetch();
  const who = { user: "member", room: "general", command: "ban" };
  await discord.people.autocomplete({ ...who, options: { user: "x" }, focused: "user" });
  await discord.people.slash({ ...who, options: { user: "public" } }).outcome;
  await discord.people.slash(who).outcome;
  const room = (await client.channels.fetch(discord.rooms.feed, { force: true })) as TextChannel; // a text room
  const sent = await room.send({ embeds: [embed], files: [{ attachment: Buffer.from("x"), name: "x.txt" }] });
  await sent.edit("edited");
  await room.messages.fetch({ limit: 10 });
  await room.messages.fetch({ message: sent.id, force: true });
  await room.sendTyping();
  await sent.delete();
  const guild = await client.guilds.fetch({ guild: discord.guildId, force: true });
  await guild.members.fetchMe({ force: true });
  await guild.members.list({ limit: 10 });
  await guild.roles.fetch(undefined, { force: true });
  await guild.channels.fetch(undefined, { force: true });
  const person = [...discord.context.world.users.values()].find(({ bot }) => !bot);
  await (await client.users.fetch(person?.id ?? "", { force: true })).send("hello");
}

test.skipIf(document)("Discord's document is not at hand: requests were not held against it", () => {
  expect(document).toBeUndefined();
});

test.runIf(document)("every request of discord.js is one that Discord's document describes", () => {
  expect(exchanges.length).toBeGreaterThan(20);
  expect(exchanges.flatMap((exchange) => document?.request(exchange) ?? [])).toEqual([]);
});

test.runIf(document)("every answer of the stand-in is one that Discord's document describes", () => {
  expect(exchanges.flatMap((exchange) => document?.answer(exchange) ?? [])).toEqual([]);
});

test("nothing in it broke a rule", () => {
  expect(discord.context.violations).toEqual([]);
});
