import type { BotContext } from "../bot-context.ts";
import type { Queryable, Tx } from "../database/database.ts";
import type { SetupChangeTable } from "../database/tables/bot.ts";
import { newEvent } from "./events.ts";

/** Who changed the server's setup, and how; `what` is a sentence without its full stop, and quotes nobody's text. */
export interface SetupChange {
  guildId: string;
  /** Absent if it concerns all channels. */
  channelId?: string | undefined;
  kind: SetupChangeTable["kind"];
  userId: string;
  what: string;
}

/** Records a change of the setup, in the transaction that makes it. */
export async function recordSetupChange(
  { clock }: Pick<BotContext, "clock">,
  tx: Tx,
  { guildId, channelId, kind, userId, what }: SetupChange,
): Promise<number> {
  const { id } = await tx
    .insertInto("castellan.setup_changes")
    .values({
      guild_id: guildId,
      channel_id: channelId ?? null,
      kind,
      by_user: userId,
      at_ms: clock.now(),
      what,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The same, and announces it in the rooms. Last in its transaction, like every event. */
export async function announceSetupChange(
  context: Pick<BotContext, "clock" | "appendEvents">,
  tx: Tx,
  change: SetupChange,
): Promise<void> {
  const id = await recordSetupChange(context, tx, change);
  const { guildId, userId, what, channelId = null } = change;
  await context.appendEvents(tx, [
    newEvent(context.clock.now(), {
      sourceKey: `setup ${id}`,
      kind: "setup.changed",
      channelId,
      data: { guildId, userId, what },
    }),
  ]);
}

interface SetupFilter {
  guildId: string;
  /** Only changes in these channels, and changes that concern all channels. */
  channelIds?: readonly string[] | undefined;
  kind?: SetupChange["kind"] | undefined;
  /** UNIX milliseconds. */
  sinceMs?: number | undefined;
  before?: number | undefined;
  limit: number;
}

/** Newest first. */
export function listSetupChanges(
  db: Queryable,
  { guildId, channelIds, kind, sinceMs, before, limit }: SetupFilter,
) {
  return db
    .selectFrom("castellan.setup_changes")
    .selectAll()
    .where("guild_id", "=", guildId)
    .$if(channelIds !== undefined, (changes) =>
      changes.where((is) => is.or([is("channel_id", "is", null), is("channel_id", "in", channelIds ?? [])])),
    )
    .$if(sinceMs !== undefined, (changes) => changes.where("at_ms", ">=", sinceMs ?? 0))
    .$if(kind !== undefined, (changes) => changes.where("kind", "=", kind ?? "rules"))
    .$if(before !== undefined, (changes) => changes.where("id", "<", before ?? 0))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
