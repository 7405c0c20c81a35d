import type { BotContext } from "../../bot-context.ts";
import { keyOf } from "./host-set.ts";
import { withOwners } from "./hosts.ts";
import { loadList, readListRows, type ListRow, type LoadedList } from "./stored-lists.ts";

/** Why a host is bad. */
interface ListedHost {
  host: string;
  /** The host itself, or one of its parents. */
  entry: string;
  list: string;
}

/** The lists as stored now, with a lookup. */
export interface KnownLists {
  /** Lists that were never read are empty. */
  rows: readonly ListRow[];
  /** Why a host is bad; undefined if no list contains it, or one allows it. */
  find: (host: string) => ListedHost | undefined;
}

interface Cached {
  revision: number;
  content: Promise<LoadedList | undefined>;
}

/** By database, of which a process has one: each list is loaded once, and again after a change. */
const cachedOf = new WeakMap<BotContext["database"], Map<string, Cached>>();

/** The current lists, even if another process stored them a moment ago. */
export async function readKnownLists(context: Pick<BotContext, "database">): Promise<KnownLists> {
  const cached = cachedOf.get(context.database) ?? new Map<string, Cached>();
  cachedOf.set(context.database, cached);
  let missing = new Set<string>();
  for (;;) {
    const stored = await readListRows(context.database.query);
    // Missing twice means that nobody is replacing it: it counts as unread.
    const rows = stored.map((row) => (missing.has(nameRevision(row)) ? { ...row, revision: 0 } : row));
    for (const name of cached.keys()) if (!rows.some((row) => row.name === name)) cached.delete(name);
    const read = rows.filter(({ revision }) => revision > 0);
    const lists = await Promise.all(read.map((row) => loadOnce(context, cached, row)));
    const known = lists.filter((list) => list !== undefined);
    // A list that was replaced during loading is read again.
    if (known.length === lists.length) return { rows, find: (host) => findIn(known, host) };
    missing = new Set([...missing, ...read.filter((_, place) => !lists[place]).map(nameRevision)]);
  }
}

function nameRevision({ name, revision }: ListRow): string {
  return `${name} ${revision}`;
}

interface NamedList extends LoadedList {
  name: string;
}

async function loadOnce(
  context: Pick<BotContext, "database">,
  cached: Map<string, Cached>,
  row: ListRow,
): Promise<NamedList | undefined> {
  const { name, revision } = row;
  const known = cached.get(name);
  const current = known?.revision === revision ? known : { revision, content: loadList(context, row) };
  cached.set(name, current);
  try {
    const content = await current.content;
    if (content) return { name, ...content };
    cached.delete(name);
    return undefined;
  } catch (error) {
    cached.delete(name);
    throw error;
  }
}

function findIn(lists: readonly NamedList[], host: string): ListedHost | undefined {
  const entries = withOwners(host).map((entry) => ({ entry, key: keyOf(entry) }));
  if (lists.some(({ allowed }) => entries.some(({ key }) => allowed.has(key)))) return undefined;
  for (const { entry, key } of entries) {
    const list = lists.find(({ listed }) => listed.has(key));
    if (list) return { host, entry, list: list.name };
  }
  return undefined;
}
