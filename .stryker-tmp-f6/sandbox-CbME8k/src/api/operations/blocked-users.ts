// @ts-nocheck
import { blockedUsers } from "../../contract/blocks.ts";
import type { Contract } from "../../contract/index.ts";
import { AppError } from "../../errors.ts";
import { read, write, type Operations } from "../operation.ts";
import { addBlock, removeBlock } from "../store/blocks.ts";
import { given, readPage } from "../store/paging.ts";

export const blockedUsersOperations: Operations<Contract>["blockedUsers"] = {
  list: read(blockedUsers.list, async ({ db }, { blockerFid, ...page }) => {
    const blocks = db
      .selectFrom("network.blocks")
      .select(["blocker_fid as blockerFid", "blocked_fid as blockedFid", "created_at as createdAt"])
      .where((eb) => eb.and(given({ blocker_fid: blockerFid })));
    const { rows, next } = await readPage(blocks, {
      listing: [blockedUsers.list.path, blockerFid],
      order: ["created_at", "id"],
      ...page,
    });
    return { result: { blockedUsers: rows }, ...next };
  }),

  block: write(blockedUsers.block, async ({ db, caller, now }, { blockFid }) => {
    if (blockFid === caller) throw new AppError("not_permitted", "Nobody can block themselves.");
    await addBlock(db, caller, blockFid, now);
    return { success: true };
  }),

  unblock: write(blockedUsers.unblock, async ({ db, caller }, { unblockFid }) => {
    await removeBlock(db, caller, unblockFid);
    return { success: true };
  }),
};
