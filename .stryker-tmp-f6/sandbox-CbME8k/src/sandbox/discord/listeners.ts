/** Tells whoever listens, in order and at once. */
// @ts-nocheck

export interface Listeners<T> {
  tell: (event: T) => void;
  /** Gives back the way to stop listening. */
  listen: (listener: (event: T) => void) => () => void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(event: T) => void>();
  return {
    tell(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
