import { blockedUsers } from "../../contract/blocks.ts";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { implement, read, write } from "../operation.ts";
import { addBlock } from "../store/blocks.ts";
import { given, listing } from "../store/paging.ts";

export const blockedUsersOperations = implement(blockedUsers, {
  list: read(async ({ db }, { blockerFid, ...page }) => {
    const { rows, next } = await listBlocks(db, { blockerFid }, page);
    return { result: { blockedUsers: rows }, ...next };
  }),

  block: write(async ({ db, caller, now }, { blockFid }) => {
    if (blockFid === caller) throw new AppError("not_permitted", "You cannot block yourself.");
    await addBlock(db, caller, blockFid, now);
    return { success: true };
  }),

  unblock: write(async ({ db, caller }, { unblockFid }) => {
    await removeBlock(db, caller, unblockFid);
    return { success: true };
  }),
});

const listBlocks = listing({
  path: blockedUsers.list.path,
  order: ["created_at", "id"],
  select: (db, { blockerFid }: { blockerFid: number | undefined }) =>
    db
      .selectFrom("network.blocks")
      .select(["blocker_fid as blockerFid", "blocked_fid as blockedFid", "created_at as createdAt"])
      .where((eb) => eb.and(given({ blocker_fid: blockerFid }))),
});

async function removeBlock(tx: Tx, blocker: number, blocked: number): Promise<void> {
  await tx
    .deleteFrom("network.blocks")
    .where("blocker_fid", "=", blocker)
    .where("blocked_fid", "=", blocked)
    .execute();
}
