import { isDeepStrictEqual } from "node:util";
import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { afterCommit } from "../database/transactions.ts";
import { deleteFeed, describeScope, insertFeed } from "../feed/feeds.ts";
import { languageNames } from "../languages/languages.ts";
import { removeTemplate, saveTemplate } from "../feed/notices/templates.ts";
import { listRoomChanges, storeRoomSettings, usualSettings } from "../feed/room-settings.ts";
import { giveCapabilities, takeCapabilities } from "../moderation/capabilities.ts";
import { removeSavedReason, saveReason } from "../moderation/saved-reasons.ts";
import { saveTimeZone } from "../moderation/time-zones.ts";
import type { SetupChange } from "../observe/setup-changes.ts";
import { ignoreReporter, unignoreReporter } from "../reviews/ignored-reporters.ts";
import { formatExactDuration } from "../text/duration.ts";
import { operator } from "../text/show-doer.ts";
import {
  everyone,
  type ChannelConfig,
  type FeedConfig,
  type RoomConfig,
  type ServerConfig,
} from "./config-file.ts";
import type { NumberedFeed, StoredConfig } from "./read-config.ts";

/** One difference between the file and what is stored. */
export interface Change {
  /** How it is shown before it is made. */
  line: string;
  /** How it is recorded. */
  record: Omit<SetupChange, "guildId" | "userId">;
  make: (tx: Tx) => Promise<unknown>;
}

/** Where the changes are made. */
type Place = Pick<BotContext, "clock" | "wake"> & { guildId: string };

/** What a file changes besides the rules, in the order in which it must be made. */
export function compareConfig(place: Place, stored: StoredConfig, config: ServerConfig): Change[] {
  return [
    ...(config.channels ?? []).flatMap((channel) => compareChannel(place, stored, channel)),
    ...compareTimeZone(place, stored, config),
    ...compareReasons(place, stored, config),
    ...compareRooms(place, stored, config),
  ];
}

function compareChannel(place: Place, stored: StoredConfig, after: ChannelConfig): Change[] {
  const before = stored.channels.find(({ channelId }) => channelId === after.channelId);
  if (!before) return [];
  return [
    ...compareRoles(place, before, after),
    ...compareMessages(place, before, after),
    ...compareIgnored(place, before, after),
  ];
}

function compareRoles({ guildId }: Place, before: ChannelConfig, after: ChannelConfig): Change[] {
  const { channelId } = after;
  const named = new Set([...before.roles, ...after.roles].map(({ roleId }) => roleId));
  return [...named].flatMap((role) => {
    const old = before.roles.find(({ roleId }) => roleId === role)?.capabilities ?? [];
    const now = after.roles.find(({ roleId }) => roleId === role)?.capabilities ?? [];
    const given = now.filter((one) => !old.includes(one));
    const taken = old.filter((one) => !now.includes(one));
    if (given.length + taken.length === 0) return [];
    const [roleId, shown] = role === everyone ? [guildId, everyone] : [role, `<@&${role}>`];
    const grant = { guildId, channelId, roleId };
    const list = [
      ...(taken.length > 0 ? [`took ${taken.join(", ")} from`] : []),
      ...(given.length > 0 ? [`gave ${given.join(", ")} to`] : []),
    ];
    const signs = [...given.map((one) => `+${one}`), ...taken.map((one) => `-${one}`)];
    return [
      {
        line: `~ /${channelId}: role ${role}: ${signs.join(" ")}`,
        record: { kind: "capabilities", channelId, what: `${list.join(" and ")} ${shown} in /${channelId}` },
        make: async (tx) => {
          if (taken.length > 0) await takeCapabilities(tx, { ...grant, capabilities: taken });
          if (given.length > 0) await giveCapabilities(tx, { ...grant, capabilities: given });
        },
      } satisfies Change,
    ];
  });
}

function compareMessages(place: Place, before: ChannelConfig, after: ChannelConfig): Change[] {
  const { guildId, clock } = place;
  const { channelId, message, messageLanguage: locale = "en-US" } = after;
  const isSameLanguage = message === undefined || (before.messageLanguage ?? "en-US") === locale;
  if (before.message === message && isSameLanguage) return [];
  const sign = message === undefined ? "-" : before.message === undefined ? "+" : "~";
  const did = message === undefined ? "turned off" : "set";
  const inLanguage = locale === "en-US" ? "" : ` (${languageNames[locale]})`;
  const of = "the message to banned people and authors of hidden casts";
  return [
    {
      line: `${sign} /${channelId}: ${of}${message === undefined ? "" : `: ${JSON.stringify(message)}${inLanguage}`}`,
      record: { kind: "links", channelId, what: `${did} ${of} in /${channelId}` },
      make: (tx) =>
        message === undefined
          ? removeTemplate(tx, { guildId, channelId }, clock.now())
          : saveTemplate(place, tx, { guildId, channelId }, { template: message, locale, userId: operator }),
    },
  ];
}

function compareIgnored(place: Place, before: ChannelConfig, after: ChannelConfig): Change[] {
  const { guildId, clock } = place;
  const { channelId } = after;
  const change = (sign: string, userId: string, did: string, make: Change["make"]): Change => ({
    line: `${sign} /${channelId}: ignored reporter ${userId}`,
    record: { kind: "links", channelId, what: `${did} of <@${userId}> in /${channelId}` },
    make,
  });
  const missing = (ids: readonly string[], others: readonly string[]) =>
    ids.filter((id) => !others.includes(id));
  return [
    ...missing(after.ignoredReporters, before.ignoredReporters).map((userId) =>
      change("+", userId, "ignores the reports", (tx) =>
        ignoreReporter(tx, clock, { guildId, channelId, userId }, operator),
      ),
    ),
    ...missing(before.ignoredReporters, after.ignoredReporters).map((userId) =>
      change("-", userId, "accepts the reports", (tx) =>
        unignoreReporter(tx, { guildId, channelId, userId }),
      ),
    ),
  ];
}

function compareTimeZone({ guildId }: Place, stored: StoredConfig, { timeZone }: ServerConfig): Change[] {
  if (timeZone === undefined || timeZone === stored.timeZone) return [];
  return [
    {
      line: `~ time zone ${timeZone}`,
      record: { kind: "links", what: `set the server's time zone to ${timeZone}` },
      make: (tx) => saveTimeZone(tx, guildId, timeZone),
    },
  ];
}

/** The record of a saved reason does not quote it. */
function compareReasons({ guildId }: Place, stored: StoredConfig, { savedReasons }: ServerConfig): Change[] {
  if (!savedReasons) return [];
  const record = (did: string) => ({ kind: "links" as const, what: `${did} a saved reason` });
  const removed = stored.savedReasons.filter(
    ({ reason }) => !savedReasons.some((one) => one.reason === reason),
  );
  const saved = savedReasons.filter((one) => !stored.savedReasons.some((old) => isDeepStrictEqual(old, one)));
  return [
    // First, because a server has room for only some.
    ...removed.map(({ reason }) => ({
      line: `- saved reason ${JSON.stringify(reason)}`,
      record: record("removed"),
      make: (tx: Tx) => removeSavedReason(tx, guildId, reason),
    })),
    ...saved.map((one) => {
      const isNew = !stored.savedReasons.some(({ reason }) => reason === one.reason);
      const ban = one.forSeconds === null ? "" : ` (ban ${formatExactDuration(one.forSeconds)})`;
      return {
        line: `${isNew ? "+" : "~"} saved reason ${JSON.stringify(one.reason)}${ban}`,
        record: record(isNew ? "added" : "changed"),
        make: (tx: Tx) => saveReason(tx, guildId, one),
      };
    }),
  ];
}

function compareRooms(place: Place, stored: StoredConfig, { rooms }: ServerConfig): Change[] {
  if (!rooms) return [];
  const gone = stored.rooms.filter(({ roomId }) => !rooms.some((room) => room.roomId === roomId));
  return [
    ...rooms.flatMap((room) => compareRoom(place, stored, room)),
    ...gone.flatMap(({ roomId, feeds }) => feeds.map((feed) => endFeed(place, roomId, feed))),
  ];
}

/** What a file adds to a room, and what it ends there. */
export function compareRoomWith(stored: StoredConfig, { roomId, settings, feeds }: RoomConfig) {
  const isSame = ({ kinds, channelIds, namePattern, peopleOnly }: FeedConfig, other: FeedConfig) =>
    isDeepStrictEqual(
      [kinds, channelIds, namePattern, peopleOnly],
      [other.kinds, other.channelIds, other.namePattern, other.peopleOnly],
    );
  const before = stored.rooms.find((room) => room.roomId === roomId)?.feeds ?? [];
  return {
    added: feeds.filter((feed) => !before.some((one) => isSame(one, feed))),
    ended: before.filter((feed) => !feeds.some((one) => isSame(one, feed))),
    settled: listRoomChanges(stored.roomSettings.get(roomId) ?? usualSettings, settings),
  };
}

function compareRoom(place: Place, stored: StoredConfig, room: RoomConfig): Change[] {
  const { roomId } = room;
  const { added, ended, settled } = compareRoomWith(stored, room);
  return [
    // First, because messages that wait are dropped with a room's last feed.
    ...added.map((feed) => addFeed(place, roomId, feed)),
    ...ended.map((feed) => endFeed(place, roomId, feed)),
    ...(settled.length > 0 ? [changeSettings(place, room, settled)] : []),
  ];
}

function addFeed(place: Place, roomId: string, feed: FeedConfig): Change {
  const { guildId } = place;
  const scope = describeScope(feed);
  return {
    line: `+ room ${roomId}: ${scope}${describePattern(feed)}`,
    record: { kind: "feeds", what: `added a feed to <#${roomId}>: ${scope}` },
    make: (tx) => insertFeed(place, tx, { ...feed, guildId, roomId, createdBy: operator }),
  };
}

function endFeed({ guildId }: Place, roomId: string, feed: NumberedFeed): Change {
  return {
    line: `- room ${roomId}: ${describeScope(feed)}${describePattern(feed)}`,
    record: { kind: "feeds", what: `ended feed ${feed.id} of <#${roomId}>` },
    make: (tx) => deleteFeed(tx, guildId, feed.id),
  };
}

/** Only for the operator: records do not quote a pattern. */
function describePattern({ namePattern }: FeedConfig): string {
  return namePattern === null ? "" : `, pattern ${JSON.stringify(namePattern)}`;
}

function changeSettings(place: Place, { roomId, settings }: RoomConfig, changes: readonly string[]): Change {
  const { guildId, clock, wake } = place;
  return {
    line: `~ room ${roomId}: ${changes.join(", ")}`,
    record: { kind: "feeds", what: `changed the settings of <#${roomId}>: ${changes.join("; ")}` },
    make: async (tx) => {
      await storeRoomSettings(tx, { guildId, roomId, nowMs: clock.now() }, settings);
      afterCommit(() => void wake("deliver-feed", roomId));
    },
  };
}
