import type { BotContext } from "../../bot-context.ts";

/** Has the rest of a bulk left alone: whoever runs it next settles that. False where it has ended. */
export async function stopBulk({ database }: BotContext, bulkId: number, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await database.query
    .updateTable("castellan.bulks")
    .set({ stopped_by: userId, retry_at_ms: null })
    .where("id", "=", bulkId)
    .where("ended_at_ms", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
