// @ts-nocheck
import { sql } from "kysely";
import { moderatedCasts } from "../../contract/casts.ts";
import type { Contract } from "../../contract/index.ts";
import { seconds } from "../../clock.ts";
import { moderateCast } from "../domain/cast-marks.ts";
import { read, write, type Operations } from "../operation.ts";
import { saveMarks, toMarks } from "../store/casts.ts";
import { given, readChannelPage } from "../store/paging.ts";
import { lockModeratedCast } from "./lock-moderated-cast.ts";

export const moderatedCastsOperations: Operations<Contract>["moderatedCasts"] = {
  list: read(moderatedCasts.list, async ({ db }, { channelId, ...page }) => {
    const records = db
      .selectFrom("network.moderation_records")
      .select(["cast_hash as castHash", "channel_id as channelId", "action", "moderated_at as moderatedAt"])
      .where((eb) => eb.and(given({ channel_id: channelId })));
    const { rows, next } = await readChannelPage(db, channelId, records, {
      listing: [moderatedCasts.list.path, channelId],
      order: ["moderated_at", "id"],
      ...page,
    });
    return { result: { moderationActions: rows }, ...next };
  }),

  moderate: write(moderatedCasts.moderate, async (scope, { castHash, action }) => {
    const { cast, channel } = await lockModeratedCast(scope, castHash);
    const marks = toMarks(cast);
    const after = moderateCast(marks, action);
    if (after === marks) return { success: true };
    await saveMarks(scope.db, castHash, after);
    const now = seconds(scope.context.clock);
    // Under the channel's lock, and never before its last record: a reader who knows that one misses nothing.
    await sql`
      insert into network.moderation_records (channel_id, cast_hash, action, moderated_at)
      select ${channel.id}, ${castHash}, ${action}, greatest(${now}::bigint, max(moderated_at))
      from network.moderation_records where channel_id = ${channel.id}
    `.execute(scope.db);
    return { success: true };
  }),
};
