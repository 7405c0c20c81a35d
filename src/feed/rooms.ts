/** The port between the feed and Discord. */
export interface Rooms {
  /**
   * Posts a message and returns its id. Posting again with the same nonce within minutes returns the first one's id.
   * Throws `room_unavailable` (gone, forbidden), `message_refused` (the message itself), `message_blocked` (by the
   * server's own filter, which people change), or a temporary error.
   */
  post(roomId: string, message: RoomMessage): Promise<string>;
  /** Milliseconds until the room takes another message, by Discord's last response; 0 if it takes one now. */
  resetAfter(roomId: string): number;
  /** Throws like `post`; also `message_gone`, or `room_unavailable` if the message lost its embeds: edit it again later. */
  edit(roomId: string, messageId: string, message: RoomMessage): Promise<void>;
  /** The private message room of a person, by their Discord id. Throws like `post`. */
  openDirect(userId: string): Promise<string>;
  /** The bot's own posts among the room's latest 100 messages, newest first, without its replies to people. */
  recent(roomId: string): Promise<PostedMessage[]>;
  /**
   * Searches all of the bot's own posts since then (UNIX milliseconds), to find posts from before a crash. "hidden" if
   * Discord does not show the bot the room's history.
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
  /** A Discord role to mention; an edit mentions nobody. */
  mention?: string;
  /** Buttons under the message, if any: rows of at most five. */
  buttons?: RoomButton[][];
}

/** The subset of a Discord embed that Castellan uses, with Discord's limits. */
export interface RoomEmbed {
  title?: string;
  description?: string;
  color?: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  footer?: string;
  /** UNIX milliseconds. */
  timestamp?: number;
  /** Where the title leads. */
  url?: string;
  /** The address of a picture, which Discord loads. */
  image?: string;
}

export interface RoomButton {
  /**
   * Discord returns this when the button is pressed, perhaps much later; at most 100 characters. "review:t4g:hide" is
   * handled by the command `review`, with the words t4g and hide.
   */
  customId: string;
  label: string;
  style: "primary" | "secondary" | "success" | "danger";
}

export interface PostedMessage {
  id: string;
  embeds: RoomEmbed[];
}
