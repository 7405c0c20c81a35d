// @ts-nocheck
import { unknown } from "../evaluate/condition.ts";
import { textEvents } from "../evaluate/occurrence.ts";
import { flagCondition } from "./flag-condition.ts";
import { castNotKnown } from "./thread-depth.ts";

/** Whether the cast answers another. */
export const isReply = flagCondition({
  name: "is_reply",
  events: textEvents,
  yes: "the cast is a reply",
  no: "the cast is no reply",
  read: ({ cast }) => (cast ? { flag: cast.threadDepth > 0 } : unknown(castNotKnown)),
});
