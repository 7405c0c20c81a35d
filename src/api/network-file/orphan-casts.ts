import { sql } from "kysely";
import type { Queryable, Tx } from "../../database/database.ts";
import type { NetworkFile } from "./records.ts";

/** A cast without a channel whose parentUrl, or its root's, is the url of a new channel. */
interface OrphanCast {
  hash: string;
  channelId: string;
}

/** The existing casts that will belong to the file's new channels, because an earlier channel with that url was deleted. */
export async function readOrphans(
  db: Queryable,
  file: NetworkFile,
  existing: ReadonlyMap<string, string>,
): Promise<OrphanCast[]> {
  const created = file.channels.filter((channel) => channel !== undefined);
  const urls = created.filter(({ id }) => !existing.has(id)).map(({ url }) => url);
  if (urls.length === 0) return [];
  const ids = new Map(created.map(({ id, url }) => [url, id]));
  const { rows } = await sql<{ hash: string; url: string }>`
    ${selectOrphans(urls)} select hash, url from orphans
  `.execute(db);
  return rows.map(({ hash, url }) => ({ hash, channelId: ids.get(url) ?? "" }));
}

/** Moves them into the new channels. */
export async function linkOrphans(tx: Tx, urls: readonly string[]): Promise<void> {
  await sql`
    ${selectOrphans(urls)}
    update network.casts set channel_id = channels.id
    from orphans join network.channels on channels.url = orphans.url
    where casts.hash = orphans.hash
  `.execute(tx);
}

function selectOrphans(urls: readonly string[]) {
  return sql`
    with recursive orphans as (
      select hash, parent_url as url from network.casts
      where channel_id is null and parent_url = any(${urls}::text[])
      union all
      select reply.hash, orphans.url
      from orphans join network.casts as reply on reply.parent_hash = orphans.hash
      where reply.channel_id is null
    )
  `;
}
