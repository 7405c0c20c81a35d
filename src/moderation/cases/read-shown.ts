import type { Channel } from "../../contract/channels.ts";
import type { Tx } from "../../database/database.ts";
import type { EventContent } from "../../observe/events.ts";
import type { Case, CaseKind } from "./case.ts";

/** The network's state: a kind of case; for pins, also the cast. */
export interface Shown {
  kind: CaseKind;
  cast: string | null;
  content: EventContent | undefined;
}

/** The target's state as the sources read it; undefined if they do not show it. */
export async function readShown(tx: Tx, sample: Case): Promise<Shown | undefined> {
  const { kind, channelId, targetFid, targetCast } = sample;
  if (kind === "hide" || kind === "unhide") {
    // Each record was announced.
    const record = await tx
      .selectFrom("castellan.records")
      .select("action")
      .where("channel_id", "=", channelId)
      .where("cast_hash", "=", targetCast)
      .orderBy("moderated_at", "desc")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
    return record && { kind: record.action, cast: null, content: undefined };
  }
  const listed = await tx
    .selectFrom("castellan.sources")
    .select("has_baseline")
    .where("source", "=", `listings/${channelId}`)
    .executeTakeFirst();
  if (!listed?.has_baseline) return undefined;
  if (kind === "ban" || kind === "unban") {
    const entry = await tx
      .selectFrom("castellan.listing_entries")
      .select("at")
      .where("channel_id", "=", channelId)
      .where("listing", "=", "bans")
      .where("fid", "=", targetFid)
      .executeTakeFirst();
    return entry
      ? { kind: "ban", cast: null, content: { kind: "user.banned", data: { at: entry.at } } }
      : { kind: "unban", cast: null, content: { kind: "user.unbanned", data: {} } };
  }
  if (kind === "invite" || kind === "revoke_invite") {
    const entry = await tx
      .selectFrom("castellan.listing_entries")
      .select(["role", "inviter_fid"])
      .where("channel_id", "=", channelId)
      .where("listing", "=", "invites")
      .where("fid", "=", targetFid)
      .executeTakeFirst();
    // A missing entry may have been accepted.
    if (!entry) return undefined;
    const data = { role: entry.role ?? "member", inviterFid: entry.inviter_fid ?? 0 };
    return { kind: "invite", cast: null, content: { kind: "invite.created", data } };
  }
  if (kind === "pin" || kind === "unpin") {
    const row = await tx
      .selectFrom("castellan.channel_snapshots")
      .select("channel_json")
      .where("channel_id", "=", channelId)
      .executeTakeFirst();
    if (!row) return undefined;
    // Written by storeChannel.
    const { pinnedCastHash = null } = JSON.parse(row.channel_json) as Channel;
    const content = {
      kind: "pin.changed",
      data: { castHash: pinnedCastHash, previousHash: targetCast },
    } as const;
    return { kind: pinnedCastHash === null ? "unpin" : "pin", cast: pinnedCastHash, content };
  }
  return undefined;
}
