import { randomInt } from "node:crypto";
import { sql, type Selectable } from "kysely";
import { createYield } from "../../async.ts";
import type { BotContext } from "../../bot-context.ts";
import type { Queryable } from "../../database/database.ts";
import type { LinkListTables } from "../../database/tables/link-lists.ts";
import type { FeedVersion } from "./fetch-feed.ts";
import { HostSet, type PackedKeys } from "./host-set.ts";
import type { FeedContent } from "./read-feed.ts";

export type ListRow = Selectable<LinkListTables["castellan.link_lists"]>;

/** Every configured list, by name. */
export function readListRows(db: Queryable): Promise<ListRow[]> {
  return db.selectFrom("castellan.link_lists").selectAll().orderBy("name").execute();
}

/** A list's content, in memory. */
export interface LoadedList {
  listed: HostSet;
  allowed: HostSet;
}

/** Loads a list's content; undefined if it was replaced meanwhile. */
export async function loadList(
  { database }: Pick<BotContext, "database">,
  { name, revision, hosts, allowed_hosts }: ListRow,
): Promise<LoadedList | undefined> {
  const yieldToEventLoop = createYield();
  const loaded = { listed: new HostSet(hosts), allowed: new HostSet(allowed_hosts) };
  let keys = 0;
  for (let part = 0; keys < hosts + allowed_hosts; part++) {
    const row = await database.query
      .selectFrom("castellan.link_list_parts")
      .select(["allows", "keys"])
      .where("list", "=", name)
      .where("revision", "=", revision)
      .where("part", "=", part)
      .executeTakeFirst();
    if (!row) return undefined;
    // A copy with its own buffer, which begins with the data.
    const packed = new Uint32Array(new Uint8Array(row.keys).buffer);
    loaded[row.allows ? "allowed" : "listed"].addAll(packed);
    keys += packed.length / 2;
    await yieldToEventLoop();
  }
  return loaded;
}

/** Whether a list's content is complete: a feed cannot know that somebody removed a part from the database. */
export async function isWhole(
  db: Queryable,
  { name, revision, hosts, allowed_hosts }: ListRow,
): Promise<boolean> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(keys)), 0)::int as bytes from castellan.link_list_parts
    where list = ${name} and revision = ${revision}
  `.execute(db);
  return rows[0]?.bytes === (hosts + allowed_hosts) * bytesPerKey;
}

const bytesPerKey = 8;

/**
 * Replaces a list's content; readers see the old or the new. False if somebody else did, or the list is no longer
 * configured.
 */
export async function storeContent(
  { database, clock }: Pick<BotContext, "database" | "clock">,
  { name, url, revision }: ListRow,
  content: FeedContent & FeedVersion,
  nextAtMs: number,
): Promise<boolean> {
  const next = randomInt(1, 2 ** 48 - 1);
  await clearParts(database, name);
  const parts = [
    ...content.listed.map((keys) => ({ keys, allows: false })),
    ...content.allowed.map((keys) => ({ keys, allows: true })),
  ];
  // Each part separately, so that nobody waits for a million hosts to be written.
  for (const [part, { keys, allows }] of parts.entries()) {
    await database.query
      .insertInto("castellan.link_list_parts")
      .values({ list: name, revision: next, part, allows, keys: bytesOf(keys) })
      .execute();
  }
  const now = clock.now();
  const row = {
    revision: next,
    hosts: content.hosts,
    allowed_hosts: content.allowedHosts,
    skipped: content.skipped,
    left_out: content.leftOut,
    etag: content.etag,
    modified: content.modified,
    succeeded_at_ms: now,
    attempted_at_ms: now,
    next_at_ms: nextAtMs,
    failures: 0,
    error: null,
  };
  const isStored = await database.transaction(async (tx) => {
    const current = await lockRow(tx, name);
    if (current?.revision !== revision || current.url !== url) return false;
    // A concurrent writer may have removed some.
    const { written } = await tx
      .selectFrom("castellan.link_list_parts")
      .select(({ fn }) => fn.countAll<number | string>().as("written"))
      .where("list", "=", name)
      .where("revision", "=", next)
      .executeTakeFirstOrThrow();
    if (Number(written) !== parts.length) return false;
    await tx.updateTable("castellan.link_lists").set(row).where("name", "=", name).execute();
    return true;
  });
  if (isStored) await clearParts(database, name);
  return isStored;
}

function lockRow(tx: Queryable, name: string) {
  return tx
    .selectFrom("castellan.link_lists")
    .select(["revision", "url"])
    .where("name", "=", name)
    .forUpdate()
    .executeTakeFirst();
}

/** Removes parts of unused revisions: replaced ones, and those left by a crash. */
async function clearParts(database: BotContext["database"], list: string): Promise<void> {
  await database.transaction(async (tx) => {
    const revision = (await lockRow(tx, list))?.revision ?? 0;
    await tx
      .deleteFrom("castellan.link_list_parts")
      .where("list", "=", list)
      .where("revision", "<>", revision)
      .execute();
  });
}

function bytesOf(keys: PackedKeys): Uint8Array {
  return Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength);
}
