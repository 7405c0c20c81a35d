import type { Clock } from "../../clock.ts";
import type { Network, Operator } from "../../contract/index.ts";
import type { SandboxAccount } from "../sample/accounts.ts";

/** The network pane's data. Its people act over HTTP with their own keys, as with any other app. */
export interface NetworkPane {
  clock: Clock;
  people: readonly PanePerson[];
  /** The network as that person. */
  as(person: PanePerson): Network;
  operator: Operator;
  /** Recently read names by fid; `until` in UNIX milliseconds. */
  names: Map<number, { name: string | undefined; until: number }>;
}

/** A person you can act as. Without keys (an imported network file) you can only read. */
export interface PanePerson {
  fid: number;
  name: string;
  userId: string;
  account: SandboxAccount | undefined;
}
