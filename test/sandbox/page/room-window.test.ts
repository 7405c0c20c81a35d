import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addNewer,
  addOlder,
  dropMessage,
  maxWhileReading,
  openWindow,
  pageSize,
  putMessage,
  trim,
} from "../../../src/sandbox/page/chat/room-window.ts";

interface Message {
  id: string;
  text?: string;
}

const range = (from: number, to: number): Message[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));

/** A room, and the page's window on it, as one reads, scrolls and others write, edit and delete. */
class Room {
  messages = range(90, 190);
  last = 189;
  window = openWindow(this.messages.slice(-pageSize).toReversed());
  isReading = false;

  write(): void {
    this.messages.push({ id: String(++this.last) });
    this.take({ id: String(this.last) });
  }
  take(message: Message): void {
    this.window = trim(putMessage(this.window, message), this.isReading);
  }
  edit(at: number): void {
    const index = Math.floor(at * this.messages.length);
    const message = { id: this.messages[index]?.id ?? "", text: "changed" };
    this.messages[index] = message;
    this.take(message);
  }
  remove(at: number): void {
    const [gone] = this.messages.splice(Math.floor(at * this.messages.length), 1);
    this.window = dropMessage(this.window, gone?.id ?? "");
  }
  older(): void {
    const at = this.messages.findIndex(({ id }) => id === this.window.messages[0]?.id);
    if (at < 0 || this.window.complete) return;
    const found = this.messages.slice(Math.max(0, at - pageSize), at).toReversed();
    this.window = addOlder(this.window, found);
    this.isReading = true;
  }
  newer(): void {
    const at = this.messages.findIndex(({ id }) => id === this.window.messages.at(-1)?.id);
    if (at < 0 || !this.window.cut) return;
    const found = this.messages.slice(at + 1, at + 1 + pageSize).toReversed();
    this.window = addNewer(this.window, found);
  }
  goToEnd(): void {
    if (this.window.cut) return;
    this.isReading = false;
    this.window = trim(this.window, false);
  }
}

test("a window on a room is a stretch of it without holes, as it is now, and never long", () => {
  const kinds = ["write", "write", "edit", "remove", "older", "older", "newer", "goToEnd"] as const;
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      times: fc.nat(120),
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(steps, (steps) => {
      const room = new Room();
      for (const { kind, times, at } of steps) {
        if (kind === "write") for (let n = 0; n < times; n += 1) room.write();
        else if (room.messages.length > 0) room[kind](at);
        const { messages, complete, cut } = room.window;
        expect(messages.length).toBeLessThanOrEqual(maxWhileReading);
        const first = room.messages.findIndex(({ id }) => id === messages[0]?.id);
        if (messages.length === 0) continue;
        expect(room.messages.slice(first, first + messages.length)).toEqual(messages);
        expect(complete && first > 0).toBe(false);
        expect(cut ? undefined : room.messages.at(-1)).toEqual(cut ? undefined : messages.at(-1));
      }
    }),
    { numRuns: 500 },
  );
});
