import { randomUUID } from "node:crypto";
import { sql, type RawBuilder } from "kysely";
import type { BotContext } from "../../bot-context.ts";

/** A send takes seconds; should one take longer, nonce and look-up keep whoever comes next from saying it twice. */
export const leaseMs = 30_000;

const thisProcess = randomUUID();

export function createLeaseToken(): string {
  return `${thisProcess} ${randomUUID()}`;
}

/**
 * Whether a room may be served: its queue does not rest, the bot is in its server, and nobody has it. The embedded engine serves one process at a time, so
 * there a lease of another process is that of one that died, and nobody need wait for its end.
 */
export function isRoomFree({ database, clock }: BotContext): RawBuilder<boolean> {
  const nowMs = clock.now();
  const orDied =
    database.engine === "embedded" ? sql`or lease_token not like ${`${thisProcess} %`}` : sql.raw("");
  return sql<boolean>`retry_at_ms <= ${nowMs}
    and guild_id not in (select guild_id from castellan.absent_servers) and (leased_until_ms <= ${nowMs} ${orDied})`;
}
