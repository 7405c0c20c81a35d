import { feedKindOf, type AnnouncedKind } from "../feed-kinds.ts";
import { findQuietEnd, mentionPause, type RoomSettings } from "../room-settings.ts";

/** Which of a room's news goes out now. */
interface Hold {
  /** The rest waits. */
  onlyUrgent: boolean;
  /** The rest is put into a digest. */
  sumsUp: boolean;
  isQuiet: boolean;
  /** UNIX milliseconds until which the rest waits from now on. */
  nextHeldUntilMs: number;
}

export function holdBack(
  { quiet, digestSeconds, held_until_ms }: RoomSettings & { held_until_ms: number },
  nowMs: number,
): Hold {
  const quietEnd = findQuietEnd(quiet, nowMs);
  if (quietEnd !== undefined) {
    return { onlyUrgent: true, sumsUp: false, isQuiet: true, nextHeldUntilMs: quietEnd };
  }
  const isHeld = held_until_ms > nowMs;
  const next = digestSeconds === null ? 0 : nowMs + digestSeconds * 1000;
  return {
    onlyUrgent: isHeld,
    sumsUp: !isHeld && digestSeconds !== null,
    isQuiet: false,
    nextHeldUntilMs: isHeld ? held_until_ms : next,
  };
}

/** Whether a message mentions the room's role: not too often, and not in quiet hours. */
export function mayMention(
  { mention, mentioned_at_ms }: RoomSettings & { mentioned_at_ms: number | null },
  told: readonly AnnouncedKind[],
  { isQuiet }: Hold,
  nowMs: number,
): boolean {
  if (!mention || isQuiet || !told.some((kind) => mention.kinds.includes(feedKindOf[kind]))) return false;
  return mentioned_at_ms === null || nowMs - mentioned_at_ms >= mentionPause;
}
