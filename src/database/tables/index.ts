import type { BotTables } from "./bot.ts";
import type { FeedTables } from "./feed.ts";
import type { LinkListTables } from "./link-lists.ts";
import type { ModerationTables } from "./moderation.ts";
import type { NetworkTables } from "./network.ts";
import type { ObserveTables } from "./observe.ts";
import type { OutboxTables } from "./outbox.ts";
import type { RetentionTables } from "./retention.ts";
import type { RuleActTables } from "./rules-acts.ts";
import type { RuleTables } from "./rules.ts";

type CastellanTables = BotTables &
  ObserveTables &
  FeedTables &
  ModerationTables &
  RuleTables &
  RuleActTables &
  LinkListTables &
  OutboxTables &
  RetentionTables;

/** Every table, by its schema-qualified name. `network.*` belongs to src/api alone, `castellan.*` to the bot half. */
export type Tables = NetworkTables & CastellanTables;
