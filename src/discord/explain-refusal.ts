import {
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  GatewayCloseCodes,
  HTTPError,
  RateLimitError,
} from "discord.js";
import { AppError } from "../errors.ts";

const wrongToken =
  "Discord rejected DISCORD_TOKEN. Copy the bot's token again from the Discord Developer Portal.";

/** Codes with which Discord closes its gateway permanently; discord.js does not reconnect. */
const closings: Record<number, string> = {
  [GatewayCloseCodes.AuthenticationFailed]: wrongToken,
  [GatewayCloseCodes.InvalidShard]:
    "Discord does not know the shard that Castellan named. Start Castellan again, which then requests the number of shards.",
  [GatewayCloseCodes.ShardingRequired]:
    "The bot is in too many servers for its shards. Start Castellan again, which then requests the number of shards.",
  [GatewayCloseCodes.InvalidAPIVersion]:
    "Discord no longer supports this Castellan's gateway version. Update Castellan.",
  [GatewayCloseCodes.InvalidIntents]:
    "Discord does not know the intents that Castellan requests. Update Castellan.",
  [GatewayCloseCodes.DisallowedIntents]:
    "Discord does not allow the intents that Castellan requests. Check the bot in Discord's developer portal.",
};

/** The meaning of a gateway close code; undefined if discord.js reconnects. */
export function explainClosing(code: number): AppError | undefined {
  const words = closings[code];
  if (words === undefined) return undefined;
  return new AppError("invalid_configuration", `${words} (gateway closed with ${code})`);
}

/**
 * Why logging in or deploying the commands failed: `invalid_configuration` for a permanent refusal,
 * `discord_unreachable` for a temporary one.
 */
export function explainRefusal(error: unknown): AppError {
  const cause = error;
  if (error instanceof AppError) return error;
  if (isWrongToken(error)) return new AppError("invalid_configuration", wrongToken, { cause });
  const words = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  if (words.startsWith("Not enough sessions remaining")) {
    const [, until = "later"] = /resets at (\S+)/.exec(words) ?? [];
    return new AppError(
      "invalid_configuration",
      `Discord allows this bot no more connections today: it has started too often. Start Castellan again at ${until}.`,
      { cause },
    );
  }
  if (error instanceof DiscordAPIError && isFinal(error)) {
    return new AppError(
      "invalid_configuration",
      `Discord rejects what Castellan sent at startup (${error.method} ${pathOf(error.url)}, ${error.code}): ${words}`,
      { cause },
    );
  }
  const status =
    error instanceof HTTPError || error instanceof DiscordAPIError ? `it answers ${error.status}` : words;
  return new AppError("discord_unreachable", `Discord cannot be reached: ${status}`, { cause });
}

function isWrongToken(error: unknown): boolean {
  if (error instanceof DiscordjsError) {
    return error.code === DiscordjsErrorCodes.TokenInvalid || error.code === DiscordjsErrorCodes.TokenMissing;
  }
  if (error instanceof DiscordAPIError) return error.status === 401;
  // discord.js forgets a refused token, and then throws this error.
  return error instanceof Error && error.message.startsWith("Expected token to be set");
}

/** 408 and 429 mean later; 40333 comes from Cloudflare and concerns our address. */
function isFinal({ status, code }: DiscordAPIError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && code !== 40333;
}

/** Without the host, which is always the same. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Discord's codes for the state of a room, in which every message would be refused. */
const ofTheRoom: Readonly<Record<number, string>> = {
  10003: "That room is gone.",
  50001: "Castellan cannot see that room. Give it View Channel there.",
  50007: "They take no private messages from Castellan.",
  50008: "That room does not accept messages.",
  50013:
    "Castellan may not write in that room. Give it View Channel, Send Messages, Embed Links and Read Message History there.",
  50024: "That room does not accept messages.",
  50083: "That thread is archived. Open it again, and give Castellan Send Messages in Threads.",
  160005: "That thread is locked. Unlock it, or give Castellan Manage Threads.",
};

/** Discord's codes for a message that AutoMod blocks; the next may pass. */
const byAutoMod: ReadonlySet<number> = new Set([200_000, 200_001]);
const slowMode = 20_016;
const unknownMessage = 10_008;
/** Cloudflare, in front of Discord, blocks this machine's address. */
const addressBlocked = 40_333;

/**
 * The meaning of a failed call to a room: `room_unavailable` (all later messages would fail until somebody changes the
 * room), `message_refused` (only this one), `message_blocked` (this one, until somebody changes AutoMod),
 * `message_gone` (it was deleted), `invalid_configuration` (the token), or a temporary failure.
 */
export function explainRoomRefusal(error: unknown): AppError {
  const cause = error;
  if (error instanceof DiscordAPIError) return explainAnswer(error);
  if (error instanceof RateLimitError) {
    const retryAfter = Math.ceil(Math.max(error.timeToReset, error.retryAfter) / 1000);
    return new AppError("rate_limited", `Discord accepts no more calls for ${retryAfter} s.`, {
      cause,
      retryAfter,
    });
  }
  // discord.js forgets a refused token, and then throws this error.
  if (error instanceof Error && /token/i.test(error.message)) return tokenRefused(cause);
  const status = error instanceof HTTPError ? ` (${error.status})` : "";
  return new AppError("discord_unreachable", `Discord cannot be reached${status}.`, { cause });
}

/** Whether Discord, or Cloudflare in front of it, refuses this machine's address. */
export function isAddressBlocked(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || error.status !== 403) return false;
  // Cloudflare's page has no error code.
  return error.code === addressBlocked || error.code === undefined;
}

function explainAnswer(error: DiscordAPIError): AppError {
  const cause = error;
  const code = Number(error.code);
  if (error.status === 401) return tokenRefused(cause);
  if (isAddressBlocked(error)) {
    return new AppError(
      "discord_unreachable",
      "Discord's protection (Cloudflare) refuses this machine's address for now; Castellan tries again.",
      { cause },
    );
  }
  if (code === slowMode) {
    return new AppError("rate_limited", "The room's slow mode accepts nothing more right now.", {
      cause,
      retryAfter: 10,
    });
  }
  if (byAutoMod.has(code)) {
    return new AppError(
      "message_blocked",
      "The server's AutoMod blocked the message. Exempt Castellan's role or the room from that rule.",
      { cause },
    );
  }
  if (code === unknownMessage)
    return new AppError("message_gone", "Somebody deleted that message.", { cause });
  const room = ofTheRoom[code];
  if (room !== undefined) return new AppError("room_unavailable", room, { cause });
  if (error.status === 403)
    return new AppError("room_unavailable", `Discord forbids it: ${error.message}.`, { cause });
  if (error.status === 404)
    return new AppError("room_unavailable", "That room, or the message in it, is gone.", { cause });
  return new AppError("message_refused", `Discord refused the message: ${error.message}`, { cause });
}

function tokenRefused(cause: unknown): AppError {
  return new AppError("invalid_configuration", "Discord no longer accepts the bot's token.", {
    cause,
  });
}
