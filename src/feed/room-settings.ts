import type { BotContext } from "../bot-context.ts";
import { recordSetupChange } from "../observe/setup-changes.ts";
import type { FeedKind } from "./feed-kinds.ts";

/** How a room receives posts, for all of its feeds together. */
export interface RoomSettings {
  /** A Discord role, and the kinds that mention it. */
  mention: { role: string; kinds: FeedKind[] } | null;
  /** Interval of digests for anything that is not urgent, in seconds. */
  digestSeconds: number | null;
  quiet: QuietHours | null;
}

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
}

export const settingsColumns = [
  "mention_role",
  "mention_kinds",
  "digest_seconds",
  "quiet_from",
  "quiet_until",
  "quiet_zone",
] as const;

export function toRoomSettings(row: SettingsRow): RoomSettings {
  const { mention_role: role, quiet_from: from, quiet_until: until, quiet_zone: zone } = row;
  const kinds = row.mention_kinds as FeedKind[]; // written by saveRoomSettings
  return {
    mention: role === null ? null : { role, kinds },
    digestSeconds: row.digest_seconds,
    quiet: from === null || until === null || zone === null ? null : { from, until, zone },
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
  { mention, digestSeconds, quiet }: RoomSettings,
): Promise<void> {
  await context.database.transaction(async (tx) => {
    await tx
      .updateTable("castellan.room_queues")
      .set({
        mention_role: mention?.role ?? null,
        mention_kinds: mention?.kinds ?? [],
        digest_seconds: digestSeconds,
        quiet_from: quiet?.from ?? null,
        quiet_until: quiet?.until ?? null,
        quiet_zone: quiet?.zone ?? null,
        held_until_ms: 0,
      })
      .where("room_id", "=", roomId)
      .where("guild_id", "=", guildId)
      .execute();
    await recordSetupChange(context, tx, { guildId, kind: "feeds", userId, what });
  });
  await context.wake("deliver-feed", roomId);
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

function minuteOfDay(nowMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = format.formatToParts(nowMs);
  const valueOf = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return valueOf("hour") * 60 + valueOf("minute");
}
