// @ts-nocheck
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Fid, largePaging, Text } from "./values.ts";

export const StarterPackMember = z.object({
  fid: Fid,
  memberAt: z.int().min(0).describe("UNIX time in milliseconds"),
});
export type StarterPackMember = z.infer<typeof StarterPackMember>;

export const starterPackMembers = {
  list: endpoint({
    method: "GET",
    path: "/fc/starter-pack-members",
    refusals: ["not_found"],
    paginated: largePaging,
    summary: "Members of a starter pack, newest first",
    input: z.object({ id: Text.min(1).max(256) }),
    result: z.object({ members: z.array(StarterPackMember) }),
  }),
};
