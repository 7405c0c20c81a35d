import { readFileSync, statSync } from "node:fs";
import type { Config } from "../config.ts";
import { readChannelGuilds } from "../setting-values.ts";
import { AppError, explainSystemError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { BotSettings } from "../bot-context.ts";

/**
 * The servers that CHANNEL_GUILDS and its file allow now. The file is read again after each change, so no restart is
 * needed. If it is gone or has mistakes, its last content stays in force, and the log reports it once. Throws
 * `invalid_configuration` if it cannot be read at the start.
 */
export function createChannelGuilds(config: Config, log: Log): BotSettings["channelGuilds"] {
  const { CHANNEL_GUILDS: fixed, CHANNEL_GUILDS_FILE: path } = config;
  if (path === undefined) return () => fixed;
  let { stamp, guilds } = read(path);
  let failedAs: string | undefined;
  return () => {
    try {
      if (stampOf(path) !== stamp) {
        ({ stamp, guilds } = read(path));
        log.info(
          { path, channels: guilds.size },
          "CHANNEL_GUILDS_FILE has changed; its new contents are in effect",
        );
      }
      failedAs = undefined;
    } catch (err) {
      const message = err instanceof Error ? err.message : String(err);
      if (message !== failedAs)
        log.error({ err, path }, "CHANNEL_GUILDS_FILE cannot be used; its previous contents stay in effect");
      failedAs = message;
    }
    return union(fixed, guilds);
  };
}

type Guilds = ReadonlyMap<string, ReadonlySet<string>>;

function read(path: string): { stamp: string; guilds: Guilds } {
  try {
    // Taken before the text, so that a change during the read causes another read.
    const stamp = stampOf(path);
    return { stamp, guilds: readChannelGuilds(readFileSync(path, "utf8")) };
  } catch (cause) {
    const why = explainSystemError(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new AppError("invalid_configuration", "The configuration has mistakes:", {
      cause,
      mistakes: [{ path: "CHANNEL_GUILDS_FILE", message: `names ${path}, which cannot be used: ${why}` }],
    });
  }
}

/** Changes with each edit, also if an editor or a mount replaces the file. */
function stampOf(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path);
  return [mtimeMs, ctimeMs, size, ino].join(" ");
}

function union(one: Guilds, other: Guilds): Guilds {
  const all = new Map(one);
  for (const [channelId, guilds] of other)
    all.set(channelId, new Set([...(all.get(channelId) ?? []), ...guilds]));
  return all;
}
