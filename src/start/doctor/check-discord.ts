import type { Config } from "../../config.ts";
import type { Database } from "../../database/database.ts";
import { asAppError } from "../../errors.ts";
import { countUnshown } from "../../feed/deliver/unshown.ts";
import { amount } from "../../text/amount.ts";
import { inviteLink, type DiscordReader } from "./discord-rest.ts";
import { ok, unknown, wrong, type Finding } from "./finding.ts";

/** Whether Discord accepts the token, which application it belongs to, and whether the bot is in any server. */
export async function checkDiscord(
  { DISCORD_APPLICATION }: Pick<Config, "DISCORD_APPLICATION">,
  discord: DiscordReader,
): Promise<Finding> {
  try {
    const { id, name, approximate_guild_count: servers } = await discord.application();
    if (DISCORD_APPLICATION !== undefined && DISCORD_APPLICATION !== id) {
      return wrong(
        "Discord",
        `The token belongs to another application, ${name} (${id}), not to the one that was set up (${DISCORD_APPLICATION}).`,
        "Put back the token of that application, or run castellan setup for this one.",
      );
    }
    if (servers === 0) {
      return wrong("Discord", `${name} is not in any server.`, `Open this link: ${inviteLink(id)}`);
    }
    const where = servers === undefined ? "" : `, in ${amount(servers, "server")}`;
    return ok("Discord", `accepts ${name} (${id})${where}`);
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    const fix =
      known.code === "invalid_configuration"
        ? "Run castellan setup. It asks for the token and keeps the other answers."
        : "Check whether this machine can reach discord.com, and the value of DISCORD_API.";
    return wrong("Discord", known.message, fix);
  }
}

/** Maximum number of servers whose rooms are checked individually; the others are reported from their last known state. */
const maxServers = 10;

interface RoomRow {
  guild_id: string;
  room_id: string;
  mention_role: string | null;
  paused_since_ms: number | null;
  error: string | null;
}

/** The bot's permissions in rooms with a feed. If there are many servers, those whose rooms do not work are checked first. */
export async function checkRooms(
  database: Pick<Database, "query">,
  discord: DiscordReader,
): Promise<Finding[]> {
  const rooms: RoomRow[] = await database.query
    .selectFrom("castellan.feeds as feed")
    .innerJoin("castellan.room_queues as queue", "queue.room_id", "feed.room_id")
    .select(["feed.guild_id", "feed.room_id", "queue.mention_role", "queue.paused_since_ms", "queue.error"])
    .distinct()
    .where("feed.ended_at_ms", "is", null)
    .orderBy("feed.guild_id")
    .orderBy("feed.room_id")
    .execute();
  const paused = rooms.filter(({ paused_since_ms }) => paused_since_ms !== null);
  const servers = [...new Set([...paused, ...rooms].map(({ guild_id }) => guild_id))];
  const asked = new Set(servers.slice(0, maxServers));
  const findings = [...(await countUnshown(database))].map(([roomId, count]) =>
    wrong(
      `Room ${roomId}`,
      `${amount(count, "event")} could not be shown.`,
      "The log has the cause. A newer version may know these events.",
    ),
  );
  // One server after the other, so that data shared by its rooms is read once.
  for (const room of rooms.filter(({ guild_id }) => asked.has(guild_id))) {
    findings.push(...(await checkRoom(discord, room)));
  }
  const others = servers.length - asked.size;
  if (others === 0) return findings;
  const lost = paused.filter(({ guild_id }) => !asked.has(guild_id));
  const told = lost.map(({ room_id, error }) =>
    wrong(`Room ${room_id}`, `last checked: ${error ?? "it is gone"}`, "/status in its server says more."),
  );
  const rest = ok(
    "Rooms",
    `those of ${amount(others, "other server")} were not checked; ${lost.length} of them are paused`,
  );
  return [...findings, ...told, rest];
}

async function checkRoom(
  discord: DiscordReader,
  { guild_id: guildId, room_id: roomId, mention_role: role }: RoomRow,
): Promise<Finding[]> {
  const part = `Room ${roomId}`;
  try {
    const lacks = await discord.lacksIn(guildId, roomId);
    if (lacks === undefined) {
      const fix = "Give Castellan View Channel there, or end the feed with /feed remove.";
      return [wrong(part, "is gone, or Castellan cannot see it.", fix)];
    }
    const names = lacks.join(", ");
    const silent = role === null ? undefined : await discord.silentMentionIn(guildId, roomId, role);
    return [
      lacks.length === 0
        ? ok(part, "all permissions")
        : wrong(part, `lacks ${names}.`, `In the room's settings, Permissions, allow Castellan ${names}.`),
      ...(silent
        ? [wrong(part, `A mention of role ${role} notifies nobody, because ${silent.why}.`, silent.fix)]
        : []),
    ];
  } catch (error) {
    const known = asAppError(error);
    if (!known) throw error;
    if (known.code === "not_found") {
      const fix = "Invite the bot again (castellan setup prints the link), or unlink the server's channels.";
      return [wrong(part, `Castellan is not in its server (${guildId}).`, fix)];
    }
    return [unknown(part, known.message)];
  }
}
