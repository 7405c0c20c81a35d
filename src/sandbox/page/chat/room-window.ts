/**
 * The messages of a room that the page stores: always without gaps, oldest first. `complete`: it begins with the
 * room's first message. `cut`: newer messages were dropped while the user had scrolled up.
 */
export const pageSize = 50;
/** Maximum messages stored at the room's end, and while the user has scrolled up. */
export const maxAtEnd = 200;
export const maxWhileReading = 300;

export interface RoomWindow<M extends { id: string }> {
  messages: readonly M[];
  complete: boolean;
  cut: boolean;
}

/** All of these expect the server's order: newest first. */
export function openWindow<M extends { id: string }>(newest: readonly M[]): RoomWindow<M> {
  return { messages: newest.toReversed(), complete: newest.length < pageSize, cut: false };
}

export function addOlder<M extends { id: string }>(
  window: RoomWindow<M>,
  older: readonly M[],
): RoomWindow<M> {
  const messages = [...older.toReversed(), ...window.messages];
  const complete = older.length < pageSize;
  if (messages.length <= maxWhileReading) return { ...window, messages, complete };
  return { messages: messages.slice(0, maxWhileReading), complete, cut: true };
}

export function addNewer<M extends { id: string }>(
  window: RoomWindow<M>,
  newer: readonly M[],
): RoomWindow<M> {
  const messages = [...window.messages, ...newer.toReversed()];
  const cut = newer.length >= pageSize;
  if (messages.length <= maxWhileReading) return { ...window, messages, cut };
  return { messages: messages.slice(-maxWhileReading), complete: false, cut };
}

/** Inserts a new or changed message. One outside the window is loaded later. */
export function putMessage<M extends { id: string }>(window: RoomWindow<M>, message: M): RoomWindow<M> {
  const { messages, complete, cut } = window;
  const at = messages.findLastIndex(({ id }) => compareIds(id, message.id) <= 0);
  const isKnown = messages[at]?.id === message.id;
  if (isKnown) return { ...window, messages: messages.with(at, message) };
  if (at === -1 && messages.length > 0 && !complete) return window;
  if (at === messages.length - 1 && cut) return window;
  return { ...window, messages: messages.toSpliced(at + 1, 0, message) };
}

export function dropMessage<M extends { id: string }>(
  window: RoomWindow<M>,
  messageId: string,
): RoomWindow<M> {
  return { ...window, messages: window.messages.filter(({ id }) => id !== messageId) };
}

/** Drops the oldest messages, or the newest if the user has scrolled up, so that the messages in view stay. */
export function trim<M extends { id: string }>(window: RoomWindow<M>, isReading: boolean): RoomWindow<M> {
  const { messages } = window;
  if (isReading && messages.length > maxWhileReading) {
    return { ...window, messages: messages.slice(0, maxWhileReading), cut: true };
  }
  if (isReading || window.cut || messages.length <= maxAtEnd) return window;
  return { ...window, messages: messages.slice(-maxAtEnd), complete: false };
}

/** Ids are too large for numbers. As texts of equal length they sort correctly. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
