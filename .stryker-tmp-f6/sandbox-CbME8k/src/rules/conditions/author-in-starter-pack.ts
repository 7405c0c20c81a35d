// @ts-nocheck
import { z } from "zod";
import type { ConditionKind } from "../evaluate/condition.ts";
import { askStarterPack } from "../facts/starter-pack.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { askFlag, readFlag } from "./flag-condition.ts";

/** Whether the author is in a starter pack. */
export const authorInStarterPack: ConditionKind = {
  name: "author.in_starter_pack",
  events: userEvents,
  schema: z.strictObject({ id: z.string().min(1).max(256) }).transform(({ id }) => {
    const ask = askStarterPack(id);
    return askFlag({ asks: [ask], read: readFlag(ask) }, `the author is in the starter pack ${id}`);
  }),
};
