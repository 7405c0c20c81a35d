import { PermissionFlagsBits } from "discord.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commands, menuCommands } from "../../commands/index.ts";
import { connectDiscord, type DiscordConnection } from "../../src/discord/connect.ts";
import type { Command } from "../../src/discord/command.ts";
import { de } from "../../src/languages/de.ts";
import { es } from "../../src/languages/es.ts";
import { openDiscordDocument } from "../support/discord-document.ts";
import { startTestDiscord, type TestDiscord, testToken } from "../support/discord.ts";
import { collectLog } from "../support/log.ts";
import { silentRooms, type World } from "../support/world.ts";
import { useEmptyWorld } from "../support/test-cases.ts";

const document = openDiscordDocument();

let discord: TestDiscord;
let connection: DiscordConnection | undefined;
let deployments: number;

const bot = await useEmptyWorld();
beforeEach(async () => {
  discord = await startTestDiscord();
  deployments = 0;
  discord.exchanged.listen(({ method, path }) => {
    if (method === "PUT" && path.endsWith("/commands")) deployments += 1;
  });
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await discord.stop();
});

async function connect(
  list: readonly Command[] = commands,
  {
    log = bot.log,
    compareEvery,
    menus = [],
  }: { log?: World["log"]; compareEvery?: number; menus?: typeof menuCommands } = {},
): Promise<void> {
  await connection?.close();
  const settings = { token: testToken, api: discord.api, onRefused: () => {} };
  connection = await connectDiscord(
    { ...bot, log, rooms: silentRooms, commands: list, menuCommands: menus },
    { ...settings, ...(compareEvery !== undefined && { compareEvery }) },
  );
}
const present = () => discord.context.world.commands.get("global") ?? [];

test("deploys the commands once, and again only when they changed", async () => {
  await connect();
  await connect();
  expect(deployments).toBe(1);
  await connect(commands.slice(1));
  expect(deployments).toBe(2);
  expect(discord.context.violations).toEqual([]);
});

test("commands that somebody else deleted or changed come back at the next start", async () => {
  await connect();
  discord.dropCommands();
  await connect();
  expect(present()).toHaveLength(commands.length);
  expect(deployments).toBe(2);
  const changes = [
    { description: "Something else" },
    { defaultMemberPermissions: null },
    { name: "another" },
  ];
  for (const [index, change] of changes.entries()) {
    const fetched = await connection?.client.application.commands.fetch();
    await fetched?.find(({ name }) => name === "ban")?.edit(change);
    await connect();
    expect(deployments).toBe(3 + index);
  }
  expect(present().map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
});

test("commands in menus are deployed beside those of the same name, and come back when they were changed", async () => {
  await connect(commands, { menus: menuCommands });
  expect(present().map(({ name }) => name)).toEqual([...commands, ...menuCommands].map(({ name }) => name));
  expect(present().filter(({ name }) => name === "Who")).toHaveLength(2);
  await connect(commands, { menus: menuCommands });
  expect(deployments).toBe(1);
  const fetched = await connection?.client.application.commands.fetch();
  await fetched?.find(({ name }) => name === "Ban author")?.edit({ defaultMemberPermissions: null });
  await connect(commands, { menus: menuCommands });
  expect(deployments).toBe(2);
  expect(discord.context.violations).toEqual([]);
});

test("texts in other languages are deployed, and come back when somebody else changed one", async () => {
  await connect(commands, { menus: menuCommands });
  const report = () => present().find(({ name }) => name === "report");
  expect(JSON.stringify(report())).toContain(
    JSON.stringify({ "es-ES": es.descriptions["report:cast"] }).slice(1, -1),
  );
  expect(present().find(({ name }) => name === "Report")).toMatchObject({
    name_localizations: { de: "Der Moderation melden" },
  });
  await connect(commands, { menus: menuCommands });
  expect(deployments).toBe(1);
  const fetched = await connection?.client.application.commands.fetch({ withLocalizations: true });
  await fetched?.find(({ name }) => name === "report")?.edit({ descriptionLocalizations: { de: "Anders" } });
  expect(report()).toHaveProperty("description_localizations", { de: "Anders" });
  await connect(commands, { menus: menuCommands });
  expect(deployments).toBe(2);
  expect(report()).toHaveProperty("description_localizations.de", de.descriptions.report);
  expect(discord.context.violations).toEqual([]);
});

test.runIf(document)("the deployment is what Discord's document describes", async () => {
  const faults: string[] = [];
  discord.exchanged.listen((exchange) => {
    if (exchange.method === "PUT") faults.push(...(document?.closedRequest(exchange) ?? []));
  });
  await connect(commands, { menus: menuCommands });
  expect(deployments).toBe(1);
  // The document calls permissions numbers. Discord's guide has them as text, because they exceed what a number holds.
  expect(faults.filter((fault) => !fault.includes("default_member_permissions"))).toEqual([]);
});

test("Discord's own command of an application with Activities stays, and is no reason to deploy again", async () => {
  await connect();
  const launch = { type: 4, name: "launch", description: "", handler: 2 } as const;
  const stored = { ...launch, id: "1", version: "1" };
  discord.context.record({ kind: "commands", scope: "global", commands: [...present(), stored] });
  await connect();
  expect(deployments).toBe(1);
  await connect(commands.slice(1));
  expect(deployments).toBe(2);
  expect(present().at(-1)).toMatchObject({ type: 4, name: "launch", handler: 2 });
  expect(discord.context.violations).toEqual([]);
});

test("commands that vanish while the bot runs are back soon, with a word in the log", async () => {
  const { log, lines } = collectLog();
  await connect(commands, { log, compareEvery: 100 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(deployments).toBe(1);
  discord.dropCommands();
  await expect.poll(() => present().length).toBe(commands.length);
  await expect.poll(() => lines.map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/^restored/));
});

test("Discord offers ordinary members what they can use, and the server decides otherwise", async () => {
  await connect();
  discord.setCommandAccess(discord.guildId, []);
  const manager = { name: "Manager", permissions: PermissionFlagsBits.ManageGuild };
  discord.addRole(discord.guildId, manager, [idOf("member")]);
  const offered = (user: string) =>
    commands
      .filter((command) => {
        const [first] = "subcommands" in command ? Object.keys(command.subcommands) : [];
        try {
          const typed = first === undefined ? command.name : `${command.name} ${first}`;
          discord.people.slash({ user, room: "general", command: typed });
          return true;
        } catch (error) {
          return !/no command/.test(String(error));
        }
      })
      .map(({ name }) => name);
  const all = commands.map(({ name }) => name);
  expect(offered("stranger")).toEqual(["appeal", "report", "help"]);
  expect(offered("member")).toEqual(["appeal", "report", "setup", "help"]);
  expect(offered("moderator")).toEqual(all.filter((name) => name !== "setup"));
  expect(offered("owner")).toEqual(all);
  discord.setCommandAccess(discord.guildId, [{ holderId: discord.guildId, isAllowed: true }]);
  expect(offered("stranger")).toEqual(all);
});

test("each command and menu is offered by one permission of Discord's", async () => {
  await connect(commands, { menus: menuCommands });
  const offeredBy = (permission: bigint | null) =>
    present()
      .filter((one) => one.default_member_permissions === (permission === null ? null : String(permission)))
      .map(({ name }) => name);
  const toEverybody = ["report", "appeal", "help", "Report"];
  expect(offeredBy(null).toSorted()).toEqual(toEverybody.toSorted());
  expect(offeredBy(PermissionFlagsBits.ManageGuild)).toEqual(["setup"]);
  const others = present()
    .map(({ name }) => name)
    .filter((name) => ![...toEverybody, "setup"].includes(name));
  expect(offeredBy(PermissionFlagsBits.ModerateMembers)).toEqual(others);
});

function idOf(name: string): string {
  return [...discord.context.world.users.values()].find(({ username }) => username === name)?.id ?? "";
}
