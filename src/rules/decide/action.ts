import type { z } from "zod";
import type { Deed } from "./deed.ts";
import type { Occurrence, RuleEvent } from "../evaluate/occurrence.ts";

/** An action with its parameters. */
export interface PlannedAction {
  /** What is done, for people: "hide the cast". */
  sentence: string;
  /** What exactly is to be done about an event, or why that cannot be. */
  aim(occurrence: Occurrence): Deed | { impossible: string };
}

/** A kind of action: one file each in actions/. */
export interface ActionKind {
  name: string;
  /** Events that have what it acts on. */
  events: readonly RuleEvent[];
  /** Its parameters, made into the action. */
  schema: z.ZodType<PlannedAction>;
}

/** Events about a cast that is still there. */
export const presentCastEvents = [
  "cast.created",
  "record.hidden",
  "record.unhidden",
  "pin.changed",
] as const satisfies RuleEvent[];

/** An aim at the event's cast. */
export function atCast(deed: (castHash: string) => Deed): PlannedAction["aim"] {
  return ({ event: { data } }) => {
    const castHash = "castHash" in data ? data.castHash : null;
    return castHash === null ? { impossible: "The event is about no cast." } : deed(castHash);
  };
}

/** An aim at the event's author. */
export function atAuthor(deed: (fid: number) => Deed): PlannedAction["aim"] {
  return ({ authorFid }) =>
    authorFid === null ? { impossible: "The author is not known." } : deed(authorFid);
}
