// @ts-nocheck
import { castellan } from "../../src/rules/versions/rules-of-server.ts";

/** Who made a version: a person, or Castellan itself when a breaker tripped. */
export function describeSaver(savedBy: string): string {
  return savedBy === castellan ? "Castellan" : `<@${savedBy}>`;
}
