import type { BotContext } from "../bot-context.ts";
import { AppError } from "../errors.ts";
import { feedKinds } from "../feed/feed-kinds.ts";
import { listFeeds } from "../feed/feeds.ts";
import { languageCodes } from "../languages/languages.ts";
import { findTemplate } from "../feed/notices/templates.ts";
import { settingsColumns, toRoomSettings, usualSettings, type RoomSettings } from "../feed/room-settings.ts";
import { groupBy } from "../group-by.ts";
import { capabilities, listCapabilities } from "../moderation/capabilities.ts";
import { listLinkedChannels } from "../moderation/channel-links.ts";
import { listSavedReasons } from "../moderation/saved-reasons.ts";
import { findTimeZone } from "../moderation/time-zones.ts";
import { listIgnored } from "../reviews/ignored-reporters.ts";
import { findRules, type RulesContext } from "../rules/versions/rules-of-server.ts";
import {
  everyone,
  type ChannelConfig,
  type FeedConfig,
  type RoomConfig,
  type ServerConfig,
} from "./config-file.ts";

/** A feed with its number. */
export type NumberedFeed = FeedConfig & { id: number };

export interface StoredRoom extends RoomConfig {
  feeds: NumberedFeed[];
}

/** A server's whole configuration as it is stored. */
export interface StoredConfig extends ServerConfig {
  timeZone: string;
  channels: ChannelConfig[];
  savedReasons: NonNullable<ServerConfig["savedReasons"]>;
  rooms: StoredRoom[];
  /** By room. A room whose feeds have ended still has its settings, and a new feed there would get them. */
  roomSettings: ReadonlyMap<string, RoomSettings>;
}

/** Throws `not_found` for a server without a link. */
export async function readConfig(context: BotContext & RulesContext, guildId: string): Promise<StoredConfig> {
  const linked = await listLinkedChannels(context, guildId);
  if (linked.length === 0) throw new AppError("not_found", `No channel is linked in the server ${guildId}.`);
  const channels: ChannelConfig[] = [];
  for (const channelId of linked) channels.push(await readChannel(context, guildId, channelId));
  const roomSettings = await readAllRoomSettings(context, guildId);
  return {
    timeZone: await findTimeZone(context.database.query, guildId),
    channels,
    savedReasons: await listSavedReasons(context.database.query, guildId),
    rooms: await readRooms(context, guildId, roomSettings),
    roomSettings,
    rules: (await findRules(context, guildId))?.source,
  };
}

async function readChannel(context: BotContext, guildId: string, channelId: string): Promise<ChannelConfig> {
  const { query } = context.database;
  const grants = await listCapabilities(context, guildId, channelId);
  const ignored = await listIgnored(query, guildId, channelId);
  const found = await findTemplate(query, { guildId, channelId });
  return {
    channelId,
    roles: [...groupBy(grants, ({ roleId }) => roleId)].map(([roleId, given]) => ({
      roleId: roleId === guildId ? everyone : roleId,
      capabilities: capabilities.filter((one) => given.some(({ capability }) => capability === one)),
    })),
    message: found?.template,
    messageLanguage: languageCodes.find((code) => code === found?.locale && code !== "en-US"),
    ignoredReporters: ignored.map(({ user_id }) => user_id),
  };
}

/** Rooms with a feed that has not ended. */
async function readRooms(
  context: BotContext,
  guildId: string,
  roomSettings: StoredConfig["roomSettings"],
): Promise<StoredRoom[]> {
  const feeds = (await listFeeds(context, guildId)).filter(({ ended }) => !ended);
  return [...groupBy(feeds, (feed) => feed.roomId)].map(([roomId, ofRoom]) => ({
    roomId,
    settings: roomSettings.get(roomId) ?? usualSettings,
    feeds: ofRoom.map(({ id, kinds, channelIds, namePattern, peopleOnly }) => ({
      id,
      kinds: feedKinds.filter((kind) => kinds.includes(kind)),
      channelIds,
      namePattern,
      peopleOnly,
    })),
  }));
}

async function readAllRoomSettings(
  { database }: BotContext,
  guildId: string,
): Promise<StoredConfig["roomSettings"]> {
  const rows = await database.query
    .selectFrom("castellan.room_queues")
    .select(["room_id", ...settingsColumns])
    .where("guild_id", "=", guildId)
    .execute();
  return new Map(rows.map((row) => [row.room_id, toRoomSettings(row)]));
}
