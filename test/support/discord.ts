import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { systemClock } from "../../src/clock.ts";
import { silentLog } from "../../src/log.ts";
import { type Discord, type DiscordOptions, startDiscord } from "../../src/sandbox/discord/start-discord.ts";

export const testToken = "test-bot-token";

/** People, roles and rooms that suit most tests. */
export const testWorld = {
  people: [
    { username: "owner", displayName: "Olga Owner" },
    { username: "moderator", displayName: "Mona Moderator", roles: ["Moderator"] },
    { username: "member", displayName: "Milo Member" },
    { username: "stranger", displayName: "Sam Stranger" },
  ],
  guilds: [
    {
      name: "Test Guild",
      owner: "owner",
      roles: [
        {
          name: "Moderator",
          permissions: PermissionFlagsBits.ModerateMembers | PermissionFlagsBits.ManageMessages,
        },
      ],
      rooms: [{ name: "general" }, { name: "mod-log" }, { name: "feed" }],
    },
  ],
} satisfies Pick<DiscordOptions, "people" | "guilds">;

export interface TestDiscord extends Discord {
  guildId: string;
  /** Room ids by name. */
  rooms: Record<"general" | "mod-log" | "feed", string>;
  /** Where it keeps its state; starting again with it goes on where the first ended. */
  file: string;
  /** Stops it and leaves its file, for another start. */
  stopServer: () => Promise<void>;
}

/** A local Discord on a free port with owner, moderator, member and stranger; stops and cleans up by `stop()`. */
export async function startTestDiscord(options: Partial<DiscordOptions> = {}): Promise<TestDiscord> {
  const directory = options.file === undefined ? await mkdtemp(join(tmpdir(), "castellan-discord-")) : null;
  const file = options.file ?? join(directory ?? "", "discord.jsonl");
  const discord = await startDiscord({
    host: "127.0.0.1",
    port: 0,
    token: testToken,
    clock: systemClock,
    log: silentLog,
    ...testWorld,
    ...options,
    file,
  });
  const roomId = (name: string) =>
    [...discord.context.world.rooms.values()].find((room) => room.name === name)?.id ?? "";
  return {
    ...discord,
    file,
    stopServer: discord.stop,
    guildId: discord.context.world.guilds.keys().next().value ?? "",
    rooms: { general: roomId("general"), "mod-log": roomId("mod-log"), feed: roomId("feed") },
    async stop() {
      await discord.stop();
      if (directory) await rm(directory, { recursive: true });
    },
  };
}
