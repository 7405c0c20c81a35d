import type { Tx } from "../database/database.ts";
import type { ChannelEvent, NewChannelEvent } from "./event.ts";

/** Those who hear of events in the transaction that stores them. main.ts wires moderation, rules and the feed. */
export interface EventSubscribers {
  /** Sets `caseId` and `depth` of what our own cases caused, before it is stored. */
  claim(tx: Tx, events: NewChannelEvent[]): Promise<void>;
  /** Adds what follows from stored events: rows to evaluate, rows for rooms. */
  fanOut: readonly ((tx: Tx, events: ChannelEvent[]) => Promise<void>)[];
}

/** Stores events that are not stored yet and tells the subscribers. Last in its transaction: it takes the id counter. */
export type AppendEvents = (tx: Tx, events: NewChannelEvent[]) => Promise<ChannelEvent[]>;
