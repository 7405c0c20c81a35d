import type { BotContext } from "../bot-context.ts";
import { recordSetupChange } from "../observe/setup-changes.ts";
import type { FeedKind } from "./feed-kinds.ts";

/** How a room wants to be told; all of its feeds together. */
export interface RoomSettings {
  /** A Discord role, and the kinds for which it is mentioned. */
  mention: { role: string; kinds: FeedKind[] } | null;
  /** What does not matter at once is summed up so often, in seconds. */
  digestSeconds: number | null;
  quiet: QuietHours | null;
}

/** When only what matters is told, and nobody is mentioned: minutes of the day in a time zone. */
export interface QuietHours {
  from: number;
  until: number;
  /** As IANA names it: "Europe/Berlin". */
  zone: string;
}

/** One role is mentioned in a room at most so often, in milliseconds. */
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

/** What is held back begins anew: what waits is told at once, and then by the new settings. `what` changed, in words. */
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

/** When the quiet hours end that are now, in UNIX milliseconds; undefined where none are. */
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
