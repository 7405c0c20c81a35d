import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { channelJson } from "../store/channels.ts";
import { singleFlight, type CachedResponse } from "./cached-response.ts";

interface Entry {
  id: string;
  createdAt: number;
  /** The channel's JSON. */
  text: string;
}

/** What became visible since the last reading. */
interface DirectoryChanges {
  horizon: string;
  deleted: string[];
  changed: Entry[];
}

/** The cached answer of GET /v2/all-channels. */
export type ChannelDirectory = () => Promise<CachedResponse>;

/**
 * Each call asks the database for the channels that changed since the one before (src/database/baseline/network.ts), so that
 * the answer is as fresh as any other, and thousands of channels cost what changed.
 */
export function createChannelDirectory(db: Queryable): ChannelDirectory {
  const entries = new Map<string, Entry>();
  // Another process makes the same bytes under other tags.
  const origin = randomBytes(6).toString("base64url");
  let version = 0;
  let horizon = "0";
  let cached: CachedResponse | undefined;

  function apply({ deleted, changed, ...seen }: DirectoryChanges): boolean {
    horizon = seen.horizon;
    let differs = false;
    const present = new Set(changed.map(({ id }) => id));
    for (const id of deleted) if (!present.has(id)) differs = entries.delete(id) || differs;
    for (const entry of changed) {
      if (entries.get(entry.id)?.text === entry.text) continue;
      entries.set(entry.id, entry);
      differs = true;
    }
    return differs;
  }

  return singleFlight(async () => {
    const differs = apply(await readChanges(db, horizon));
    if (differs || !cached) cached = { bytes: render(entries), tag: `${origin}-${(version += 1)}` };
    return cached;
  });
}

async function readChanges(db: Queryable, horizon: string): Promise<DirectoryChanges> {
  // One statement has one snapshot: its horizon belongs to the rows that it reads.
  const { rows } = await sql<DirectoryChanges>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      (select coalesce(json_agg(distinct id), '[]') from network.deleted_channels
        where deleted_in >= ${horizon}::xid8) as deleted,
      (select coalesce(json_agg(json_build_object(
          'id', id, 'createdAt', created_at, 'text', (${channelJson})::text
        )), '[]') from network.channels as channels where changed_in >= ${horizon}::xid8) as changed
  `.execute(db);
  const [changes] = rows;
  if (!changes) throw new Error("an aggregate has a row");
  return changes;
}

function render(entries: ReadonlyMap<string, Entry>): Buffer {
  const texts = [...entries.values()].toSorted(byCreation).map(({ text }) => text);
  return Buffer.from(`{"result":{"channels":[${texts.join()}]}}`);
}

function byCreation(a: Entry, b: Entry): number {
  // Ids are ASCII.
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
