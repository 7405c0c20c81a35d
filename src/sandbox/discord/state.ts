import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Modal } from "./shapes/interaction.ts";
import type { Snowflakes } from "./snowflake.ts";
import type { Change, Message, World } from "./world/world.ts";

/** The state of the local Discord and its changes, shared by gateway and interactions. */
export interface State {
  world: World;
  record: (change: Change) => void;
  nextId: Snowflakes;
  clock: Clock;
  log: Log;
  /** The bot's token, without "Bot ". */
  token: string;
  /** This server's base address, without a trailing slash; empty until it listens. */
  origin: string;
  /** Privileged intents that the application was granted. */
  grantedIntents: number;
  /** Everything that people see, for the page and for tests. */
  happened: Listeners<RoomEvent>;
}

/** A change that people in the rooms see. */
export type RoomEvent =
  | { kind: "message"; message: Message }
  | { kind: "message_removed"; roomId: string; messageId: string; visibleTo: string | null }
  | { kind: "interaction"; userId: string; interactionId: string; state: InteractionState }
  | { kind: "modal"; userId: string; interactionId: string; roomId: string; modal: Modal }
  | { kind: "typing"; roomId: string; userId: string }
  | { kind: "rooms" }
  | { kind: "commands" }
  | { kind: "presence"; online: boolean };

/** "failed": the bot did not acknowledge in time, and the person sees "The application did not respond". */
export type InteractionState = "sent" | "answered" | "failed";

/** Calls every listener, in order and synchronously. */
export interface Listeners<T> {
  emit: (event: T) => void;
  /** Returns a function that stops listening. */
  listen: (listener: (event: T) => void) => () => void;
}

export function createListeners<T>(): Listeners<T> {
  const listeners = new Set<(event: T) => void>();
  return {
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
