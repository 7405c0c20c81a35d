import {
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  GatewayCloseCodes,
  HTTPError,
} from "discord.js";
import { AppError } from "../errors.ts";

const wrongToken =
  "Discord refuses DISCORD_TOKEN. Copy the bot's token anew from Discord's developer portal.";

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
      `Discord lets this bot connect no more today: it has started too often. Start Castellan again at ${until}.`,
      { cause },
    );
  }
  if (error instanceof DiscordAPIError && isFinal(error)) {
    return new AppError(
      "invalid_configuration",
      `Discord refuses what Castellan sent at its start (${error.method} ${pathOf(error.url)}, ${error.code}): ${words}`,
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

/** 408 and 429 ask to come later; 40333 is of Cloudflare and speaks of our address. */
function isFinal({ status, code }: DiscordAPIError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && code !== 40333;
}

/** Without the host, which is the same for all. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
