import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type ChannelEventOf, type NewChannelEvent } from "../events.ts";
import type { ArrivedProof, ShownName } from "./read-page.ts";

type ProofData = ChannelEventOf<"username_proof.merged">["data"];

/** A name's change of hands, as the hub's proofs show it. */
export interface NameChange {
  arrived: ArrivedProof;
  /** Who has the name now, or had it until now. */
  subjectFid: number | null;
  data: ProofData;
}

interface Change {
  /** Undefined where the name is nobody's from then on. */
  holder: { fid: number; owner: string } | undefined;
  since: number;
}

/** Brings the table of names up to date, and gives what changed, proof by proof. */
export async function mergeProofs(tx: Tx, proofs: readonly ArrivedProof[]): Promise<NameChange[]> {
  if (proofs.length === 0) return [];
  const names = [...new Set(proofs.map(({ proof }) => proof.name))];
  const { rows } = await sql<{ name: string; fid: number | null; since: number }>`
    select name, fid, since from castellan.names where name = any(${names}::text[])
    union all
    select name, null, since from castellan.released_names where name = any(${names}::text[])
  `.execute(tx);
  const before = new Map(rows.flatMap((row) => (row.fid === null ? [] : [[row.name, row.fid]])));
  const since = new Map(rows.map((row) => [row.name, row.fid === null ? row.since + 1 : row.since]));
  const after = new Map<string, Change>();
  const changes = proofs
    .filter((arrived) => isNewer(arrived, since))
    .map((arrived) => readChange(arrived, before, after));
  await storeNames(tx, after);
  return changes;
}

/**
 * Each shard brings every proof, one sooner than the other: what one tells of the time before what another told already is
 * past. `since`: from when on a proof of each name is news; a name that was released has the time of the proof that ended.
 */
function isNewer({ proof }: ArrivedProof, since: Map<string, number>): boolean {
  const known = since.get(proof.name) ?? 0;
  if (proof.timestamp < known) return false;
  since.set(proof.name, proof.timestamp);
  return true;
}

function readChange(
  arrived: ArrivedProof,
  holders: Map<string, number>,
  after: Map<string, Change>,
): NameChange {
  const { proof, replaced } = arrived;
  const { name, owner } = proof;
  const replacedName = replaced?.name;
  // Hubs leave the replaced proof out at times; then our own table knows who had the name.
  const previousFid = replacedName === name && replaced ? replaced.fid : holders.get(name);
  const previousName = replacedName !== name ? replacedName : undefined;
  if (previousName !== undefined) {
    holders.delete(previousName);
    after.set(previousName, { holder: undefined, since: replaced?.timestamp ?? proof.timestamp });
  }
  if (proof.fid === 0) {
    holders.delete(name);
    after.set(name, { holder: undefined, since: proof.timestamp });
  } else {
    holders.set(name, proof.fid);
    after.set(name, { holder: { fid: proof.fid, owner }, since: proof.timestamp });
  }
  const data: ProofData = { name, owner, change: changeOf(proof.fid, previousFid, previousName) };
  if (previousFid !== undefined && previousFid !== proof.fid) data.previousFid = previousFid;
  if (previousName !== undefined) data.previousName = previousName;
  return { arrived, data, subjectFid: proof.fid === 0 ? (previousFid ?? null) : proof.fid };
}

function changeOf(fid: number, previousFid?: number, previousName?: string): ProofData["change"] {
  if (fid === 0) return "released";
  if (previousFid !== undefined && previousFid !== fid) return "transferred";
  return previousName !== undefined || previousFid === fid ? "replaced" : "registered";
}

async function storeNames(tx: Tx, after: ReadonlyMap<string, Change>): Promise<void> {
  const changes = [...after]
    .map(([name, { holder, since }]) => ({ name, since, ...holder }))
    // In one order, for another shard brings the same at the same moment.
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const held = changes.filter((change) => "fid" in change);
  const released = changes.filter((change) => !("fid" in change));
  if (released.length > 0) {
    await sql`
      with released as (
        select name, since from jsonb_populate_recordset(
          null::castellan.released_names, ${JSON.stringify(released)}::text::jsonb)
      ), gone as (
        delete from castellan.names where name in (select name from released)
      )
      insert into castellan.released_names select name, since from released
      on conflict (name) do update set since = excluded.since
    `.execute(tx);
  }
  if (held.length === 0) return;
  await sql`
    with held as (
      select name, fid, owner, since
      from jsonb_populate_recordset(null::castellan.names, ${JSON.stringify(held)}::text::jsonb)
    ), gone as (
      delete from castellan.released_names where name in (select name from held)
    )
    insert into castellan.names (name, fid, owner, since) select name, fid, owner, since from held
    on conflict (name) do update set fid = excluded.fid, owner = excluded.owner, since = excluded.since
  `.execute(tx);
}

/** The latest of each user counts; an empty one says that they go by none. */
export async function storeShownNames(tx: Tx, shown: readonly ShownName[]): Promise<void> {
  const latest = new Map<number, ShownName>();
  for (const one of shown) if (one.since >= (latest.get(one.fid)?.since ?? 0)) latest.set(one.fid, one);
  if (latest.size === 0) return;
  const rows = [...latest.values()].toSorted((one, other) => one.fid - other.fid);
  await sql`
    insert into castellan.shown_names as known
    select * from jsonb_populate_recordset(null::castellan.shown_names, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (fid) do update set name = excluded.name, since = excluded.since
    where known.since <= excluded.since
  `.execute(tx);
}

export function proofEvent({ arrived, subjectFid, data }: NameChange, observedAt: number): NewChannelEvent {
  return newEvent(observedAt, {
    kind: "username_proof.merged",
    sourceKey: arrived.sourceKey,
    channelId: null,
    subjectFid,
    occurredAt: arrived.mergedAt,
    data,
  });
}
