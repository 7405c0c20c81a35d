import type { ChatMessage, ChatView } from "../../chat-pane/chat-view.ts";
import type { InteractionState, RoomEvent } from "../../discord/state.ts";
import type { RoomWindow } from "./room-window.ts";
import type { Store } from "./shared-state.tsx";

type ByRoom<T> = Readonly<Record<string, T | undefined>>;

/** An interaction that waits for the bot, or failed without an answer, and the place where the page shows it. */
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
  /** Undefined for a room that was not opened yet. */
  windows: ByRoom<RoomWindow<ChatMessage>>;
  /** The newest message announced for each room, even outside the window. */
  newest: ByRoom<string>;
  /** Unread messages, and how many of them mention this person. */
  unread: ByRoom<{ count: number; pings: number }>;
  typing: ByRoom<boolean>;
  /** The room in which the user has scrolled up, so that the messages in view are kept. */
  reading: string | null;
  waiting: readonly Waiting[];
  modal: Extract<RoomEvent, { kind: "modal" }> | null;
  /** A command that was clicked in a message and is being filled in. */
  draft: { id: number; text: string } | null;
  notice: string | null;
  /** Whether the server answers. The browser reconnects automatically. */
  connected: boolean;
}

export type ChatStore = Store<ChatState>;

export interface OpenChat {
  store: ChatStore;
  close: () => void;
}
