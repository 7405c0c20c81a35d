import type { Clock } from "../../src/clock.ts";
import { AppError } from "../../src/errors.ts";
import type { PostedMessage, RoomMessage, Rooms } from "../../src/feed/rooms.ts";

/** What goes wrong with the next posts, one by one. */
export type Fault = "lost_answer" | "unreachable" | "gone" | "refused";

export interface StrictRooms extends Rooms {
  /** What stands in a room, oldest first. */
  shown(roomId: string): PostedMessage[];
  /** The event numbers in a room, in the order in which they are read. */
  numbers(roomId: string): string[];
  faults: Fault[];
  /** Footers of embeds that are refused whenever they come. */
  refuse: Set<string>;
  posts: number;
}

const nonceMemoryMs = 5 * 60_000;

/** Rooms as the port promises them and no kinder: nonces are remembered for minutes, limits are enforced. */
export function createStrictRooms(clock: Clock): StrictRooms {
  const rooms = new Map<string, PostedMessage[]>();
  const nonces = new Map<string, { id: string; at: number }>();
  const faults: Fault[] = [];
  const refuse = new Set<string>();
  let lastId = 0;
  const open = (roomId: string) => {
    const room = rooms.get(roomId) ?? [];
    rooms.set(roomId, room);
    return room;
  };

  const strict: StrictRooms = {
    faults,
    refuse,
    posts: 0,
    shown: (roomId) => rooms.get(roomId) ?? [],
    numbers: (roomId) => open(roomId).flatMap(({ embeds }) => embeds.map((embed) => embed.footer ?? "")),

    async post(roomId, message) {
      strict.posts += 1;
      await Promise.resolve();
      const fault = faults.shift();
      if (fault === "unreachable") throw new Error("ECONNRESET");
      if (fault === "gone") throw new AppError("room_unavailable", "Unknown Channel");
      if (fault === "refused") throw new AppError("message_refused", "Invalid Form Body");
      checkMessage(message, refuse);
      const known = nonces.get(`${roomId} ${message.nonce}`);
      if (known && known.at > clock.now() - nonceMemoryMs) return known.id;
      lastId += 1;
      const id = String(lastId);
      nonces.set(`${roomId} ${message.nonce}`, { id, at: clock.now() });
      open(roomId).push({ id, embeds: structuredClone(message.embeds) });
      if (fault === "lost_answer") throw new Error("socket hang up");
      return id;
    },
    async edit() {
      throw new Error("the feed edits nothing");
    },
    async recent(roomId) {
      await Promise.resolve();
      return open(roomId).toReversed().slice(0, 100);
    },
    async find(roomId, _since, fits) {
      await Promise.resolve();
      return open(roomId).findLast(fits);
    },
  };
  return strict;
}

function checkMessage({ nonce, embeds }: RoomMessage, refuse: ReadonlySet<string>): void {
  const total = embeds.reduce((sum, { title = "", description = "", footer = "" }) => {
    if (title.length > 256 || description.length > 4096) throw new AppError("message_refused", "too long");
    return sum + title.length + description.length + footer.length;
  }, 0);
  const wrong = nonce.length > 25 || embeds.length === 0 || embeds.length > 10 || total > 6000;
  if (wrong || embeds.some(({ footer }) => refuse.has(footer ?? ""))) {
    throw new AppError("message_refused", "Invalid Form Body");
  }
}
