// @ts-nocheck
import { sql } from "kysely";
import { eventTail } from "../store/hub-events.ts";
import { addressedBy } from "../domain/cast-marks.ts";
import { castAdded, usernameProofMerged } from "../domain/hub-event.ts";
import type { ApiContext } from "../context.ts";
import type { ImportPlan } from "./plan-import.ts";
import { createPace } from "./pace.ts";
import type { Kind } from "./records.ts";

/** What is staged: records as the file has them, and what the plan made of them. */
export type StagedKind = Kind | "appKeys" | "memberships" | "transfers";

/** Records in one statement. */
const chunkSize = 500;

/** Writes the plan into the staging table, in short statements, and gives the number of records of each kind. */
export async function stagePlan(
  context: ApiContext,
  importId: number,
  plan: ImportPlan,
  now: number,
): Promise<Map<StagedKind, number>> {
  const counts = new Map<StagedKind, number>();
  for (const [kind, records] of listStaged(context, plan, now)) {
    let position = 0;
    for await (const chunk of chunksOf(records)) {
      await sql`
        insert into network.import_records (import_id, kind, position, record)
        select ${importId}, ${kind}, ${position} + ordinality, record
        from jsonb_array_elements(${JSON.stringify(chunk)}::jsonb) with ordinality as element (record, ordinality)
      `.execute(context.database.query);
      position += chunk.length;
    }
    counts.set(kind, position);
  }
  return counts;
}

type Staged = Iterable<unknown> | AsyncIterable<unknown>;

function listStaged(context: ApiContext, plan: ImportPlan, now: number): [StagedKind, Staged][] {
  const { file, known } = plan;
  const channels = given(file.channels).filter(({ id }) => !known.channels.has(id));
  const created = new Set(channels.map(({ id }) => id));
  return [
    ["accounts", given(file.accounts)],
    ["appKeys", given(file.accounts).flatMap(({ fid, appKeys }) => appKeys.map((key) => ({ fid, key })))],
    ["channels", channels],
    ["memberships", channels.flatMap(foundersOf)],
    // A channel's follows count only when this import creates the channel.
    ["channelFollows", given(file.channelFollows).filter(({ channelId }) => created.has(channelId))],
    ["userFollows", given(file.userFollows)],
    ["casts", stagedCasts(plan, now)],
    ["botAllowlist", given(file.botAllowlist).map((fid) => ({ fid }))],
    ["actions", given(file.actions)],
    ["composerActions", given(file.composerActions)],
    ["verifications", given(file.verifications)],
    ["creatorRewards", given(file.creatorRewards)],
    ["developerRewards", given(file.developerRewards)],
    ["primaryAddresses", given(file.primaryAddresses)],
    ["starterPacks", given(file.starterPacks)],
    ["transfers", stagedTransfers(context, plan, now)],
  ];
}

function given<T>(records: (T | undefined)[]): T[] {
  return records.filter((record) => record !== undefined);
}

/** Owner, moderators and members of a channel, each once, in the highest of his roles. */
function foundersOf(channel: NonNullable<ImportPlan["file"]["channels"][number]>) {
  const roles = new Map<number, string>();
  for (const fid of channel.memberFids) roles.set(fid, "member");
  for (const fid of channel.moderatorFids) roles.set(fid, "moderator");
  if (channel.leadFid !== undefined) roles.set(channel.leadFid, "owner");
  const members = new Set(channel.memberFids);
  return Array.from(roles, ([fid, role]) => ({
    fid,
    role,
    channelId: channel.id,
    wasMember: role !== "moderator" || members.has(fid),
    createdAt: channel.createdAt,
  }));
}

function* stagedCasts({ file, known, newCasts }: ImportPlan, now: number): Generator<object> {
  const urls = new Map(known.channels);
  for (const channel of file.channels)
    if (channel && !urls.has(channel.id)) urls.set(channel.id, channel.url);
  for (const { record, channelId, parent } of newCasts) {
    const parentUrl = parent || channelId === null ? undefined : urls.get(channelId);
    const timestamp = record.timestamp ?? now;
    const cast = { ...record, timestamp, parentUrl, parent };
    yield {
      ...record,
      timestamp,
      channelId,
      parentUrl,
      addressed: addressedBy(cast),
      tail: eventTail(castAdded(cast)),
    };
  }
}

/** Registrations by the registry itself: 0 → fid, without a signature of the user. */
async function* stagedTransfers(context: ApiContext, plan: ImportPlan, now: number): AsyncGenerator<object> {
  for (const { fid, name, owner, notBefore } of plan.registrations) {
    const timestamp = Math.max(now, notBefore);
    const signature = await context.registry.signClaim({ name, owner, timestamp });
    const transfer = { timestamp, username: name, owner, to: fid, server_signature: signature };
    yield { ...transfer, tail: eventTail(usernameProofMerged(transfer)) };
  }
}

async function* chunksOf(records: Staged): AsyncGenerator<unknown[]> {
  const pace = createPace();
  let chunk: unknown[] = [];
  for await (const record of records) {
    chunk.push(record);
    if (chunk.length === chunkSize) {
      yield chunk;
      chunk = [];
    }
    await pace();
  }
  if (chunk.length > 0) yield chunk;
}
