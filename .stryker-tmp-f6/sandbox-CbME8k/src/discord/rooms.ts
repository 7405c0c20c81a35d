// @ts-nocheck
import { DiscordAPIError, HTTPError, REST, Routes, type APIEmbed, type APIMessage } from "discord.js";
import { AppError } from "../errors.ts";
import type { PostedMessage, RoomEmbed, RoomMessage, Rooms } from "../feed/rooms.ts";
import { toComponents, toEmbeds } from "./view.ts";

export interface RoomSettings {
  token: string;
  /** Base address of Discord's REST API, without version. */
  api: string;
  /** Discord does not accept the token any more. */
  onRefused: (error: AppError) => void;
}

/** Rooms over REST alone, so that a worker posts without a gateway of its own. 429 is waited for, 5xx tried again. */
export function createRooms(settings: RoomSettings): Rooms {
  const rest = new REST({ api: settings.api, version: "10" }).setToken(settings.token);
  let ownId: Promise<string> | undefined;

  async function call<T>(ask: () => Promise<unknown>): Promise<T> {
    try {
      // Discord answers each route in the shape that its documentation gives it.
      return (await ask()) as T;
    } catch (error) {
      const explained = explain(error);
      if (explained.code === "invalid_configuration") settings.onRefused(explained);
      throw explained;
    }
  }

  function readOwnId(): Promise<string> {
    ownId ??= call<{ id: string }>(() => rest.get(Routes.user())).then(
      (user) => user.id,
      (error: unknown) => {
        ownId = undefined;
        throw error;
      },
    );
    return ownId;
  }

  return {
    async post(roomId, message) {
      const body = { ...toBody(message), nonce: message.nonce, enforce_nonce: true };
      const { id } = await call<APIMessage>(() => rest.post(Routes.channelMessages(roomId), { body }));
      return id;
    },
    async edit(roomId, messageId, message) {
      const body = toBody(message);
      await call(() => rest.patch(Routes.channelMessage(roomId, messageId), { body }));
    },
    async recent(roomId) {
      const own = await readOwnId();
      const query = new URLSearchParams({ limit: "100" });
      const messages = await call<APIMessage[]>(() => rest.get(Routes.channelMessages(roomId), { query }));
      return messages.filter(({ author }) => author.id === own).map(toPosted);
    },
  };
}

function toBody({ embeds, buttons = [] }: RoomMessage) {
  return { embeds: toEmbeds(embeds), components: toComponents(buttons), allowed_mentions: { parse: [] } };
}

function toPosted({ id, embeds }: APIMessage): PostedMessage {
  return { id, embeds: embeds.map(toEmbed) };
}

function toEmbed({ title, description, color, fields, footer, timestamp }: APIEmbed): RoomEmbed {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(color !== undefined && { color }),
    ...(fields && { fields }),
    ...(footer && { footer: footer.text }),
    ...(timestamp !== undefined && { timestamp: Date.parse(timestamp) }),
  };
}

function explain(error: unknown): AppError {
  const cause = error;
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) {
      return new AppError("invalid_configuration", "Discord does not accept the bot's token any more.", {
        cause,
      });
    }
    if (error.status === 403) {
      return new AppError(
        "room_unavailable",
        "Castellan may not write in that room. Give it View Channel, Send Messages, Embed Links and Read Message History there.",
        { cause },
      );
    }
    if (error.status === 404) {
      return new AppError("room_unavailable", "That room, or the message in it, is gone.", { cause });
    }
    return new AppError("message_refused", `Discord refused the message: ${error.message}`, { cause });
  }
  // discord.js forgets a token that was refused once, and says so from then on.
  if (error instanceof Error && /token/i.test(error.message)) {
    return new AppError("invalid_configuration", "Discord does not accept the bot's token any more.", {
      cause,
    });
  }
  const status = error instanceof HTTPError ? ` (${error.status})` : "";
  return new AppError("discord_unreachable", `Discord cannot be reached${status}.`, { cause });
}
