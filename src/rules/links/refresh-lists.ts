import { exponentialBackoff } from "../../async.ts";
import type { BotContext, NamedLinkList } from "../../bot-context.ts";
import { asAppError } from "../../errors.ts";
import { fetchFeed } from "./fetch-feed.ts";
import { isWhole, readListRows, storeContent, type ListRow } from "./stored-lists.ts";

type ListContext = Pick<BotContext, "database" | "clock" | "log"> & {
  settings: Pick<BotContext["settings"], "linkLists">;
};

/** Milliseconds until a list that failed is asked again; at most as long as one that is well. */
const firstRepeat = 60_000;

/** Whether a list is to be asked for news, or others are named than those that are stored. */
export async function hasListsToRefresh({ database, clock, settings }: ListContext): Promise<boolean> {
  const rows = await readListRows(database.query);
  return rows.some(({ next_at_ms }) => next_at_ms <= clock.now()) || !isSame(rows, settings.linkLists.named);
}

/** Asks the lists that are due for news, one after the other. What fails keeps what it had, and is asked again. */
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
      log.info({ list: name, hosts, allowedHosts, skipped }, "a list of bad links was read");
      if (leftOut.length > 0) {
        log.warn(
          { list: name, leftOut },
          "a list of bad links names sites that everybody uses: they are left out",
        );
      }
    }
  } catch (error) {
    const known = asAppError(error, "invalid_input");
    if (!known || signal?.aborted) throw error;
    const failures = row.failures + 1;
    const wait = Math.min(every, exponentialBackoff(failures, { first: firstRepeat, longest: every }));
    const now = clock.now();
    log.warn({ err: error, list: name, failures }, "a list of bad links could not be read");
    const failed = { attempted_at_ms: now, next_at_ms: now + wait, failures, error: known.message };
    await update.set(failed).execute();
  }
}

/** Makes the rows those of the lists that are named: one at another address is another list. */
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
