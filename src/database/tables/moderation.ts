import type { Generated, JSONColumnType } from "kysely";

/** What only moderation and the Discord side use (migration 0013). `_ms` columns are UNIX milliseconds. */
export interface ModerationTables {
  /** Servers that the bot was removed from, and how often the program looked since. */
  "castellan.absent_servers": { guild_id: string; since_ms: number; looks: Generated<number> };
  "castellan.case_numbers": { guild_id: string; channel_id: string; last_number: number };
  /** What the holders of a Discord role may do in a channel. */
  "castellan.capabilities": { guild_id: string; channel_id: string; role_id: string; capability: string };
  /** A message with buttons that waits for its actor. */
  "castellan.prompts": {
    id: string;
    /** Command and subcommand: "ban add". */
    path: string;
    guild_id: string;
    room_id: string;
    user_id: string;
    state: JSONColumnType<object>;
    expires_at_ms: number;
    answered_at_ms: number | null;
  };
  /** The commands that Discord has, by hash. */
  "castellan.deployments": { application_id: string; commands_hash: string };
}
