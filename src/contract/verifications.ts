import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Fid, FidText, largePaging, Seconds } from "./values.ts";

export const Platform = z.enum(["x", "github", "discord"]);
export type Platform = z.infer<typeof Platform>;

export const AccountVerification = z.object({
  fid: Fid,
  platform: Platform,
  platformId: z.string(),
  platformUsername: z.string(),
  verifiedAt: Seconds,
});
export type AccountVerification = z.infer<typeof AccountVerification>;

export const accountVerifications = {
  list: endpoint({
    method: "GET",
    path: "/fc/account-verifications",
    paginated: largePaging,
    summary: "Users' verified accounts on other platforms, newest first (beta)",
    input: z.object({ fid: FidText.optional(), platform: Platform.default("x") }),
    result: z.object({ verifications: z.array(AccountVerification) }),
  }),
};
