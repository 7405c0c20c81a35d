// @ts-nocheck
import type { Platform } from "../../contract/verifications.ts";
import type { Ask } from "../evaluate/fact.ts";
import { askOfAuthor } from "./author-source.ts";

/** Whether the author has proved to hold an account elsewhere. */
export function askVerification(platform: Platform): Ask<boolean> {
  return askOfAuthor({
    name: "account verifications",
    key: `verification:${platform}`,
    everywhere: true,
    async read({ network }, { fid }, signal) {
      const page = await network.accountVerifications.list({ fid, platform, limit: 1 }, { signal });
      return page.result.verifications.some((verification) => verification.fid === fid);
    },
  });
}
