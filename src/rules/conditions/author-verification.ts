import { z } from "zod";
import { Platform } from "../../contract/verifications.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { needOf } from "../facts/fact.ts";
import { authorSource } from "../facts/read-network.ts";
import { factField, flagLeaf } from "./make-condition.ts";

const source = authorSource<boolean, [platform: Platform]>({
  name: "account verifications",
  everywhere: true,
  async read({ network }, { fid, parameters: [platform] }, signal) {
    const page = await network.accountVerifications.list({ fid, platform, limit: 1 }, { signal });
    return page.result.verifications.some((verification) => verification.fid === fid);
  },
});
export const verification = (platform: Platform) => needOf(source, platform);

/** Whether the author has verified an account on another platform. */
export const authorVerification: ConditionKind = {
  name: "author.verification",
  events: userEvents,
  sources: [source],
  schema: () =>
    z
      .strictObject({ platform: Platform })
      .transform(({ platform }) =>
        flagLeaf(`the author has verified an account on ${platform}`, factField(verification(platform))),
      ),
};
