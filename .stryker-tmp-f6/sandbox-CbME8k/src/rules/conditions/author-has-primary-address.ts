// @ts-nocheck
import { askPrimaryAddress } from "../facts/primary-address.ts";
import { userEvents } from "../evaluate/occurrence.ts";
import { flagCondition, readFlag } from "./flag-condition.ts";

/** Whether the author has named a wallet that they prefer. */
export const authorHasPrimaryAddress = flagCondition({
  name: "author.has_primary_address",
  events: userEvents,
  yes: "the author has a primary address",
  no: "the author has no primary address",
  asks: [askPrimaryAddress],
  read: readFlag(askPrimaryAddress),
});
