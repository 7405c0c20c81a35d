// @ts-nocheck
import type { Tx } from "../database/database.ts";
import type { ChannelEvent } from "../observe/event.ts";
import type { Change } from "./claim-events.ts";
import { blankCase, nextNumbers } from "./propose-case.ts";
import { revertEnded } from "./settle-case.ts";

/** Records what others did, in every server that is linked to the channel. */
export async function addOutsideCases(
  tx: Tx,
  outside: readonly { event: ChannelEvent; change: Change }[],
): Promise<void> {
  const channels = new Set(outside.map(({ event }) => event.channelId).filter((id) => id !== null));
  if (channels.size === 0) return;
  const links = await tx
    .selectFrom("castellan.links")
    .select(["guild_id", "channel_id"])
    .where("channel_id", "in", [...channels])
    .orderBy("channel_id")
    .orderBy("guild_id")
    .execute();
  for (const { guild_id, channel_id } of links) {
    const own = outside.filter(({ event }) => event.channelId === channel_id);
    const first = await nextNumbers(tx, guild_id, channel_id, own.length);
    const rows = own.map(({ event, change }, index) => ({
      ...blankCase,
      guild_id,
      channel_id,
      number: first + index,
      lane: change.lane,
      kind: change.kind,
      state: "outside" as const,
      target_fid: change.targetFid ?? null,
      target_cast: change.targetCast ?? null,
      role: event.kind === "invite.created" ? event.data.role : null,
      actor_kind: "outside" as const,
      actor_fid: event.kind === "invite.created" ? event.data.inviterFid : null,
      requested_at_ms: event.occurredAt * 1000,
      settled_at_ms: event.observedAt,
      claimed_event_id: event.id,
    }));
    const inserted = await tx
      .insertInto("castellan.cases")
      .values(rows)
      .returning(["id", "kind", "channel_id", "lane"])
      .execute();
    for (const added of inserted) await revertEnded(tx, added);
  }
}
