// @ts-nocheck
import { sql } from "kysely";
import type { BotContext } from "../bot-context.ts";

/** Calls on invites that one account may make in a channel in an hour (interface.md, "Limits"). */
export const invitesAnHour = 100;

/** How many of them the bot has used in the last hour: all servers of the channel share them. */
export async function countInviteCalls({ database, clock }: BotContext, channelId: string): Promise<number> {
  const { calls } = await database.query
    .selectFrom("castellan.cases")
    .select(sql<number>`coalesce(sum(attempts), 0)`.as("calls"))
    .where("channel_id", "=", channelId)
    .where("kind", "in", ["invite", "revoke_invite", "remove_member"])
    .where("sent_at_ms", ">", clock.now() - 3600_000)
    .executeTakeFirstOrThrow();
  return calls;
}
