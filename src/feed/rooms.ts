/** Where the feed speaks: the port between feed and Discord. */
export interface Rooms {
  /**
   * Posts a message and gives its id. Posting again with the same nonce within minutes gives the first one's id.
   * Throws `room_unavailable` (gone, forbidden), `message_refused` (the message itself), or what may pass.
   */
  post(roomId: string, message: RoomMessage): Promise<string>;
  edit(roomId: string, messageId: string, message: RoomMessage): Promise<void>;
  /** What the bot itself posted among the room's latest 100 messages, newest first; answers to people are left out. */
  recent(roomId: string): Promise<PostedMessage[]>;
  /**
   * Looks through what the bot itself posted since then (UNIX milliseconds), to the end: to find what was posted before a
   * crash. "hidden" where Discord does not show the room's history to the bot.
   */
  find(
    roomId: string,
    sinceMs: number,
    fits: (message: PostedMessage) => boolean,
  ): Promise<PostedMessage | "hidden" | undefined>;
}

export interface RoomMessage {
  /** At most 25 characters. */
  nonce: string;
  embeds: RoomEmbed[];
  /** Buttons under the message, if any: rows of at most five. */
  buttons?: RoomButton[][];
}

/** The part of a Discord embed that we use; limits are Discord's. */
export interface RoomEmbed {
  title?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  footer?: string;
  /** UNIX milliseconds. */
  timestamp?: number;
}

/**
 * What a button or a form of ours asks for. Discord gives it back as it stands in the sent message, maybe much later: what
 * earlier versions sent has to keep its meaning.
 */
export type CustomId =
  | { kind: "confirm" | "cancel" | "form"; promptId: string }
  | { kind: "page"; promptId: string; page: number }
  /** A button in a room, for the command of that name to answer. */
  | { kind: "command"; command: string; words: readonly string[] };

export interface RoomButton {
  customId: CustomId;
  label: string;
  style: "primary" | "secondary" | "success" | "danger";
}

export interface PostedMessage {
  id: string;
  embeds: RoomEmbed[];
}
