import type { BotTables } from "./bot.ts";
import type { ModerationTables } from "./moderation.ts";
import type { NetworkTables } from "./network.ts";
import type { RuleTables } from "./rules.ts";

/** Every table, by its schema-qualified name. `network.*` belongs to src/api alone, `castellan.*` to the bot half. */
export type Tables = NetworkTables & BotTables & ModerationTables & RuleTables;
