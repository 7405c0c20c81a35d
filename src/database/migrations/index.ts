import type { Tx } from "../database.ts";
import { up as network } from "./0001-network.ts";

/** SQL, or a function where SQL alone cannot do it. Runs once, in a transaction. Never changed after a release. */
export type Migration = string | ((tx: Tx) => Promise<void>);

/** In the order in which they run. */
export const migrations: Record<string, Migration> = {
  "0001-network": network,
};
