// @ts-nocheck
import { randomBytes } from "node:crypto";
import type { CastState } from "../../contract/casts.ts";
import { operator } from "../../contract/operator.ts";
import type { OperatorContract } from "../../contract/index.ts";
import { messageEpoch } from "../../contract/hub.ts";
import { AppError } from "../../errors.ts";
import { seconds } from "../../clock.ts";
import type { WriteScope } from "../context.ts";
import { addressedBy, markOnEntry, type CastMarks } from "../domain/cast-marks.ts";
import { castAdded, castRemoved, type CastMessage } from "../domain/hub-event.ts";
import { read, write, type Operations } from "../operation.ts";
import { requireAccount } from "../store/accounts.ts";
import { isBlocked } from "../store/blocks.ts";
import { findCast, fromMarks, requireCast, toMarks, type CastRow } from "../store/casts.ts";
import { lockChannel, type LockedChannel } from "../store/channels.ts";
import { appendHubEvents } from "../store/hub-events.ts";
import { readStanding } from "../store/standings.ts";

type CastOperations = Pick<Operations<OperatorContract>["operator"], "cast" | "removeCast" | "readCast">;

export const operatorCastOperations: CastOperations = {
  cast: write(operator.cast, async (scope, { channelId, parentHash, ...input }) => {
    const { db, context } = scope;
    await requireAccount(db, input.fid);
    const parent = parentHash === undefined ? undefined : await requireCast(db, parentHash);
    const channel = await lockChannelOf(scope, channelId, parent);
    const now = seconds(context.clock);
    const cast = {
      hash: createHash(),
      fid: input.fid,
      text: input.text,
      timestamp: requireMessageTime(input.timestamp ?? now),
      mentions: input.mentions,
      embeds: input.embeds,
      // A reply carries its parent alone; the channel follows from that.
      parentUrl: parent ? undefined : channel?.url,
      parent: parent && { fid: parent.fid, hash: parent.hash },
    };
    await db
      .insertInto("network.casts")
      .values({
        hash: cast.hash,
        fid: cast.fid,
        text: cast.text,
        timestamp: cast.timestamp,
        channel_id: channel?.id ?? null,
        parent_url: cast.parentUrl ?? null,
        parent_hash: cast.parent?.hash ?? null,
        mentions: JSON.stringify(cast.mentions),
        embeds: JSON.stringify(cast.embeds),
        ...fromMarks(await marksOf(scope, cast, channel)),
      })
      .execute();
    await appendHubEvents(db, now, [castAdded(cast)]);
    return { hash: cast.hash };
  }),

  removeCast: write(operator.removeCast, async ({ db, context }, { hash }) => {
    const { channel_id: channelId } = await requireCast(db, hash);
    const channel = channelId === null ? undefined : await lockChannel(db, channelId);
    const now = seconds(context.clock);
    const removed = await db
      .updateTable("network.casts")
      .set({ removed_at: now })
      .where("hash", "=", hash)
      .where("removed_at", "is", null)
      .returning("fid")
      .executeTakeFirst();
    if (!removed) throw new AppError("not_found", `There is no cast ${hash}.`);
    if (channel?.pinned_cast_hash === hash) {
      await db
        .updateTable("network.channels")
        .set({ pinned_cast_hash: null })
        .where("id", "=", channel.id)
        .execute();
    }
    const removal = { hash: createHash(), fid: removed.fid, timestamp: now, targetHash: hash };
    await appendHubEvents(db, now, [castRemoved(removal)]);
    return { success: true };
  }),

  readCast: read(operator.readCast, async ({ db }, { hash }): Promise<CastState> => {
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
      ...toMarks(cast),
      belowFold: restriction !== undefined,
      ...(channelId !== null && { channelId }),
    };
  }),
};

function createHash(): string {
  return `0x${randomBytes(20).toString("hex")}`;
}

function requireMessageTime(timestamp: number): number {
  if (timestamp >= messageEpoch) return timestamp;
  throw new AppError("invalid_request", "timestamp: messages begin with the year 2021", {
    instancePath: "/timestamp",
  });
}

/** The channel that the cast enters, held: by its parent, or by the one that was named. */
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

async function marksOf(
  { db }: WriteScope,
  cast: CastMessage,
  channel: LockedChannel | undefined,
): Promise<CastMarks> {
  const entry = {
    isReply: cast.parent !== undefined,
    isBlocked: await isBlocked(db, cast.fid, addressedBy(cast)),
  };
  if (!channel) return markOnEntry(entry, undefined);
  const { standing } = await readStanding(db, channel.id, cast.fid, cast.fid);
  return markOnEntry(entry, { author: standing.state, publicCasting: channel.public_casting });
}
