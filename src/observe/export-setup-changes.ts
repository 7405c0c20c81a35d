import type { Queryable } from "../database/database.ts";
import { writeMoments } from "../text/since.ts";
import type { TableRow } from "../text/table-file.ts";
import { listSetupChanges } from "./setup-changes.ts";

const batch = 500;

export const setupChangeColumns = ["at", "kind", "channel", "by", "what"] as const;

type ChangeFilter = Omit<Parameters<typeof listSetupChanges>[1], "before" | "limit">;

/** A page of what /audit shows, newest first; `next` is where the following page begins. */
export async function exportChangesBefore(
  query: Queryable,
  filter: ChangeFilter,
  before: number | undefined,
): Promise<{ rows: TableRow<(typeof setupChangeColumns)[number]>[]; next: number | undefined }> {
  const changes = await listSetupChanges(query, { ...filter, before, limit: batch });
  const rows = changes.map(({ at_ms, kind, channel_id, by_user, what }) => ({
    at: new Date(at_ms).toISOString(),
    kind,
    channel: channel_id,
    by: by_user,
    what: writeMoments(what),
  }));
  return { rows, next: changes.length < batch ? undefined : changes.at(-1)?.id };
}
