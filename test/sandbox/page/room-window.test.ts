import fc from "fast-check";
import { expect, test } from "vitest";

interface Message {
  id: string;
  text?: string;
}
interface Window {
  messages: Message[];
  complete: boolean;
  cut: boolean;
}
// The page is plain JavaScript: its modules have no types to import.
const page = (await import(
  new URL("../../../src/sandbox/page/chat/room-window.js", import.meta.url).href
)) as Record<"openWindow", (newest: Message[]) => Window> &
  Record<"addOlder" | "addNewer", (window: Window, found: Message[]) => Window> &
  Record<"putMessage", (window: Window, message: Message) => Window> &
  Record<"trim", (window: Window, isReading: boolean) => Window> &
  Record<"dropMessage", (window: Window, id: string) => Window> &
  Record<"pageSize" | "maxWhileReading", number>;

const range = (from: number, to: number): Message[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: String(from + index) }));

/** A room, and the page's window on it, as one reads, scrolls and others write, edit and delete. */
class Room {
  messages = range(90, 190);
  last = 189;
  window = page.openWindow(this.messages.slice(-page.pageSize).toReversed());
  isReading = false;

  write(): void {
    this.messages.push({ id: String(++this.last) });
    this.take({ id: String(this.last) });
  }
  take(message: Message): void {
    this.window = page.trim(page.putMessage(this.window, message), this.isReading);
  }
  edit(at: number): void {
    const index = Math.floor(at * this.messages.length);
    const message = { id: this.messages[index]?.id ?? "", text: "changed" };
    this.messages[index] = message;
    this.take(message);
  }
  remove(at: number): void {
    const [gone] = this.messages.splice(Math.floor(at * this.messages.length), 1);
    this.window = page.dropMessage(this.window, gone?.id ?? "");
  }
  older(): void {
    const at = this.messages.findIndex(({ id }) => id === this.window.messages[0]?.id);
    if (at < 0 || this.window.complete) return;
    const found = this.messages.slice(Math.max(0, at - page.pageSize), at).toReversed();
    this.window = page.addOlder(this.window, found);
    this.isReading = true;
  }
  newer(): void {
    const at = this.messages.findIndex(({ id }) => id === this.window.messages.at(-1)?.id);
    if (at < 0 || !this.window.cut) return;
    const found = this.messages.slice(at + 1, at + 1 + page.pageSize).toReversed();
    this.window = page.addNewer(this.window, found);
  }
  goToEnd(): void {
    if (this.window.cut) return;
    this.isReading = false;
    this.window = page.trim(this.window, false);
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
        expect(messages.length).toBeLessThanOrEqual(page.maxWhileReading);
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
