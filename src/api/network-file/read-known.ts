import { sql } from "kysely";
import type { Queryable } from "../../database/database.ts";
import { readOrphans } from "./orphan-casts.ts";
import type { NetworkFile } from "./records.ts";
import type { Keys, Reference } from "./references.ts";

/** The network's state of everything a file mentions. Of these, only channels and names can be deleted. */
export interface Known {
  fids: Set<number>;
  /** Ids and urls of the mentioned channels and of those that contain mentioned casts. */
  channels: Map<string, string>;
  channelsByUrl: Map<string, string>;
  casts: Map<string, { fid: number; channelId: string | null }>;
  /** Registered names and their holders. */
  names: Map<string, number>;
  /** UNIX seconds of each name's last transfer. */
  nameTimes: Map<string, number>;
  /** The fids that ever gave or received a name. */
  named: Set<number>;
  has(reference: Reference): boolean;
}

/** Keys per statement: few enough that other work gets its turn in between. */
const chunkSize = 1000;

export async function readKnown(
  db: Queryable,
  file: NetworkFile,
  keys: { own: Keys; mentioned: Keys },
): Promise<Known> {
  const fids = new Set<number>();
  const channels = new Map<string, string>();
  const channelsByUrl = new Map<string, string>();
  const casts: Known["casts"] = new Map();
  const names = new Map<string, number>();
  const nameTimes = new Map<string, number>();
  const named = new Set<number>();

  for (const asked of chunks(join(keys.own.account, keys.mentioned.account))) {
    // A fid without an account may have received a name.
    const { rows } = await sql<{ fid: number; known: boolean; named: boolean }>`
      select fid, exists (select from network.accounts where accounts.fid = asked.fid) as known,
        exists (select from network.transfers where to_fid = asked.fid) as named
      from unnest(${asked}::bigint[]) as asked (fid)
    `.execute(db);
    for (const row of rows) {
      if (row.known) fids.add(row.fid);
      if (row.named) named.add(row.fid);
    }
  }
  const urls = file.channels.map((channel) => channel?.url).filter((url) => url !== undefined);
  for (const asked of chunks(join(keys.own.channel, keys.mentioned.channel, urls))) {
    const { rows } = await sql<{ id: string; url: string }>`
      select id, url from network.channels where id = any(${asked}::text[]) or url = any(${asked}::text[])
    `.execute(db);
    for (const { id, url } of rows) {
      channels.set(id, url);
      channelsByUrl.set(url, id);
    }
  }
  for (const hashes of chunks(join(keys.own.cast, keys.mentioned.cast))) {
    const { rows } = await sql<{ hash: string; fid: number; channel_id: string | null; url: string | null }>`
      select hash, fid, channel_id, url
      from network.casts left join network.channels on channels.id = channel_id
      where hash = any(${hashes}::text[])
    `.execute(db);
    for (const row of rows) {
      casts.set(row.hash, { fid: row.fid, channelId: row.channel_id });
      if (row.channel_id !== null && row.url !== null) channels.set(row.channel_id, row.url);
    }
  }
  for (const { hash, channelId } of await readOrphans(db, file, channels)) {
    const cast = casts.get(hash);
    if (cast) cast.channelId = channelId;
  }
  const usernames = file.accounts.map((record) => record?.username).filter((name) => name !== undefined);
  for (const asked of chunks(usernames)) {
    const { rows } = await sql<{ username: string; last: number; fid: number | null }>`
      select username, max(timestamp) as last, max(names.fid) as fid
      from network.transfers left join network.names on names.name = username
      where username = any(${asked}::text[]) group by username
    `.execute(db);
    for (const row of rows) {
      nameTimes.set(row.username, row.last);
      if (row.fid !== null) names.set(row.username, row.fid);
    }
  }
  return {
    fids,
    channels,
    channelsByUrl,
    casts,
    names,
    nameTimes,
    named,
    has: (reference) => {
      if (reference.to === "account") return fids.has(reference.key);
      return (reference.to === "channel" ? channels : casts).has(reference.key);
    },
  };
}

function* join<T>(...groups: Iterable<T>[]): Generator<T> {
  for (const group of groups) yield* group;
}

function* chunks<T>(values: Iterable<T>, size = chunkSize): Generator<T[]> {
  let chunk: T[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
