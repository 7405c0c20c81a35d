import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { listShards, type HubShape } from "../domain/hub-shape.ts";
import { insertCasts } from "../store/casts.ts";
import { insertEvents, type HubStream } from "../store/hub-events.ts";
import { linkOrphans } from "./orphan-casts.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { StagedKind, StagedRecords } from "./stage.ts";

/** Where the records of a kind go. */
interface Target {
  kind: StagedKind;
  table: string;
  /** What is there already stays as it is. Where nothing may be, a conflict fails: the plan took the rows for new. */
  mayExist: boolean;
  /** Where their children go, and the column that identifies their parent. */
  children?: { table: string; key: string };
}

/** In the order that references need. */
const targets: readonly Target[] = [
  { kind: "accounts", table: "network.accounts", mayExist: true },
  { kind: "appKeys", table: "network.app_keys", mayExist: true },
  { kind: "botAllowlist", table: "network.bot_allowlist", mayExist: true },
  { kind: "channels", table: "network.channels", mayExist: false },
  { kind: "memberships", table: "network.memberships", mayExist: false },
  { kind: "channelFollows", table: "network.channel_follows", mayExist: false },
  { kind: "userFollows", table: "network.user_follows", mayExist: true },
  { kind: "casts", table: "network.casts", mayExist: false },
  { kind: "verifications", table: "network.verifications", mayExist: true },
  { kind: "actions", table: "network.actions", mayExist: true },
  { kind: "composerActions", table: "network.composer_actions", mayExist: true },
  { kind: "primaryAddresses", table: "network.primary_addresses", mayExist: true },
  {
    kind: "starterPacks",
    table: "network.starter_packs",
    mayExist: true,
    children: { table: "network.starter_pack_members", key: "id" },
  },
  {
    kind: "creatorRewards",
    table: "network.creator_reward_periods",
    mayExist: true,
    children: { table: "network.creator_reward_winners", key: "period_start_ms" },
  },
  {
    kind: "developerRewards",
    table: "network.developer_reward_periods",
    mayExist: true,
    children: { table: "network.developer_reward_winners", key: "period_start_ms" },
  },
];

/** Turns what is staged into rows, all of it or nothing; gives the number of records created of each kind. */
export async function applyImport(
  tx: Tx,
  importId: number,
  plan: ImportPlan,
  staged: ReadonlyMap<StagedKind, StagedRecords>,
  { now, hub }: { now: number; hub: HubShape },
): Promise<Map<StagedKind, number>> {
  await lockChannels(tx, plan);
  const created = new Map<StagedKind, number>();
  for (const target of targets) {
    const records = staged.get(target.kind);
    if (!records) continue;
    created.set(target.kind, await insertStaged(tx, importId, target, records));
    if (target.kind === "channels") await linkOrphans(tx, newUrls(plan));
  }
  if (created.get("channels")) await countFounders(tx, importId);
  const registrations = staged.get("transfers")?.count ?? 0;
  if (registrations > 0) await insertTransfers(tx, importId, registrations);
  for (const shard of listShards(hub)) {
    const count = registrations + (staged.get("casts")?.shards.get(shard) ?? 0);
    if (count > 0) await appendStagedEvents(tx, importId, { shard, shape: hub, now }, count);
  }
  return created;
}

/** Locks the channels that casts, roles and follows go into, and checks that they are still those of the plan. */
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

/** Gives the number of records that were not there yet. */
async function insertStaged(
  tx: Tx,
  importId: number,
  target: Target,
  { columns, childColumns }: StagedRecords,
): Promise<number> {
  const { kind, table, mayExist, children } = target;
  const records = stagedRecords(importId, kind);
  const insert =
    kind === "casts"
      ? insertCasts(sql`(select record -> 'row' as record from ${records} as casts order by position)`)
      : sql`
          insert into ${sql.table(table)} (${names(columns)})
          select ${names(columns, "fields")}
          from ${records} as records
          cross join lateral jsonb_populate_record(null::${sql.table(table)}, record -> 'row') as fields
          order by position ${mayExist ? sql`on conflict do nothing` : sql``}`;
  const insertChildren =
    children && childColumns.size > 0
      ? sql`, children as (
          insert into ${sql.table(children.table)} (${names(childColumns)})
          select ${names(childColumns, "fields")}
          from inserted
          join ${records} as records
            on record -> 'row' ->> ${sql.lit(children.key)} = inserted.${sql.ref(children.key)}::text
          cross join lateral
            jsonb_populate_recordset(null::${sql.table(children.table)}, record -> 'children') as fields
          on conflict do nothing
        )`
      : sql``;
  const { rows } = await sql<{ created: number }>`
    with inserted as (${insert} returning *)${insertChildren}
    select count(*) as created from inserted
  `.execute(tx);
  return rows[0]?.created ?? 0;
}

/** The staged records of a kind as rows of (record, position). */
function stagedRecords(importId: number, kind: StagedKind): RawBuilder<unknown> {
  return sql`(
    select record, position from network.import_records where import_id = ${importId} and kind = ${kind}
  )`;
}

function names(columns: ReadonlySet<string>, table?: string): RawBuilder<unknown> {
  return sql.join([...columns].map((column) => sql.ref(table ? `${table}.${column}` : column)));
}

async function countFounders(tx: Tx, importId: number): Promise<void> {
  await sql`
    update network.channels set
      member_count = (select count(*) from network.memberships where channel_id = channels.id),
      follower_count = (select count(*) from network.channel_follows where channel_id = channels.id)
    from ${stagedRecords(importId, "channels")} as records
    where channels.id = record -> 'row' ->> 'id'
  `.execute(tx);
}

/** Registrations from 0, whose ids begin after the stream's last one. */
async function insertTransfers(tx: Tx, importId: number, count: number): Promise<void> {
  // Nothing is decided about names until this transaction ends.
  await sql`select from network.stream_heads where stream = 'transfers' for update`.execute(tx);
  await sql`
    with head as (
      update network.stream_heads set last_id = last_id + ${count}
      where stream = 'transfers' returning last_id - ${count} as before_first
    ),
    added as (
      insert into network.transfers
        (id, timestamp, username, owner, from_fid, to_fid, user_signature, server_signature)
      select before_first + row_number() over (order by position), fields.timestamp, fields.username, fields.owner,
        0, fields.to_fid, '0x', fields.server_signature
      from head
      cross join ${stagedRecords(importId, "transfers")} as records
      cross join lateral jsonb_populate_record(null::network.transfers, record -> 'row') as fields
      returning id, username, to_fid
    )
    insert into network.names (name, fid, transfer_id) select username, to_fid, id from added
  `.execute(tx);
}

/** Proofs of names first, then casts, parents before replies. Takes a stream's counter: nothing else may come after it. */
async function appendStagedEvents(tx: Tx, importId: number, stream: HubStream, count: number): Promise<void> {
  const { shard, shape } = stream;
  const isOwn =
    shape.shards === 1 ? sql`true` : sql`(kind = 'transfers' or (record ->> 'shard')::integer = ${shard})`;
  await insertEvents(
    tx,
    stream,
    count,
    sql`(
      select
        case kind when 'casts' then 'HUB_EVENT_TYPE_MERGE_MESSAGE' else 'HUB_EVENT_TYPE_MERGE_USERNAME_PROOF' end,
        record ->> 'tail',
        row_number() over (order by kind desc, position)
      from network.import_records
      where import_id = ${importId} and kind in ('transfers', 'casts') and ${isOwn}
    )`,
  );
}
