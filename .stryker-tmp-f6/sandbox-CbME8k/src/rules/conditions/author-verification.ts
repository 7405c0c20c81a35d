// @ts-nocheck
import { z } from "zod";
import { Platform } from "../../contract/verifications.ts";
import type { ConditionKind } from "../evaluate/condition.ts";
import { askVerification } from "../facts/verification.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { askFlag, readFlag } from "./flag-condition.ts";

/** Whether the author has proved to hold an account on another platform. */
export const authorVerification: ConditionKind = {
  name: "author.verification",
  events: userEvents,
  schema: z.strictObject({ platform: Platform }).transform(({ platform }) => {
    const ask = askVerification(platform);
    return askFlag({ asks: [ask], read: readFlag(ask) }, `the author has proved an account on ${platform}`);
  }),
};
