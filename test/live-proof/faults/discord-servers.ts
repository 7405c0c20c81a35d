import type { Point } from "../fault.ts";

const connect = "test/discord/connect.test.ts";
const feed = "test/commands/feed.test.ts";
const passing = "test/feed/passing-refusals.test.ts";
const rooms = "test/discord/rooms.test.ts";
const servers = "test/discord/servers.test.ts";
const status = "test/commands/status.test.ts";

/** D1 to D4: servers, rooms and the bot's permissions there. */
export const discordServers: readonly Point[] = [
  {
    id: "D1",
    holds:
      "Castellan starts as many shards as Discord recommends. A permanent refusal ends the process with its reason; a temporary one is retried.",
    faults: [
      {
        broken: "one shard for all servers",
        file: "src/discord/connect.ts",
        from: 'shards: "auto",',
        to: "shards: 0,",
        tests: { [connect]: ["as many shards are started as Discord asks for"] },
      },
      {
        broken: "each shard takes the other shards' servers as removed",
        file: "src/discord/watch-servers.ts",
        from: "!heard.presence.has(guildId) && ShardClientUtil.shardIdForGuildId(guildId, shards) === shardId;",
        to: "!heard.presence.has(guildId) && shards > shardId;",
        tests: {
          [servers]: [
            "of several shards each compares its own servers: what another one has is not taken for gone",
          ],
        },
      },
      {
        broken: "Discord's demand for more shards (4011) is an unknown reason",
        file: "src/discord/explain-refusal.ts",
        from: "[GatewayCloseCodes.ShardingRequired]:",
        to: "[GatewayCloseCodes.UnknownError]:",
        tests: { [connect]: ["a gateway that is closed for good with 4011 is an alarm that names the code"] },
      },
      {
        broken: "a temporary login failure ends the attempts at once",
        file: "src/discord/connect.ts",
        from: 'if (failure.code !== "discord_unreachable" || pause === undefined) throw failure;',
        to: "if (failure.code !== undefined || pause === undefined) throw failure;",
        tests: { [connect]: ["what may pass is tried again, each time with a word about it"] },
      },
      {
        broken: "a wrong token counts as temporary, and is retried forever",
        file: "src/discord/explain-refusal.ts",
        from: 'if (isWrongToken(error)) return new AppError("invalid_configuration", wrongToken, { cause });',
        to: 'if (isWrongToken(error)) return new AppError("discord_unreachable", wrongToken, { cause });',
        tests: { [connect]: ["a wrong token is said to be wrong, with what to do"] },
      },
    ],
  },
  {
    id: "D2",
    holds:
      "Data of a server, room or role pauses or ends with it, and resumes if it comes back; an outage is not a removal.",
    faults: [
      {
        broken: "an outage of a server counts as a removal",
        file: "src/discord/watch-servers.ts",
        from: "      if (packet.d.unavailable) return false;\n",
        to: "",
        tests: {
          [servers]: [
            "a server that removes the bot > is another than one with an outage, of which nothing rests",
          ],
        },
      },
      {
        broken: "rules and rooms of a server that removed the bot stay active",
        file: "src/discord/watch-servers.ts",
        from: "heard.presence.set(packet.d.id, false);",
        to: "heard.touched.delete(packet.d.id);",
        tests: {
          [servers]: [
            "a server that removes the bot > rests at once: links suspended, no rule's wish carried out, nothing sent; and lives again when it is back",
          ],
        },
      },
      {
        broken: "changes from while the bot was away are not detected at the start",
        file: "src/discord/watch-servers.ts",
        from: "    await changes.compare(present, concerns);\n",
        to: "",
        tests: {
          [servers]: [
            "a server that removes the bot > is noticed at the next start where it happened meanwhile, and so is its coming back",
          ],
        },
      },
      {
        broken: "posting to a deleted room is retried",
        file: "src/discord/watch-servers.ts",
        from: "      heard.removed.add(packet.d.id);\n",
        to: "",
        tests: { [servers]: ["a room > that is deleted ends its feed with a word, and frees what waited"] },
      },
      {
        broken: "the capabilities of a role outlive the role",
        file: "src/discord/watch-servers.ts",
        from: "    case GatewayDispatchEvents.GuildRoleDelete:\n",
        to: "",
        tests: {
          "test/discord/deleted-roles.test.ts": ["what the holders of a role might do ends with the role"],
        },
      },
      {
        broken: "a thread that is reopened stays paused",
        file: "src/discord/watch-servers.ts",
        from: "    case GatewayDispatchEvents.ThreadUpdate:\n",
        to: "",
        tests: {
          [servers]: [
            "a room > that is a locked thread loses nothing: pending events are posted when it is unlocked",
          ],
          [passing]: [
            "a thread that is archived for good is waited for, and hears of everything when it is opened",
          ],
        },
      },
    ],
  },
  {
    id: "D3",
    holds:
      "Castellan knows its permissions in a room before it posts, from Discord's data. A hidden history does not count as an empty one.",
    faults: [
      {
        broken: "a hidden history counts as empty",
        file: "src/discord/rooms.ts",
        from: 'return after === start && (await isHidden(roomId, start)) ? "hidden" : undefined;',
        to: "return undefined;",
        tests: {
          [rooms]: [
            "looking for what was posted before a crash > tells a history that is not shown from one that holds nothing",
          ],
        },
      },
      {
        broken: "a feed is added where Castellan may not post",
        file: "src/moderation/authorize-server.ts",
        from: "  if (room.botLacks.length > 0) {",
        to: "  if (room.botLacks.length > 99) {",
        tests: {
          [feed]: ["/feed > refuses a room where Castellan may not read and write, and says what it needs"],
        },
      },
      {
        broken: "/status lists no missing permissions",
        file: "commands/status.ts",
        from: "access && access.botLacks.length > 0 ?",
        to: "access && access.botLacks.length > 99 ?",
        tests: {
          [status]: [
            "/status says of a room of a feed that Castellan lacks SendMessages there",
            "/status says of a room of a feed that Castellan lacks ReadMessageHistory there",
          ],
        },
      },
      {
        broken: "the permissions of the command's room are computed, not read from the interaction",
        file: "src/discord/command-context.ts",
        from: 'botLacks: findMissing(appPermissions, kind, "feeding"),',
        to: 'botLacks: guild ? findMissing(ownPermissions(guild, roomId), kind, "feeding") : [],',
        tests: {
          [feed]: [
            "/feed > asks for both in a thread that was archived before Castellan came, of which nothing is known",
          ],
        },
      },
    ],
  },
  {
    id: "D4",
    holds:
      "An edit that costs a message its embeds counts as failed and is repeated; a room without Embed Links is closed.",
    faults: [
      {
        broken: "an edit that lost the text counts as done",
        file: "src/discord/rooms.ts",
        from: "if (body.embeds.length === 0 || embeds.length > 0) return;",
        to: "if (embeds.length >= 0) return;",
        tests: {
          [rooms]: [
            "posting > an edit that costs the message its embeds is no success, and repeated it mends the message",
          ],
        },
      },
      {
        broken: "Embed Links is not required for a room",
        file: "src/discord/room-permissions.ts",
        from: "const postingEmbeds = [...posting, embedding];",
        to: "const postingEmbeds = [...posting];",
        tests: { [status]: ["/status says of a room of a feed that Castellan lacks EmbedLinks there"] },
      },
    ],
  },
];
