/** Where the feed speaks: the port between feed and Discord. */
export interface Rooms {
  /**
   * Posts a message and gives its id. Posting again with the same nonce within minutes gives the first one's id.
   * Throws `room_unavailable` (gone, forbidden), `message_refused` (the message itself), `message_blocked` (by the server's
   * own filter, which people change), or what may pass.
   */
  post(roomId: string, message: RoomMessage): Promise<string>;
  /** Milliseconds until the room takes another message, by what Discord answered to the last one; 0 where it does now. */
  resetAfter(roomId: string): number;
  /** Throws as `post` does, `message_gone`, and `room_unavailable` where the message has lost its embeds instead: edit it again later. */
  edit(roomId: string, messageId: string, message: RoomMessage): Promise<void>;
  /** The room of private messages with a person, by their Discord id. Throws as `post` does. */
  openDirect(userId: string): Promise<string>;
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
  /** A Discord role that is mentioned with it; an edit mentions nobody. */
  mention?: string;
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

export interface RoomButton {
  /**
   * What Discord gives back when it is pressed, maybe much later; at most 100 characters. "review:t4g:hide" is for the command
   * `review` to answer, with the words t4g and hide.
   */
  customId: string;
  label: string;
  style: "primary" | "secondary" | "success" | "danger";
}

export interface PostedMessage {
  id: string;
  embeds: RoomEmbed[];
}
