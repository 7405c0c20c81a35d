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
  "Discord rejects DISCORD_TOKEN. Copy the bot's token again from Discord's developer portal.";

/** With these codes Discord closes its gateway for good: discord.js does not come back by itself. */
const closings: Record<number, string> = {
  [GatewayCloseCodes.AuthenticationFailed]: wrongToken,
  [GatewayCloseCodes.InvalidShard]:
    "Discord does not know the shard that Castellan named. Start Castellan again: it asks for the number of shards at each start.",
  [GatewayCloseCodes.ShardingRequired]:
    "The bot is in too many servers for its shards. Start Castellan again: it asks for the number of shards at each start.",
  [GatewayCloseCodes.InvalidAPIVersion]:
    "Discord no longer speaks the version of its gateway that this Castellan knows. Update Castellan.",
  [GatewayCloseCodes.InvalidIntents]:
    "Discord does not know the intents that Castellan asks for. Update Castellan.",
  [GatewayCloseCodes.DisallowedIntents]:
    "Discord does not allow the intents that Castellan asks for. Check the bot in Discord's developer portal.",
};

/** What a gateway that was closed with this code means; undefined where discord.js comes back by itself. */
export function explainClosing(code: number): AppError | undefined {
  const words = closings[code];
  if (words === undefined) return undefined;
  return new AppError("invalid_configuration", `${words} (gateway closed with ${code})`);
}

/**
 * Why logging in, or telling Discord the commands, failed: `invalid_configuration` where Discord's answer will stay the
 * same, `discord_unreachable` where it may pass.
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
  // discord.js forgets a token that was refused once, and says so from then on.
  return error instanceof Error && error.message.startsWith("Expected token to be set");
}

/** 408 and 429 mean later; 40333 comes from Cloudflare and is about our address. */
function isFinal({ status, code }: DiscordAPIError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && code !== 40333;
}

/** Without the host, which is the same for all. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Discord's codes for what the room is or forbids just now; every message would be refused alike. */
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

/** Discord's codes for a message that the server's own AutoMod stops; the next may pass. */
const byAutoMod: ReadonlySet<number> = new Set([200_000, 200_001]);
const slowMode = 20_016;
const unknownMessage = 10_008;
/** Cloudflare, in front of Discord, stops this machine's address. */
const addressBlocked = 40_333;

/**
 * What a failed call to a room means: `room_unavailable` (all later messages would fail alike until somebody changes the
 * room), `message_refused` (this one only), `message_blocked` (this one, until somebody changes AutoMod),
 * `message_gone` (it was deleted),
 * `invalid_configuration` (the token), or what passes by itself.
 */
export function explainRoomRefusal(error: unknown): AppError {
  const cause = error;
  if (error instanceof DiscordAPIError) return explainAnswer(error);
  if (error instanceof RateLimitError) {
    const retryAfter = Math.ceil(Math.max(error.timeToReset, error.retryAfter) / 1000);
    return new AppError("rate_limited", `Discord accepts nothing more for ${retryAfter} s.`, {
      cause,
      retryAfter,
    });
  }
  // discord.js forgets a token that was refused once, and says so from then on.
  if (error instanceof Error && /token/i.test(error.message)) return tokenRefused(cause);
  const status = error instanceof HTTPError ? ` (${error.status})` : "";
  return new AppError("discord_unreachable", `Discord cannot be reached${status}.`, { cause });
}

/** Whether Discord, or what stands in front of it, refuses this machine as such. */
export function isAddressBlocked(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError) || error.status !== 403) return false;
  // Cloudflare's page has no code at all.
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
