// @ts-nocheck
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Fid, FidText, Seconds, Success, usualPaging } from "./values.ts";

/** `blockedFid` cannot reply to, quote or mention `blockerFid`. */
export const Block = z.object({ blockerFid: Fid, blockedFid: Fid, createdAt: Seconds });
export type Block = z.infer<typeof Block>;

export const blockedUsers = {
  list: endpoint({
    method: "GET",
    path: "/fc/blocked-users",
    paginated: usualPaging,
    summary: "Blocks between users, newest first",
    input: z.object({ blockerFid: FidText.optional() }),
    result: z.object({ blockedUsers: z.array(Block) }),
  }),
  block: endpoint({
    method: "POST",
    path: "/fc/blocked-users",
    refusals: ["not_permitted"],
    auth: "app_key",
    summary: "Block a user: no replies to, quotes or mentions of the caller",
    input: z.object({ blockFid: Fid }),
    result: Success,
  }),
  unblock: endpoint({
    method: "DELETE",
    path: "/fc/blocked-users",
    auth: "app_key",
    summary: "Lift a block",
    input: z.object({ unblockFid: Fid }),
    result: Success,
  }),
};
