import type { ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import type { InteractionState, RoomEvent } from "../../discord/state.ts";
import type { RoomWindow } from "./room-window.ts";
import type { Store } from "./shared-state.tsx";

type ByRoom<T> = Readonly<Record<string, T | undefined>>;

/** An interaction that waits for the bot, or that it left without an answer, and where that shows. */
export interface Waiting extends WaitingPlace {
  id: string;
  outcome: InteractionState;
  room?: string | null;
}

export interface WaitingPlace {
  label?: string;
  message?: string;
  customId?: string;
}

export interface ChatState {
  userId: string;
  view: ChatView | null;
  roomId: string | null;
  /** One that was not opened yet has none. */
  windows: ByRoom<RoomWindow<ChatMessage>>;
  /** The newest message announced for each room, even beyond the window. */
  newest: ByRoom<string>;
  /** How many came since it was looked at, and how many of them name this person. */
  unread: ByRoom<{ count: number; pings: number }>;
  typing: ByRoom<boolean>;
  /** The room in which somebody reads further up: then what they read stays. */
  reading: string | null;
  waiting: readonly Waiting[];
  modal: Extract<RoomEvent, { kind: "modal" }> | null;
  /** A command to be filled in, that was clicked in a message. */
  draft: { id: number; text: string } | null;
  notice: string | null;
  /** The server answers; the browser tries again by itself. */
  connected: boolean;
}

export type ChatStore = Store<ChatState>;

export interface OpenChat {
  store: ChatStore;
  close: () => void;
}
