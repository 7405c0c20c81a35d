import { sql } from "kysely";
import type { UsernameProof } from "../../contract/hub.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent, type ChannelEventOf, type NewChannelEvent } from "../events.ts";
import { findErasedAuthors, isErased } from "./erased-authors.ts";
import type { ArrivedProof, ShownName } from "./parse-events.ts";

type ProofData = ChannelEventOf<"username_proof.merged">["data"];

/** A name's change of owner, as the hub's proofs show it. */
export interface NameChange {
  arrived: ArrivedProof;
  /** The name's holder now, or its last holder. */
  subjectFid: number | null;
  data: ProofData;
}

/** A name's holder, by a proof from `since`. Without a holder, `since` is when the last proof ended, UNIX seconds. */
interface NameStanding {
  holder: { fid: number; owner: string } | undefined;
  since: number;
}

/**
 * Updates the table of names and returns the changes, proof by proof. Every shard brings every proof, some later than
 * others: a proof that is not newer than the stored one changes nothing.
 */
export async function mergeProofs(tx: Tx, proofs: readonly ArrivedProof[]): Promise<NameChange[]> {
  if (proofs.length === 0) return [];
  // Shards are read in parallel: each must see what the other wrote before it compares.
  await sql`lock table castellan.names in share row exclusive mode`.execute(tx);
  const before = await readStandings(tx, proofs);
  const erasedAuthors = await findErasedAuthors(
    tx,
    proofs.map(({ proof }) => proof.fid),
  );
  const standings = new Map(before);
  const changes = proofs
    .filter(({ proof }) => !isErased(erasedAuthors, proof.fid, proof.timestamp))
    .flatMap((arrived) => mergeProof(standings, arrived) ?? []);
  await storeStandings(
    tx,
    [...standings].filter(([name, standing]) => standing !== before.get(name)),
  );
  return changes;
}

async function readStandings(tx: Tx, proofs: readonly ArrivedProof[]): Promise<Map<string, NameStanding>> {
  const all = proofs.flatMap(({ proof, replaced }) => [proof.name, ...(replaced ? [replaced.name] : [])]);
  const names = [...new Set(all)];
  const { rows } = await sql<{ name: string; fid: number | null; owner: string; since: number }>`
    select name, fid, owner, since from castellan.names where name = any(${names}::text[])
    union all
    select name, null, '', since from castellan.released_names where name = any(${names}::text[])
  `.execute(tx);
  return new Map(
    rows.map(({ name, fid, owner, since }) => [
      name,
      { holder: fid === null ? undefined : { fid, owner }, since },
    ]),
  );
}

/** Undefined if the proof is no newer than the stored one. */
function mergeProof(standings: Map<string, NameStanding>, arrived: ArrivedProof): NameChange | undefined {
  const { proof, replaced } = arrived;
  const { name, fid, owner, timestamp } = proof;
  const known = standings.get(name);
  if (!isNewer(proof, known)) return undefined;
  const ended = replaced?.name === name ? replaced : undefined;
  // Hubs sometimes leave out the replaced proof. Then our own table knows the previous holder.
  const previousFid = ended?.fid ?? known?.holder?.fid;
  if (fid !== 0) standings.set(name, { holder: { fid, owner }, since: timestamp });
  else standings.set(name, { holder: undefined, since: ended?.timestamp ?? timestamp - 1 });
  const previousName = replaced && replaced.name !== name ? replaced.name : undefined;
  if (replaced && previousName !== undefined) {
    const isStillTheirs = isNewer({ ...replaced, fid: 0 }, standings.get(previousName));
    if (isStillTheirs) standings.set(previousName, { holder: undefined, since: replaced.timestamp });
  }
  const data: ProofData = { name, owner, change: changeOf(fid, previousFid, previousName) };
  if (previousFid !== undefined && previousFid !== fid) data.previousFid = previousFid;
  if (previousName !== undefined) data.previousName = previousName;
  return { arrived, data, subjectFid: fid === 0 ? (previousFid ?? null) : fid };
}

/** A proof with fid 0 ends the one with the same time, which a late shard brings again. */
function isNewer({ fid, timestamp }: UsernameProof, known: NameStanding | undefined): boolean {
  if (!known) return true;
  if (!known.holder) return fid !== 0 && timestamp > known.since;
  return timestamp > known.since || (timestamp === known.since && fid !== known.holder.fid);
}

function changeOf(fid: number, previousFid?: number, previousName?: string): ProofData["change"] {
  if (fid === 0) return "released";
  if (previousFid !== undefined && previousFid !== fid) return "transferred";
  return previousName !== undefined || previousFid === fid ? "replaced" : "registered";
}

async function storeStandings(tx: Tx, changed: readonly [name: string, NameStanding][]): Promise<void> {
  const rows = changed.map(([name, { holder, since }]) => ({ name, since, ...holder }));
  const held = rows.filter((row) => "fid" in row);
  const released = rows.filter((row) => !("fid" in row));
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

/** Each user's latest counts; an empty one means that they use no name. */
export async function storeShownNames(tx: Tx, shown: readonly ShownName[]): Promise<void> {
  if (shown.length === 0) return;
  const erasedAuthors = await findErasedAuthors(
    tx,
    shown.map(({ fid }) => fid),
  );
  const latest = new Map<number, ShownName>();
  for (const one of shown) {
    if (isErased(erasedAuthors, one.fid, one.since)) continue;
    if (one.since >= (latest.get(one.fid)?.since ?? 0)) latest.set(one.fid, one);
  }
  // Always in the same order, because another shard may store the same rows at the same moment.
  const rows = [...latest.values()].toSorted((one, other) => one.fid - other.fid);
  await sql`
    insert into castellan.shown_names as known
    select * from jsonb_populate_recordset(null::castellan.shown_names, ${JSON.stringify(rows)}::text::jsonb)
    on conflict (fid) do update set name = excluded.name, since = excluded.since
    where known.since <= excluded.since
  `.execute(tx);
}

export function proofEvent({ arrived, subjectFid, data }: NameChange, observedAt: number): NewChannelEvent {
  const { name, fid, timestamp } = arrived.proof;
  return newEvent(observedAt, {
    kind: "username_proof.merged",
    // Every shard brings it once.
    sourceKey: `proof:${name}:${fid}:${timestamp}`,
    channelId: null,
    subjectFid,
    occurredAt: arrived.mergedAt,
    data,
  });
}
