import { DiscordAPIError, HTTPError, RateLimitError } from "discord.js";
import { AppError } from "../errors.ts";

/** Discord's codes for what the room is or forbids just now; every message would be refused alike. */
const ofTheRoom: Readonly<Record<number, string>> = {
  10003: "That room is gone.",
  50001: "Castellan cannot see that room. Give it View Channel there.",
  50008: "That room takes no messages.",
  50013:
    "Castellan may not write in that room. Give it View Channel, Send Messages, Embed Links and Read Message History there.",
  50024: "That room takes no messages.",
  50083: "That thread is archived. Open it again, and give Castellan Send Messages in Threads.",
  160005: "That thread is locked. Unlock it, or give Castellan Manage Threads.",
};

/** Discord's codes for a message that the server's own AutoMod stops; the next may pass. */
const byAutoMod: ReadonlySet<number> = new Set([200_000, 200_001]);
const slowMode = 20_016;
/** Cloudflare, in front of Discord, stops this machine's address. */
const addressBlocked = 40_333;

/**
 * What a failed call to a room means: `room_unavailable` (all later messages would fail alike until somebody changes the
 * room), `message_refused` (this one only), `invalid_configuration` (the token), or what passes by itself.
 */
export function explainRoomRefusal(error: unknown): AppError {
  const cause = error;
  if (error instanceof DiscordAPIError) return explainAnswer(error);
  if (error instanceof RateLimitError) {
    const retryAfter = Math.ceil(Math.max(error.timeToReset, error.retryAfter) / 1000);
    return new AppError("rate_limited", `Discord takes nothing more for ${retryAfter} s.`, {
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
    return new AppError("rate_limited", "The room's slow mode takes nothing more just now.", {
      cause,
      retryAfter: 10,
    });
  }
  if (byAutoMod.has(code)) {
    return new AppError(
      "message_refused",
      "The server's AutoMod blocked the message. Exempt Castellan's role or the room from that rule.",
      { cause },
    );
  }
  const room = ofTheRoom[code];
  if (room !== undefined) return new AppError("room_unavailable", room, { cause });
  if (error.status === 403)
    return new AppError("room_unavailable", `Discord forbids it: ${error.message}.`, { cause });
  if (error.status === 404)
    return new AppError("room_unavailable", "That room, or the message in it, is gone.", { cause });
  return new AppError("message_refused", `Discord refused the message: ${error.message}`, { cause });
}

function tokenRefused(cause: unknown): AppError {
  return new AppError("invalid_configuration", "Discord does not accept the bot's token any more.", {
    cause,
  });
}
