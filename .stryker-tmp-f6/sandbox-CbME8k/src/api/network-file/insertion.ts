// @ts-nocheck
import { sql, type RawBuilder } from "kysely";
import type { StagedKind } from "./stage.ts";

/** How the staged records of one kind become rows; what it inserts are the records that were missing. */
export interface Insertion {
  kind: StagedKind;
  insert: (importId: number, now: number) => RawBuilder<unknown>;
  /** Inserts what belongs to the rows that were inserted, which it reads from `inserted`. */
  children?: (importId: number) => RawBuilder<unknown>;
}

/** The staged records of a kind as rows of these columns, in the file's order. */
export function staged(importId: number, kind: StagedKind, columns: string): RawBuilder<unknown> {
  return sql`(
    select fields.*, staged.position
    from network.import_records as staged, jsonb_to_record(staged.record) as fields(${sql.raw(columns)})
    where staged.import_id = ${importId} and staged.kind = ${kind}
    order by staged.position
  )`;
}
