import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import type { CaseKind } from "../../database/tables/bot.ts";
import { newEvent } from "../../observe/events.ts";
import type { Bulk } from "./bulk.ts";

type Announcer = Pick<BotContext, "clock" | "appendEvents">;

/** Announces a bulk once, however many targets it has. Last in its transaction, like every event. */
export async function announceBulk(
  { clock, appendEvents }: Announcer,
  tx: Tx,
  { id: bulkId, guildId, channelId, otherChannelIds, subjectFid }: Bulk,
  kinds: readonly CaseKind[],
): Promise<void> {
  await appendEvents(tx, [
    newEvent(clock.now(), {
      sourceKey: `bulk ${bulkId}`,
      kind: "bulk.begun",
      channelId,
      subjectFid: subjectFid,
      data: { guildId, bulkId, kinds: [...kinds], ...(otherChannelIds.length > 0 && { otherChannelIds }) },
    }),
  ]);
}

/** Marks a bulk's posts as outdated: it has ended, or its result changed for the reason in `because`. */
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
