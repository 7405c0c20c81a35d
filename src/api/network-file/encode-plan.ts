import { createYield } from "../../async.ts";
import { describeCast } from "../../contract/message-data.ts";
import { describeClaim } from "../../contract/name-claim.ts";
import type { ApiContext } from "../context.ts";
import { castAdded, usernameProofMerged, type HubEventDraft } from "../domain/hub-event.ts";
import { listShards, shardOf } from "../domain/hub-shape.ts";
import { findSigner, sealUnderHash } from "../sign-hub-message.ts";
import type { MessageSigner } from "../signatures.ts";
import { castRecord } from "../store/casts.ts";
import { eventText, type HubEventText } from "../store/hub-events.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { Kind, RecordOf } from "./records.ts";

/** The kinds of rows: the file's records, and those that the plan derived. */
export type RowKind = Kind | "appKeys" | "memberships" | "transfers";

/** By column name. */
type Row = Readonly<Record<string, unknown>>;

interface EncodedRecord {
  row: Row;
  /** Rows of a dependent table; written only if this import creates the record. */
  children?: readonly Row[];
}

/** Records for one insert statement. */
export interface Batch {
  kind: RowKind;
  count: number;
  /** The columns that the rows fill. */
  columns: ReadonlySet<string>;
  childColumns: ReadonlySet<string>;
  /** JSON text of arrays of rows. */
  rows: string;
  children: string;
}

export interface EncodedPlan {
  /** In an order that satisfies the references; transfers come last. */
  batches: Batch[];
  /** Hub events by shard: name proofs first, then casts, parents before replies. */
  events: ReadonlyMap<number, readonly HubEventText[]>;
}

const maxBatchRecords = 500;

/**
 * Prepares all rows before the import's transaction, because the transaction blocks others; on the embedded engine,
 * everyone.
 */
export async function encodePlan(context: ApiContext, plan: ImportPlan, now: number): Promise<EncodedPlan> {
  const shards = listShards(context.settings.hub);
  const events = new Map(shards.map((shard): [number, HubEventText[]] => [shard, []]));
  const addEvent = (draft: HubEventDraft) => {
    const text = eventText(draft);
    const { author } = draft;
    const own = author === undefined ? shards : [shardOf(author, context.settings.hub)];
    for (const shard of own) events.get(shard)?.push(text);
  };
  const transfers = await encodeBatches("transfers", encodeTransfers(context, plan, now, addEvent));
  const batches: Batch[] = [];
  for (const [kind, records] of await listRecords(context, plan, now, addEvent)) {
    batches.push(...(await encodeBatches(kind, records)));
  }
  return { batches: [...batches, ...transfers], events };
}

async function encodeBatches(kind: RowKind, records: Iterable<EncodedRecord>): Promise<Batch[]> {
  const yieldToEventLoop = createYield();
  const batches: Batch[] = [];
  let open: EncodedRecord[] = [];
  const close = () => {
    if (open.length > 0) batches.push(toBatch(kind, open));
    open = [];
  };
  for (const record of records) {
    open.push(record);
    if (open.length === maxBatchRecords) close();
    await yieldToEventLoop();
  }
  close();
  return batches;
}

function toBatch(kind: RowKind, records: readonly EncodedRecord[]): Batch {
  const rows = records.map(({ row }) => row);
  const children = records.flatMap((record) => record.children ?? []);
  return {
    kind,
    count: records.length,
    columns: columnsOf(rows),
    childColumns: columnsOf(children),
    rows: JSON.stringify(rows),
    children: JSON.stringify(children),
  };
}

function columnsOf(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap((row) => Object.keys(row)));
}

type AddEvent = (draft: HubEventDraft) => void;

async function listRecords(
  context: ApiContext,
  plan: ImportPlan,
  now: number,
  addEvent: AddEvent,
): Promise<[RowKind, Iterable<EncodedRecord>][]> {
  const { file } = plan;
  const channels = newChannels(plan);
  const created = new Set(channels.map((channel) => channel.id));
  // A channel's follows are written only if this import creates the channel.
  const follows = file.channelFollows.filter((follow) => created.has(follow?.channelId ?? ""));
  const signers = await findSigners(context, file, now);
  return [
    ["accounts", rows(file.accounts, ({ appKeys: _keys, username: _name, ...fields }) => inColumns(fields))],
    ["appKeys", appKeys(file.accounts)],
    ["botAllowlist", rows(file.botAllowlist, (fid) => ({ fid }))],
    ["channels", rows(channels, (channel) => channelRow(channel, now))],
    ["memberships", founders(channels, now)],
    [
      "channelFollows",
      rows(follows, (follow) => inColumns({ ...follow, followedAt: follow.followedAt ?? now })),
    ],
    ["userFollows", rows(file.userFollows, inColumns)],
    ["casts", encodeCasts(plan, signers, now, addEvent)],
    ["verifications", rows(file.verifications, inColumns)],
    ["actions", rows(file.actions, actionRow)],
    ["composerActions", rows(file.composerActions, actionRow)],
    ["primaryAddresses", rows(file.primaryAddresses, inColumns)],
    ["starterPacks", starterPacks(file.starterPacks)],
    ["creatorRewards", periods(file.creatorRewards)],
    ["developerRewards", periods(file.developerRewards)],
  ];
}

/** The channels that the import creates. */
export function newChannels({ file, known }: Pick<ImportPlan, "file" | "known">): RecordOf<"channels">[] {
  const channels = file.channels.filter((channel) => channel !== undefined);
  return channels.filter(({ id }) => !known.channels.has(id));
}

function* rows<T>(records: readonly (T | undefined)[], toRow: (record: T) => Row): Generator<EncodedRecord> {
  for (const record of records) if (record !== undefined) yield { row: toRow(record) };
}

/** Column names are the file's field names in snake_case. */
function inColumns(fields: object): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as unknown,
    ]),
  );
}

function* appKeys(accounts: ImportPlan["file"]["accounts"]): Generator<EncodedRecord> {
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

/** Owner, moderators and members of channels, each once, with their highest role. */
function* founders(channels: readonly RecordOf<"channels">[], now: number): Generator<EncodedRecord> {
  for (const channel of channels) {
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

function* encodeCasts(
  { file, known, newCasts }: ImportPlan,
  signers: ReadonlyMap<number, MessageSigner>,
  now: number,
  addEvent: AddEvent,
): Generator<EncodedRecord> {
  const urls = new Map(known.channels);
  for (const { id, url } of newChannels({ file, known })) urls.set(id, url);
  for (const { record, channelId, parent } of newCasts) {
    const parentUrl = parent || channelId === null ? undefined : urls.get(channelId);
    const content = { ...record, timestamp: record.timestamp ?? now, parentUrl, parent };
    const signer = signers.get(record.fid);
    const cast = { ...content, ...sealUnderHash(record.hash, () => describeCast(content), signer) };
    addEvent(castAdded(cast));
    yield { row: castRecord(cast, channelId) };
  }
}

/** The authors' signers, with keys that are registered or come with the file. */
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
): Generator<EncodedRecord> {
  for (const record of records) {
    if (!record) continue;
    const period_start_ms = record.periodStartTimestamp;
    const children = record.winners.map((winner) => ({ period_start_ms, ...inColumns(winner) }));
    yield { row: { period_start_ms, period_end_ms: record.periodEndTimestamp }, children };
  }
}

function* starterPacks(packs: ImportPlan["file"]["starterPacks"]): Generator<EncodedRecord> {
  for (const pack of packs) {
    if (!pack) continue;
    const { id, members } = pack;
    const children = members.map(({ fid, memberAt }) => ({ pack_id: id, fid, member_at_ms: memberAt }));
    yield { row: { id }, children };
  }
}

/** Registrations by the registry itself: 0 → fid, without a user signature. */
function* encodeTransfers(
  { registry }: ApiContext,
  plan: ImportPlan,
  now: number,
  addEvent: AddEvent,
): Generator<EncodedRecord> {
  for (const { fid, name, owner, notBefore } of plan.registrations) {
    const timestamp = Math.max(now, notBefore);
    const claim = describeClaim(registry.domain, { name, owner, timestamp });
    const server_signature = registry.sign(registry.hash(claim));
    const transfer = { timestamp, username: name, owner, to: fid, server_signature };
    addEvent(usernameProofMerged(transfer));
    yield { row: { timestamp, username: name, owner, to_fid: fid, server_signature } };
  }
}
