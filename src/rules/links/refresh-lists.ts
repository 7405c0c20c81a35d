import { exponentialBackoff } from "../../async.ts";
import type { BotContext, NamedLinkList } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { fetchFeed } from "./fetch-feed.ts";
import { isWhole, readListRows, storeContent, type ListRow } from "./stored-lists.ts";

type ListContext = Pick<BotContext, "database" | "clock" | "log"> & {
  settings: Pick<BotContext["settings"], "linkLists">;
};

/** Milliseconds until a failed list is retried; the maximum is a working list's interval. */
const firstRepeat = 60_000;

/** Whether a list is due, or the configured lists differ from the stored ones. */
export async function hasListsToRefresh({ database, clock, settings }: ListContext): Promise<boolean> {
  const rows = await readListRows(database.query);
  return rows.some(({ next_at_ms }) => next_at_ms <= clock.now()) || !isSame(rows, settings.linkLists.named);
}

/** Fetches the lists that are due, one after the other. A list that fails keeps its content, and is retried. */
export async function refreshLists(context: ListContext, signal?: AbortSignal): Promise<void> {
  const { database, clock, settings } = context;
  await storeNamed(context);
  for (const row of await readListRows(database.query)) {
    if (signal?.aborted) return;
    const isNamed = settings.linkLists.named.some((list) => isOf(list, row));
    if (isNamed && row.next_at_ms <= clock.now()) await refresh(context, row, signal);
  }
}

async function refresh(context: ListContext, row: ListRow, signal: AbortSignal | undefined): Promise<void> {
  const { database, clock, log, settings } = context;
  const { name, url, allows, etag, modified } = row;
  const every = settings.linkLists.everySeconds * 1000;
  const update = database.query
    .updateTable("castellan.link_lists")
    .where("name", "=", name)
    .where("revision", "=", row.revision);
  try {
    const isKept = row.revision > 0 && (await isWhole(database.query, row));
    const have = isKept ? { etag, modified } : undefined;
    const answer = await fetchFeed({ url, allows, have, ...(signal && { signal }) });
    const now = clock.now();
    if (answer === "unchanged") {
      const good = {
        succeeded_at_ms: now,
        attempted_at_ms: now,
        next_at_ms: now + every,
        failures: 0,
        error: null,
      };
      await update.set(good).execute();
    } else if (await storeContent(context, row, answer, now + every)) {
      const { hosts, allowedHosts, skipped, leftOut } = answer;
      log.info({ list: name, hosts, allowedHosts, skipped }, "read a list of bad links");
      if (leftOut.length > 0) {
        log.warn({ list: name, leftOut }, "left out sites that everybody uses from a list of bad links");
      }
    }
  } catch (error) {
    const known = asAppError(error, "invalid_input");
    if (!known || signal?.aborted) throw error;
    const failures = row.failures + 1;
    const wait = Math.min(every, exponentialBackoff(failures, { first: firstRepeat, longest: every }));
    const now = clock.now();
    log.warn({ err: error, list: name, failures }, "could not read a list of bad links");
    const failed = { attempted_at_ms: now, next_at_ms: now + wait, failures, error: known.message };
    await update.set(failed).execute();
  }
}

/** Syncs the rows with the configured lists: one at another address is another list. */
async function storeNamed({ database, clock, settings }: ListContext): Promise<void> {
  const { named } = settings.linkLists;
  const rows = await readListRows(database.query);
  if (isSame(rows, named)) return;
  const gone = rows.filter((row) => !named.some((list) => isOf(list, row))).map(({ name }) => name);
  const fresh = named.filter((list) => !rows.some((row) => isOf(list, row)));
  await database.transaction(async (tx) => {
    if (gone.length > 0) {
      await tx.deleteFrom("castellan.link_lists").where("name", "in", gone).execute();
      await tx.deleteFrom("castellan.link_list_parts").where("list", "in", gone).execute();
    }
    for (const { name, url, allows } of fresh) {
      const next_at_ms = clock.now();
      await tx.insertInto("castellan.link_lists").values({ name, url, allows, next_at_ms }).execute();
    }
  });
}

function isSame(rows: readonly ListRow[], named: readonly NamedLinkList[]): boolean {
  return rows.length === named.length && named.every((list) => rows.some((row) => isOf(list, row)));
}

function isOf({ name, url, allows }: NamedLinkList, row: ListRow): boolean {
  return row.name === name && row.url === url && row.allows === allows;
}
