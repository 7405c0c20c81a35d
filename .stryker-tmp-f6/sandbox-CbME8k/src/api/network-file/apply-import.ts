// @ts-nocheck
import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { insertEvents } from "../store/hub-events.ts";
import { lockRegistry } from "../store/transfers.ts";
import { adoptCasts } from "./adopted-casts.ts";
import { catalogInsertions } from "./insert-catalog.ts";
import { networkInsertions } from "./insert-network.ts";
import { staged, type Insertion } from "./insertion.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { StagedKind } from "./stage.ts";

/** Turns what is staged into rows, all of it or nothing; gives the number of records created of each kind. */
export async function applyImport(
  tx: Tx,
  importId: number,
  plan: ImportPlan,
  counts: ReadonlyMap<StagedKind, number>,
  now: number,
): Promise<Map<StagedKind, number>> {
  await lockChannels(tx, plan);
  const created = new Map<StagedKind, number>();
  for (const insertion of [...networkInsertions, ...catalogInsertions]) {
    if (!counts.get(insertion.kind)) continue;
    created.set(insertion.kind, await insertStaged(tx, insertion, importId, now));
    if (insertion.kind === "channels") await adoptCasts(tx, newUrls(plan));
  }
  if (created.get("channels")) await countFounders(tx, importId);
  const registrations = counts.get("transfers") ?? 0;
  if (registrations > 0) await insertTransfers(tx, importId, registrations);
  await appendStagedEvents(tx, importId, now, registrations + (counts.get("casts") ?? 0));
  return created;
}

/** Holds the channels that casts, roles and follows go into, and checks that they are still those of the plan. */
async function lockChannels(tx: Tx, { channelIds, known }: ImportPlan): Promise<void> {
  const channels = await tx
    .selectFrom("network.channels")
    .select(["id", "url"])
    .where("id", "=", sql<string>`any(${[...channelIds]}::text[])`)
    .orderBy("id")
    .forUpdate()
    .execute();
  const found = new Map(channels.map(({ id, url }) => [id, url]));
  for (const id of channelIds) if (found.get(id) !== known.channels.get(id)) throw networkChanged();
}

function newUrls({ file, known }: ImportPlan): string[] {
  const channels = file.channels.filter((channel) => channel !== undefined);
  return channels.filter(({ id }) => !known.channels.has(id)).map(({ url }) => url);
}

/** What the plan relied on is no longer so; a new plan will rely on what is. */
export function networkChanged(cause?: unknown): AppError {
  return new AppError("not_ready", "The network changed while the file was read. Import it again.", {
    cause,
  });
}

async function insertStaged(
  tx: Tx,
  { insert, children }: Insertion,
  importId: number,
  now: number,
): Promise<number> {
  const also = children ? sql`, children as (${children(importId)})` : sql``;
  const { rows } = await sql<{ created: number }>`
    with inserted as (${insert(importId, now)} returning *)${also}
    select count(*) as created from inserted
  `.execute(tx);
  return rows[0]?.created ?? 0;
}

async function countFounders(tx: Tx, importId: number): Promise<void> {
  await sql`
    update network.channels set
      member_count = (select count(*) from network.memberships where channel_id = channels.id),
      follower_count = (select count(*) from network.channel_follows where channel_id = channels.id)
    from ${staged(importId, "channels", "id text")} as record
    where channels.id = record.id
  `.execute(tx);
}

/** Registrations from 0, whose ids begin after the stream's last one. */
async function insertTransfers(tx: Tx, importId: number, count: number): Promise<void> {
  await lockRegistry(tx);
  const columns = `timestamp bigint, username text, owner text, "to" bigint, server_signature text`;
  await sql`
    with head as (
      update network.stream_heads set last_id = last_id + ${count}
      where stream = 'transfers' returning last_id - ${count} as before_first
    ),
    added as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select before_first + row_number() over (order by position), timestamp, username, owner, 0, "to", '0x', server_signature
      from head, ${staged(importId, "transfers", columns)} as record
      returning id, username, to_fid
    )
    insert into network.names (name, fid, transfer_id) select username, to_fid, id from added
  `.execute(tx);
}

/** Proofs of names first, then casts, parents before replies. Takes the stream's counter: nothing may come after it. */
async function appendStagedEvents(tx: Tx, importId: number, now: number, count: number): Promise<void> {
  if (count === 0) return;
  await insertEvents(
    tx,
    now,
    count,
    sql`(
      select
        case kind when 'casts' then 'HUB_EVENT_TYPE_MERGE_MESSAGE' else 'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF' end,
        record ->> 'tail',
        row_number() over (order by kind desc, position)
      from network.import_records
      where import_id = ${importId} and kind in ('transfers', 'casts')
    )`,
  );
}
