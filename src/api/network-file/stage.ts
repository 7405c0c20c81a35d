import { sql } from "kysely";
import { describeClaim } from "../../contract/name-claim.ts";
import { describeCast } from "../../contract/message-data.ts";
import { castAdded, usernameProofMerged } from "../domain/hub-event.ts";
import { shardOf } from "../domain/hub-shape.ts";
import { castRecord } from "../store/casts.ts";
import { eventTail } from "../store/hub-events.ts";
import type { ApiContext } from "../context.ts";
import { findSigner, sealUnderHash } from "../sign-hub-message.ts";
import type { MessageSigner } from "../signatures.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { Kind, RecordOf } from "./records.ts";
import { createYield } from "../../async.ts";

/** What is staged: records of the file's kinds, and what the plan made of them. */
export type StagedKind = Kind | "appKeys" | "memberships" | "transfers";

/** By the names of a table's columns. */
type Row = Readonly<Record<string, unknown>>;

/** A record as it is staged: as the row that it becomes. */
interface StagedRecord {
  row: Row;
  /** Rows of another table that belong to it; they count only where this import creates the record. */
  children?: readonly Row[];
  /** The hub event that tells of it, without its head. */
  tail?: string;
  /** The shard that tells of it, where that is not every one. */
  shard?: number;
}

/** What was staged of a kind: how many records, and the columns that they fill. */
export interface StagedRecords {
  count: number;
  columns: ReadonlySet<string>;
  childColumns: ReadonlySet<string>;
  /** How many are told by each shard alone. */
  shards: ReadonlyMap<number, number>;
}

/** Records in one statement. */
const chunkSize = 500;

/** Writes the plan into the staging table, in short statements. */
export async function stagePlan(
  context: ApiContext,
  importId: number,
  plan: ImportPlan,
  now: number,
): Promise<Map<StagedKind, StagedRecords>> {
  const staged = new Map<StagedKind, StagedRecords>();
  for (const [kind, records] of recordsToStage(context, plan, now)) {
    let count = 0;
    const columns = new Set<string>();
    const childColumns = new Set<string>();
    const shards = new Map<number, number>();
    for await (const chunk of chunksOf(records)) {
      await sql`
        insert into network.import_records (import_id, kind, position, record)
        select ${importId}, ${kind}, ${count} + ordinality, record
        from jsonb_array_elements(${JSON.stringify(chunk)}::jsonb) with ordinality as element (record, ordinality)
      `.execute(context.database.query);
      count += chunk.length;
      for (const { row, children = [], shard } of chunk) {
        if (shard !== undefined) shards.set(shard, (shards.get(shard) ?? 0) + 1);
        for (const column in row) columns.add(column);
        for (const child of children) for (const column in child) childColumns.add(column);
      }
    }
    if (count > 0) staged.set(kind, { count, columns, childColumns, shards });
  }
  return staged;
}

async function* chunksOf(records: StagedSource): AsyncGenerator<StagedRecord[]> {
  const yieldToEventLoop = createYield();
  let chunk: StagedRecord[] = [];
  for await (const record of records) {
    chunk.push(record);
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
    await yieldToEventLoop();
  }
  if (chunk.length > 0) yield chunk;
}

type StagedSource = Iterable<StagedRecord> | AsyncIterable<StagedRecord>;

function recordsToStage(context: ApiContext, plan: ImportPlan, now: number): [StagedKind, StagedSource][] {
  const { file, known } = plan;
  const channels = file.channels.filter(
    (channel) => channel !== undefined && !known.channels.has(channel.id),
  );
  const created = new Set(channels.map((channel) => channel?.id));
  // A channel's follows count only when this import creates the channel.
  const follows = file.channelFollows.filter((follow) => created.has(follow?.channelId));
  return [
    ["accounts", rows(file.accounts, ({ appKeys: _keys, username: _name, ...fields }) => inColumns(fields))],
    ["appKeys", appKeys(file.accounts)],
    ["channels", rows(channels, (channel) => channelRow(channel, now))],
    ["memberships", founders(channels, now)],
    [
      "channelFollows",
      rows(follows, (follow) => inColumns({ ...follow, followedAt: follow.followedAt ?? now })),
    ],
    ["userFollows", rows(file.userFollows, inColumns)],
    ["casts", newCasts(context, plan, now)],
    ["botAllowlist", rows(file.botAllowlist, (fid) => ({ fid }))],
    ["actions", rows(file.actions, actionRow)],
    ["composerActions", rows(file.composerActions, actionRow)],
    ["verifications", rows(file.verifications, inColumns)],
    ["creatorRewards", periods(file.creatorRewards)],
    ["developerRewards", periods(file.developerRewards)],
    ["primaryAddresses", rows(file.primaryAddresses, inColumns)],
    ["starterPacks", starterPacks(file.starterPacks)],
    ["transfers", registrations(context, plan, now)],
  ];
}

function* rows<T>(records: readonly (T | undefined)[], toRow: (record: T) => Row): Generator<StagedRecord> {
  for (const record of records) if (record !== undefined) yield { row: toRow(record) };
}

/** Columns are named as the file's fields are, in snake_case. */
function inColumns(fields: object): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}

function* appKeys(accounts: ImportPlan["file"]["accounts"]): Generator<StagedRecord> {
  for (const account of accounts) {
    for (const key of account?.appKeys ?? []) yield { row: { fid: account?.fid, key } };
  }
}

function channelRow(channel: RecordOf<"channels">, now: number): Row {
  const { moderatorFids: _moderators, memberFids: _members, externalLink, ...fields } = channel;
  return {
    ...inColumns({ ...fields, createdAt: channel.createdAt ?? now }),
    external_link_title: externalLink?.title,
    external_link_url: externalLink?.url,
  };
}

/** Owner, moderators and members of channels, each once, in the highest of their roles. */
function* founders(channels: ImportPlan["file"]["channels"], now: number): Generator<StagedRecord> {
  for (const channel of channels) {
    if (!channel) continue;
    const roles = new Map<number, string>();
    for (const fid of channel.memberFids) roles.set(fid, "member");
    for (const fid of channel.moderatorFids) roles.set(fid, "moderator");
    if (channel.leadFid !== undefined) roles.set(channel.leadFid, "owner");
    const members = new Set(channel.memberFids);
    for (const [fid, role] of roles) {
      const was_member = role !== "moderator" || members.has(fid);
      yield { row: { channel_id: channel.id, fid, role, was_member, member_at: channel.createdAt ?? now } };
    }
  }
}

async function* newCasts(
  context: ApiContext,
  { file, known, newCasts }: ImportPlan,
  now: number,
): AsyncGenerator<StagedRecord> {
  const urls = new Map(known.channels);
  for (const channel of file.channels)
    if (channel && !urls.has(channel.id)) urls.set(channel.id, channel.url);
  const signers = await findSigners(context, file, now);
  for (const { record, channelId, parent } of newCasts) {
    const parentUrl = parent || channelId === null ? undefined : urls.get(channelId);
    const content = { ...record, timestamp: record.timestamp ?? now, parentUrl, parent };
    const signer = signers.get(record.fid);
    const cast = { ...content, ...sealUnderHash(record.hash, () => describeCast(content), signer) };
    const shard = shardOf(cast.fid, context.settings.hub);
    yield { row: castRecord(cast, channelId), tail: eventTail(castAdded(cast)), shard };
  }
}

/** Who signs for the authors: by keys that are registered, or come with the file. */
async function findSigners(
  context: ApiContext,
  file: ImportPlan["file"],
  now: number,
): Promise<Map<number, MessageSigner>> {
  const { messageSigners = new Map<number, MessageSigner>(), database } = context;
  const brought = new Map(file.accounts.map((account) => [account?.fid, account?.appKeys]));
  const signers = new Map<number, MessageSigner>();
  for (const fid of new Set(file.casts.map((cast) => cast?.fid))) {
    if (fid === undefined || !messageSigners.has(fid)) continue;
    const signer = await findSigner(context, database.query, fid, now, brought.get(fid));
    if (signer) signers.set(fid, signer);
  }
  return signers;
}

function actionRow({ action, ...fields }: RecordOf<"actions">): Row {
  return { ...inColumns(fields), action_type: action.actionType, post_url: action.postUrl };
}

function* periods(
  records: readonly (RecordOf<"creatorRewards" | "developerRewards"> | undefined)[],
): Generator<StagedRecord> {
  for (const record of records) {
    if (!record) continue;
    const period_start_ms = record.periodStartTimestamp;
    const children = record.winners.map((winner) => ({ period_start_ms, ...inColumns(winner) }));
    yield { row: { period_start_ms, period_end_ms: record.periodEndTimestamp }, children };
  }
}

function* starterPacks(packs: ImportPlan["file"]["starterPacks"]): Generator<StagedRecord> {
  for (const pack of packs) {
    if (!pack) continue;
    const { id, members } = pack;
    const children = members.map(({ fid, memberAt }) => ({ pack_id: id, fid, member_at_ms: memberAt }));
    yield { row: { id }, children };
  }
}

/** Registrations by the registry itself: 0 → fid, without a signature of the user. */
async function* registrations(
  { registry }: ApiContext,
  plan: ImportPlan,
  now: number,
): AsyncGenerator<StagedRecord> {
  for (const { fid, name, owner, notBefore } of plan.registrations) {
    const timestamp = Math.max(now, notBefore);
    const claim = describeClaim(registry.domain, { name, owner, timestamp });
    const server_signature = registry.sign(registry.hash(claim));
    const transfer = { timestamp, username: name, owner, to: fid, server_signature };
    const row = { timestamp, username: name, owner, to_fid: fid, server_signature };
    yield { row, tail: eventTail(usernameProofMerged(transfer)) };
  }
}
