import type { BotContext } from "../bot-context.ts";
import type { Tx } from "../database/database.ts";
import { AppError } from "../errors.ts";
import { languageNames, readLanguage, type Language } from "../languages/languages.ts";
import { recordSetupChange } from "../observe/setup-changes.ts";
import { escapeText } from "../text/message-text.ts";
import { readTimeZone, toLocal } from "../text/time-zone.ts";
import type { FeedKind } from "./feed-kinds.ts";
import { requestUnsentEdits } from "./request-edits.ts";

/** How a room receives posts, for all of its feeds together. */
export interface RoomSettings {
  /** A Discord role, and the kinds that mention it. */
  mention: { role: string; kinds: FeedKind[] } | null;
  /** Interval of digests for anything that is not urgent, in seconds. */
  digestSeconds: number | null;
  quiet: QuietHours | null;
  /** Of its posts. */
  language: Language;
  /** Its posts are for a community, not for moderators (render/readers.ts). */
  forReaders: boolean;
}

/** Those of a new room. */
export const usualSettings: RoomSettings = {
  mention: null,
  digestSeconds: null,
  quiet: null,
  language: "en-US",
  forReaders: false,
};

/** Only urgent posts go out, and nobody is mentioned: minutes of the day in a time zone. */
export interface QuietHours {
  from: number;
  until: number;
  /** IANA name: "Europe/Berlin". */
  zone: string;
}

/** The minimum interval between mentions in a room, in milliseconds. */
export const mentionPause = 5 * 60_000;

interface SettingsRow {
  mention_role: string | null;
  mention_kinds: string[];
  digest_seconds: number | null;
  quiet_from: number | null;
  quiet_until: number | null;
  quiet_zone: string | null;
  locale: string;
  for_readers: boolean;
}

export const settingsColumns = [
  "mention_role",
  "mention_kinds",
  "digest_seconds",
  "quiet_from",
  "quiet_until",
  "quiet_zone",
  "locale",
  "for_readers",
] as const;

export function toRoomSettings(row: SettingsRow): RoomSettings {
  const { mention_role: role, quiet_from: from, quiet_until: until, quiet_zone: zone } = row;
  const kinds = row.mention_kinds as FeedKind[]; // written by saveRoomSettings
  return {
    mention: role === null ? null : { role, kinds },
    digestSeconds: row.digest_seconds,
    quiet: from === null || until === null || zone === null ? null : { from, until, zone },
    language: readLanguage(row.locale),
    forReaders: row.for_readers,
  };
}

export async function readRoomSettings(
  { database }: BotContext,
  guildId: string,
  roomId: string,
): Promise<RoomSettings | undefined> {
  const row = await database.query
    .selectFrom("castellan.room_queues")
    .select(settingsColumns)
    .where("room_id", "=", roomId)
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
  return row && toRoomSettings(row);
}

/** Restarts digests and quiet hours: waiting items go out at once, later ones by the new settings. `what` describes it. */
export async function saveRoomSettings(
  context: BotContext,
  { guildId, userId, roomId, what }: { guildId: string; userId: string; roomId: string; what: string },
  settings: RoomSettings,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    await storeRoomSettings(tx, { guildId, roomId, nowMs: context.clock.now() }, settings);
    await recordSetupChange(context, tx, { guildId, kind: "feeds", userId, what });
  });
  await context.wake("deliver-feed", roomId);
}

/** The same without a record of who did it; wake the room's delivery afterwards. */
export async function storeRoomSettings(
  tx: Tx,
  { guildId, roomId, nowMs }: { guildId: string; roomId: string; nowMs: number },
  { mention, digestSeconds, quiet, language, forReaders }: RoomSettings,
): Promise<void> {
  const before = await tx
    .selectFrom("castellan.room_queues")
    .select("for_readers")
    .where("room_id", "=", roomId)
    .where("guild_id", "=", guildId)
    .forUpdate()
    .executeTakeFirst();
  await tx
    .updateTable("castellan.room_queues")
    .set({
      mention_role: mention?.role ?? null,
      mention_kinds: mention?.kinds ?? [],
      digest_seconds: digestSeconds,
      quiet_from: quiet?.from ?? null,
      quiet_until: quiet?.until ?? null,
      quiet_zone: quiet?.zone ?? null,
      locale: language,
      for_readers: forReaders,
      held_until_ms: 0,
    })
    .where("room_id", "=", roomId)
    .where("guild_id", "=", guildId)
    .execute();
  if (before && before.for_readers !== forReaders) await requestUnsentEdits(tx, roomId, nowMs);
}

/** Reads "22:00-07:00" and a time zone. Throws `invalid_input`. */
export function readQuietHours(typed: string, zone: string): QuietHours {
  const found = /^(\d{1,2}):(\d{2})\s*(?:-|–|to)\s*(\d{1,2}):(\d{2})$/.exec(typed.trim());
  const [fromHour = 24, fromMinute = 0, untilHour = 24, untilMinute = 0] = (found ?? []).slice(1).map(Number);
  const [from, until] = [fromHour * 60 + fromMinute, untilHour * 60 + untilMinute];
  const isTime = fromHour < 24 && untilHour < 24 && fromMinute < 60 && untilMinute < 60 && from !== until;
  if (!isTime) throw new AppError("invalid_input", 'Write the quiet hours as "22:00-07:00", or "off".');
  return { from, until, zone: readTimeZone(zone) };
}

/** A minute of the day as "07:00". */
export function showMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** "22:00-07:00", as `readQuietHours` reads it. */
export function showHours({ from, until }: QuietHours): string {
  return `${showMinute(from)}-${showMinute(until)}`;
}

/** "from 22:00 to 07:00 (Europe/Berlin)" */
export function describeQuietHours({ from, until, zone }: QuietHours): string {
  return `from ${showMinute(from)} to ${showMinute(until)} (${escapeText(zone)})`;
}

/** What changes, for the audit log; nothing if the settings are the same. */
export function listRoomChanges(before: RoomSettings, after: RoomSettings): string[] {
  const changed = (one: unknown, other: unknown, words: string) =>
    JSON.stringify(one) === JSON.stringify(other) ? [] : [words];
  const { mention, digestSeconds, quiet, language, forReaders } = after;
  return [
    ...changed(
      before.mention,
      mention,
      mention ? `mentions <@&${mention.role}> for ${mention.kinds.join(", ")}` : "mentions nobody",
    ),
    ...changed(
      before.digestSeconds,
      digestSeconds,
      digestSeconds === null ? "no digest" : `a digest every ${digestSeconds / 60} minutes`,
    ),
    ...changed(
      before.quiet,
      quiet,
      quiet === null ? "no quiet hours" : `quiet hours ${describeQuietHours(quiet)}`,
    ),
    ...changed(before.language, language, `posts in ${languageNames[language]}`),
    ...changed(before.forReaders, forReaders, `posts for ${nameAudience(forReaders)}`),
  ];
}

/** The two kinds of rooms, as commands and files name them. */
export const audiences = ["desk", "readers"] as const;

export function nameAudience(forReaders: boolean): string {
  return forReaders ? "readers" : "moderators";
}

const minutesOfDay = 24 * 60;

/** The end of the current quiet hours, in UNIX milliseconds; undefined outside quiet hours. */
export function findQuietEnd(quiet: QuietHours | null, nowMs: number): number | undefined {
  if (!quiet) return undefined;
  const { from, until, zone } = quiet;
  const since = (minuteOfDay(nowMs, zone) - from + minutesOfDay) % minutesOfDay;
  const length = (until - from + minutesOfDay) % minutesOfDay;
  return since < length ? nowMs + (length - since) * 60_000 - (nowMs % 60_000) : undefined;
}

function minuteOfDay(nowMs: number, zone: string): number {
  const minute = Math.floor(toLocal(nowMs / 1000, zone) / 60) % minutesOfDay;
  return (minute + minutesOfDay) % minutesOfDay;
}
