import { once } from "node:events";
import { type Client, Events, PermissionFlagsBits } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CommandAccess } from "../../../src/sandbox/discord/world/world.ts";
import {
  createDiscordClient,
  logIn,
  sendRaw,
  startTestDiscord,
  type TestDiscord,
} from "../../support/discord.ts";

let discord: TestDiscord;
let client: Client;

beforeEach(async () => {
  discord = await startTestDiscord();
  client = createDiscordClient(discord);
  await logIn(client);
});

afterEach(async () => {
  await client.destroy();
  await discord.stop();
});

const guild = () => client.guilds.cache.get(discord.guildId);
const userNamed = (name: string) =>
  [...discord.context.world.users.values()].find(({ username }) => username === name)?.id ?? "";
const post = (room: string, body: object = { content: "x" }) =>
  sendRaw(discord, "POST", `/channels/${room}/messages`, body);

test("what a role may do changes, and so does which roles the bot has", async () => {
  const { feed } = discord.rooms;
  const changed = once(client, Events.GuildRoleUpdate);
  discord.changeRole(discord.guildId, discord.guildId, PermissionFlagsBits.ViewChannel);
  await changed;
  // The bot's own role still lets it.
  expect((await post(feed)).status).toBe(200);
  const updated = once(client, Events.GuildMemberUpdate);
  discord.setRoles(discord.guildId, discord.applicationId, []);
  await updated;
  expect(guild()?.members.me?.permissions.has(PermissionFlagsBits.SendMessages)).toBe(false);
  expect((await post(feed)).body.code).toBe(50013);
});

test("a thread of a room that the bot does not see is silent, and comes back with the room", async () => {
  const { feed } = discord.rooms;
  const thread = discord.addThread(feed, "a talk");
  await expect.poll(() => client.channels.cache.has(thread)).toBe(true);
  const heard: string[] = [];
  client.on(Events.Raw, ({ t }: { t: string }) => heard.push(t));
  discord.denyBot(feed, ["ViewChannel"]);
  discord.changeThread(thread, { locked: true });
  const back = once(client, Events.ThreadListSync);
  discord.denyBot(feed, []);
  await back;
  expect(heard).toEqual(["CHANNEL_UPDATE", "CHANNEL_UPDATE", "THREAD_LIST_SYNC"]);
  expect(client.channels.cache.get(thread)).toMatchObject({ locked: true });
});

const held = PermissionFlagsBits.ModerateMembers;

test.each<[string, (of: { everybody: string; helper: string; member: string }) => CommandAccess[], string[]]>(
  [
    ["nothing", () => [], ["owner", "moderator"]],
    [
      "opened to all",
      ({ everybody }) => [{ holderId: everybody, isAllowed: true }],
      ["owner", "moderator", "member", "stranger"],
    ],
    [
      "opened to a person",
      ({ member }) => [{ holderId: member, isAllowed: true }],
      ["owner", "moderator", "member"],
    ],
    [
      "opened to all, but this one to a role alone",
      ({ everybody, helper }) => [
        { holderId: everybody, isAllowed: true },
        { holderId: everybody, command: "ping", isAllowed: false },
        { holderId: helper, command: "ping", isAllowed: true },
      ],
      ["owner", "stranger"],
    ],
  ],
)(
  "a command that needs a permission is offered to those who have it, and as the server says: %s",
  async (_, access, offered) => {
    await client.application?.commands.set([
      { name: "ping", description: "d", defaultMemberPermissions: held },
    ]);
    const helper = discord.addRole(discord.guildId, { name: "Helper" }, [userNamed("stranger")]);
    discord.setCommandAccess(
      discord.guildId,
      access({ everybody: discord.guildId, helper, member: userNamed("member") }),
    );
    const may = (user: string) => {
      try {
        discord.people.slash({ user, room: "feed", command: "ping" });
        return true;
      } catch (error) {
        if (String(error).includes("no command /ping")) return false;
        throw error;
      }
    };
    expect(["owner", "moderator", "member", "stranger"].filter(may)).toEqual(offered);
  },
);
