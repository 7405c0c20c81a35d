import { sql } from "kysely";
import type { CastState } from "../../contract/casts.ts";
import type { operator } from "../../contract/operator.ts";
import { describeCast, describeRemoval, type CastContent } from "../../contract/message-data.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import { castAdded, castRemoved, type CastMessage } from "../domain/hub-event.ts";
import { read, write, type Operations, type WriteScope } from "../operation.ts";
import { findSigner, signHubMessage } from "../sign-hub-message.ts";
import { requireAccount } from "../store/accounts.ts";
import {
  castRecord,
  findCast,
  findCastMessage,
  insertCasts,
  insertRemoval,
  requireCast,
  visibilityOf,
  type CastRow,
} from "../store/casts.ts";
import { lockChannel, type LockedChannel } from "../store/channels.ts";
import { appendHubEvents } from "../store/hub-events.ts";

type CastOperations = Pick<Operations<typeof operator>, "cast" | "removeCast" | "readCast">;

export const operatorCastOperations: CastOperations = {
  cast: write(async (scope, { channelId, parentHash, ...input }) => {
    const { db, context } = scope;
    await requireAccount(db, input.fid);
    const parent = parentHash === undefined ? undefined : await requireCast(db, parentHash);
    const channel = await lockChannelOf(scope, channelId, parent);
    const now = seconds(context.clock);
    const content = {
      fid: input.fid,
      text: input.text,
      timestamp: input.timestamp ?? now,
      mentions: input.mentions,
      embeds: input.embeds,
      // A reply has only its parent; the channel follows from that.
      parentUrl: parent ? undefined : channel?.url,
      parent: parent && { fid: parent.fid, hash: parent.hash },
    };
    const cast = await insertCast(scope, content, channel?.id ?? null);
    await appendHubEvents(db, now, [castAdded(cast)], context.settings.hub);
    return { hash: cast.hash };
  }),

  removeCast: write(async ({ db, context }, { hash }) => {
    const { channel_id: channelId } = await requireCast(db, hash);
    const channel = channelId === null ? undefined : await lockChannel(db, channelId);
    const now = seconds(context.clock);
    const removed = await findCastMessage(db, hash);
    const { numUpdatedRows } = await db
      .updateTable("network.casts")
      .set({ removed_at: now })
      .where("hash", "=", hash)
      .where("removed_at", "is", null)
      .executeTakeFirstOrThrow();
    if (!removed || numUpdatedRows === 0n) throw new AppError("not_found", `There is no cast ${hash}.`);
    if (channel?.pinned_cast_hash === hash) {
      await db
        .updateTable("network.channels")
        .set({ pinned_cast_hash: null })
        .where("id", "=", channel.id)
        .execute();
    }
    const removal = { fid: removed.fid, timestamp: now, targetHash: hash };
    const signer = await findSigner(context, db, removal.fid, now);
    const sealed = { ...removal, ...signHubMessage(describeRemoval(removal), signer) };
    await insertRemoval(db, sealed);
    await appendHubEvents(db, now, [castRemoved(sealed, removed)], context.settings.hub);
    return { success: true };
  }),

  readCast: read(async ({ db }, { hash }): Promise<CastState> => {
    const cast = await findCast(db, hash);
    if (!cast) throw new AppError("not_found", `There is no cast ${hash}.`);
    const { channel_id: channelId, parent_url: parentUrl, parent_hash: parentHash } = cast;
    const isReply = parentHash !== null;
    const restriction =
      isReply && channelId !== null
        ? await db
            .selectFrom("network.restrictions")
            .select("id")
            .where("channel_id", "=", channelId)
            .where("fid", "=", cast.fid)
            .executeTakeFirst()
        : undefined;
    return {
      cast: {
        hash,
        fid: cast.fid,
        text: cast.text,
        timestamp: cast.timestamp,
        ...(parentUrl !== null && { parentUrl }),
        ...(parentHash !== null && { parentHash }),
        removed: cast.removed_at !== null,
      },
      ...visibilityOf(cast),
      belowFold: restriction !== undefined,
      ...(channelId !== null && { channelId }),
    };
  }),
};

/** A hash identifies a message, so an identical one within the same second gets the next free second. */
async function insertCast(
  { db, context, now }: WriteScope,
  content: CastContent,
  channelId: string | null,
): Promise<CastMessage> {
  const signer = await findSigner(context, db, content.fid, now);
  for (let { timestamp } = content; ; timestamp += 1) {
    const moved = { ...content, timestamp };
    const cast = { ...moved, ...signHubMessage(describeCast(moved), signer) };
    const record = JSON.stringify(castRecord(cast, channelId));
    const { rows } = await sql`
      ${insertCasts(sql`(select ${record}::jsonb as record)`)} on conflict (hash) do nothing returning hash
    `.execute(db);
    if (rows.length > 0) return cast;
  }
}

/** The cast's channel, locked: the parent's, or the one named. */
async function lockChannelOf(
  { db }: WriteScope,
  channelId: string | undefined,
  parent: CastRow | undefined,
): Promise<LockedChannel | undefined> {
  if (parent && channelId !== undefined && parent.channel_id !== channelId) {
    throw new AppError("invalid_request", "parentHash: the parent is not in this channel", {
      instancePath: "/parentHash",
    });
  }
  const entered = parent ? parent.channel_id : channelId;
  return entered ? lockChannel(db, entered) : undefined;
}
