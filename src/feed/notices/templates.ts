import { sql } from "kysely";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Language } from "../../languages/languages.ts";

/** The channel that a template belongs to. */
interface Place {
  guildId: string;
  channelId: string;
}

export async function findTemplate(
  db: Queryable,
  { guildId, channelId }: Place,
): Promise<{ template: string; locale: string; setBy: string } | undefined> {
  return db
    .selectFrom("castellan.notice_templates")
    .select(["template", "locale", "set_by as setBy"])
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
}

/** Saves a template, replacing any earlier one. */
export async function saveTemplate(
  { clock }: Pick<BotContext, "clock">,
  tx: Tx,
  { guildId, channelId }: Place,
  { template, locale, userId }: { template: string; locale: Language; userId: string },
): Promise<void> {
  const set = { template, locale, set_by: userId, set_at_ms: clock.now() };
  await tx
    .insertInto("castellan.notice_templates")
    .values({ guild_id: guildId, channel_id: channelId, ...set })
    .onConflict((conflict) => conflict.columns(["guild_id", "channel_id"]).doUpdateSet(set))
    .execute();
}

/** Removes a template and drops waiting messages; false if there was no template. */
export async function removeTemplate(tx: Tx, { guildId, channelId }: Place, now: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("castellan.notice_templates")
    .where("guild_id", "=", guildId)
    .where("channel_id", "=", channelId)
    .executeTakeFirst();
  await tx
    .updateTable("castellan.outbox")
    .set({ state: "dropped", settled_at_ms: now })
    .where("kind", "=", "notice")
    .where("state", "=", "waiting")
    .where("key", "in", (query) =>
      query
        .selectFrom("castellan.cases")
        .select(sql<string>`id::text`.as("key"))
        .where("guild_id", "=", guildId)
        .where("channel_id", "=", channelId),
    )
    .execute();
  return numDeletedRows > 0n;
}
