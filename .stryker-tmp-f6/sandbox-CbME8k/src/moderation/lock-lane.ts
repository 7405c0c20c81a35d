// @ts-nocheck
import type { Tx } from "../database/database.ts";
import { inForce } from "./case.ts";

/**
 * Holds what is requested or in force about one target. Whoever changes several cases of a lane locks them like this
 * first: by id, before case numbers and the counter of events, so that two transactions never wait for each other.
 * What a statement after it reads is what the transactions before it left.
 */
export async function lockLane(tx: Tx, lane: string): Promise<void> {
  await tx
    .selectFrom("castellan.cases")
    .select("id")
    .where("lane", "=", lane)
    .where("state", "in", ["requested", ...inForce])
    .orderBy("id")
    .forUpdate()
    .execute();
}
