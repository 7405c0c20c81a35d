import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { CaseKind } from "../../database/tables/bot.ts";
import { newEvent } from "../../observe/events.ts";
import type { Bulk } from "./bulk.ts";

type Announcer = Pick<BotContext, "clock" | "appendEvents">;

/** Tells rooms of a bulk, once, whatever it does to how many. Last in its transaction, as every event. */
export async function announceBulk(
  { clock, appendEvents }: Announcer,
  tx: Tx,
  { id: bulkId, guildId, channelId, subjectFid }: Bulk,
  kinds: readonly CaseKind[],
): Promise<void> {
  await appendEvents(tx, [
    newEvent(clock.now(), {
      sourceKey: `bulk ${bulkId}`,
      kind: "bulk.begun",
      channelId,
      subjectFid: subjectFid,
      data: { guildId, bulkId, kinds: [...kinds] },
    }),
  ]);
}

/** What was told of a bulk is not so any more: it has ended, or `because` something else came out. */
export async function announceBulkChange(
  { clock, appendEvents }: Announcer,
  tx: Tx,
  bulk: Pick<Bulk, "id" | "guildId" | "channelId">,
  because: string,
): Promise<void> {
  const { id: bulkId, guildId, channelId } = bulk;
  await appendEvents(tx, [
    newEvent(clock.now(), {
      sourceKey: `bulk ${bulkId} ${because}`,
      kind: "bulk.changed",
      channelId,
      data: { guildId, bulkId },
    }),
  ]);
}
