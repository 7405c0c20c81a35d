import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import type { HubShape } from "../domain/hub-shape.ts";
import { insertCasts } from "../store/casts.ts";
import { eventRows, insertEvents } from "../store/hub-events.ts";
import { newChannels, type Batch, type EncodedPlan, type RowKind } from "./encode-plan.ts";
import { linkOrphans } from "./orphan-casts.ts";
import type { ImportPlan } from "./plan-import.ts";

/** Where a kind's records are stored. */
interface Target {
  table: string;
  /** Existing rows stay unchanged. Otherwise a conflict fails, because the plan took the rows for new. */
  mayExist: boolean;
  /** Where the children are stored, and the columns that identify the parent in both tables. */
  children?: { table: string; parentKey: string; key: string };
}

const winnersOf = (table: string) => ({ table, parentKey: "period_start_ms", key: "period_start_ms" });

const targets: Record<Exclude<RowKind, "casts" | "transfers">, Target> = {
  accounts: { table: "network.accounts", mayExist: true },
  appKeys: { table: "network.app_keys", mayExist: true },
  botAllowlist: { table: "network.bot_allowlist", mayExist: true },
  channels: { table: "network.channels", mayExist: false },
  memberships: { table: "network.memberships", mayExist: false },
  channelFollows: { table: "network.channel_follows", mayExist: false },
  userFollows: { table: "network.user_follows", mayExist: true },
  verifications: { table: "network.verifications", mayExist: true },
  actions: { table: "network.actions", mayExist: true },
  composerActions: { table: "network.composer_actions", mayExist: true },
  primaryAddresses: { table: "network.primary_addresses", mayExist: true },
  starterPacks: {
    table: "network.starter_packs",
    mayExist: true,
    children: { table: "network.starter_pack_members", parentKey: "id", key: "pack_id" },
  },
  creatorRewards: {
    table: "network.creator_reward_periods",
    mayExist: true,
    children: winnersOf("network.creator_reward_winners"),
  },
  developerRewards: {
    table: "network.developer_reward_periods",
    mayExist: true,
    children: winnersOf("network.developer_reward_winners"),
  },
};

/** Writes the whole import; returns the number of records created, by kind. */
export async function applyImport(
  tx: Tx,
  plan: ImportPlan,
  { batches, events }: EncodedPlan,
  { now, hub }: { now: number; hub: HubShape },
): Promise<Map<RowKind, number>> {
  await lockChannels(tx, plan);
  const created = new Map<RowKind, number>();
  const channels = newChannels(plan);
  for (const batch of batches) {
    const count = await insertBatch(tx, batch);
    created.set(batch.kind, (created.get(batch.kind) ?? 0) + count);
  }
  if (channels.length > 0) {
    await linkOrphans(
      tx,
      channels.map(({ url }) => url),
    );
    await countFounders(
      tx,
      channels.map(({ id }) => id),
    );
  }
  // The streams' counters have to be the last locks of a transaction.
  for (const [shard, texts] of events) {
    for (let at = 0; at < texts.length; at += maxEvents) {
      const some = texts.slice(at, at + maxEvents);
      await insertEvents(tx, { shard, shape: hub, now }, some.length, eventRows(some));
    }
  }
  return created;
}

/** Hub events per statement. */
const maxEvents = 1000;

/** Locks the channels that receive casts, roles and follows, and checks that they are still those of the plan. */
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

/** The plan's assumptions are outdated; a new plan will use the current state. */
export function networkChanged(cause?: unknown): AppError {
  return new AppError("not_ready", "The network changed while the file was being read. Import it again.", {
    cause,
  });
}

/** Returns the number of records that did not exist yet. */
async function insertBatch(tx: Tx, batch: Batch): Promise<number> {
  const { kind } = batch;
  if (kind === "transfers") return insertTransfers(tx, batch);
  const inserted = kind === "casts" ? insertCastsOf(batch) : insertRows(batch, targets[kind]);
  const { rows } = await sql<{ created: number }>`
    with inserted as (${inserted} returning *)
    ${kind === "casts" ? sql`` : insertChildren(batch, targets[kind])}
    select count(*) as created from inserted
  `.execute(tx);
  return rows[0]?.created ?? 0;
}

function insertCastsOf({ rows }: Batch): RawBuilder<unknown> {
  return insertCasts(
    sql`(select record from jsonb_array_elements(${rows}::jsonb) with ordinality as given (record, position) order by position)`,
  );
}

function insertRows({ rows, columns }: Batch, { table, mayExist }: Target): RawBuilder<unknown> {
  return sql`
    insert into ${sql.table(table)} (${names(columns)})
    select ${names(columns)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${rows}::jsonb) with ordinality
    order by ordinality ${mayExist ? sql`on conflict do nothing` : sql``}`;
}

/** A further part of the statement, for the children of the inserted rows. */
function insertChildren({ children, childColumns }: Batch, target: Target): RawBuilder<unknown> {
  if (!target.children || childColumns.size === 0) return sql``;
  const { table, parentKey, key } = target.children;
  return sql`, children as (
    insert into ${sql.table(table)} (${names(childColumns)})
    select ${names(childColumns)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${children}::jsonb) with ordinality
    where ${sql.ref(key)} in (select ${sql.ref(parentKey)} from inserted)
    order by ordinality
    on conflict do nothing
  )`;
}

function names(columns: ReadonlySet<string>): RawBuilder<unknown> {
  return sql.join([...columns].map((column) => sql.ref(column)));
}

async function countFounders(tx: Tx, channelIds: string[]): Promise<void> {
  await sql`
    update network.channels set
      member_count = (select count(*) from network.memberships where channel_id = channels.id),
      follower_count = (select count(*) from network.channel_follows where channel_id = channels.id)
    where id = any(${channelIds}::text[])
  `.execute(tx);
}

/** Registrations (transfers from 0), with ids after the stream's last one. */
async function insertTransfers(tx: Tx, { rows, count }: Batch): Promise<number> {
  // Blocks other decisions about names until this transaction ends.
  await sql`select from network.stream_heads where stream = 'transfers' for update`.execute(tx);
  await sql`
    with head as (
      update network.stream_heads set last_id = last_id + ${count}
      where stream = 'transfers' returning last_id - ${count} as before_first
    ),
    added as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select before_first + ordinality, fields.timestamp, username, owner, 0, to_fid, '0x', server_signature
      from head, jsonb_populate_recordset(null::network.transfers, ${rows}::jsonb) with ordinality as fields
      returning id, username, to_fid
    )
    insert into network.names (name, fid, transfer_id) select username, to_fid, id from added
  `.execute(tx);
  return count;
}
