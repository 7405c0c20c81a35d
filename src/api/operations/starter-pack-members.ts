import { starterPackMembers } from "../../contract/starter-packs.ts";
import type { Queryable } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { implement, read } from "../operation.ts";
import { listing } from "../store/paging.ts";

export const starterPackMembersOperations = implement(starterPackMembers, {
  list: read(async ({ db }, { id, ...page }) => {
    const { rows, next } = await listMembers(db, { id }, page);
    if (rows.length === 0) await requirePack(db, id);
    return { result: { members: rows }, ...next };
  }),
});

const listMembers = listing({
  path: starterPackMembers.list.path,
  order: ["member_at_ms", "id"],
  select: (db, { id }: { id: string }) =>
    db
      .selectFrom("network.starter_pack_members")
      .select(["fid", "member_at_ms as memberAt"])
      .where("pack_id", "=", id),
});

async function requirePack(db: Queryable, id: string): Promise<void> {
  const pack = await db
    .selectFrom("network.starter_packs")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (!pack) throw new AppError("not_found", "There is no such starter pack.");
}
