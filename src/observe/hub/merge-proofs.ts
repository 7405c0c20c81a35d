import { sql } from "kysely";
import type { Tx } from "../../database/database.ts";
import { newEvent, type ChannelEventOf, type NewChannelEvent } from "../events.ts";
import type { ArrivedProof } from "./read-page.ts";

type ProofData = ChannelEventOf<"username_proof.merged">["data"];

/** A name's change of hands, as the hub's proofs show it. */
export interface NameChange {
  arrived: ArrivedProof;
  /** Who has the name now, or had it until now. */
  subjectFid: number | null;
  data: ProofData;
}

interface Holder {
  fid: number;
  owner: string;
  since: number;
}

/** Brings the table of names up to date, and gives what changed, proof by proof. */
export async function mergeProofs(tx: Tx, proofs: readonly ArrivedProof[]): Promise<NameChange[]> {
  if (proofs.length === 0) return [];
  const names = [...new Set(proofs.map(({ proof }) => proof.name))];
  const { rows } = await sql<{ name: string; fid: number }>`
    select name, fid from castellan.names where name = any(${names}::text[])
  `.execute(tx);
  const before = new Map(rows.map((row) => [row.name, row.fid]));
  const after = new Map<string, Holder | null>();
  const changes = proofs.map((arrived) => readChange(arrived, before, after));
  await storeNames(tx, after);
  return changes;
}

function readChange(
  arrived: ArrivedProof,
  holders: Map<string, number>,
  after: Map<string, Holder | null>,
): NameChange {
  const { proof, replaced } = arrived;
  const { name, owner } = proof;
  const replacedName = replaced?.name;
  // Hubs leave the replaced proof out at times; then our own table knows who had the name.
  const previousFid = replacedName === name && replaced ? replaced.fid : holders.get(name);
  const previousName = replacedName !== name ? replacedName : undefined;
  if (previousName !== undefined) {
    holders.delete(previousName);
    after.set(previousName, null);
  }
  if (proof.fid === 0) {
    holders.delete(name);
    after.set(name, null);
  } else {
    holders.set(name, proof.fid);
    after.set(name, { fid: proof.fid, owner, since: proof.timestamp });
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

async function storeNames(tx: Tx, after: Map<string, Holder | null>): Promise<void> {
  const gone: string[] = [];
  const held: (Holder & { name: string })[] = [];
  for (const [name, holder] of after) {
    if (holder) held.push({ name, ...holder });
    else gone.push(name);
  }
  if (gone.length > 0) await sql`delete from castellan.names where name = any(${gone}::text[])`.execute(tx);
  if (held.length === 0) return;
  await sql`
    insert into castellan.names (name, fid, owner, since)
    select name, fid, owner, since
    from jsonb_populate_recordset(null::castellan.names, ${JSON.stringify(held)}::text::jsonb)
    on conflict (name) do update set fid = excluded.fid, owner = excluded.owner, since = excluded.since
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
