import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { ImportReport } from "../../contract/operator.ts";
import { seconds } from "../../clock.ts";
import { sqlState } from "../../database/transactions.ts";
import { asAppError } from "../../errors.ts";
import { findJsonMistake } from "../../text/broken-json.ts";
import type { ApiContext } from "../context.ts";
import { applyImport, networkChanged } from "./apply-import.ts";
import { encodePlan, type RowKind } from "./encode-plan.ts";
import { refusal } from "./mistakes.ts";
import { planImport, type ImportPlan } from "./plan-import.ts";
import { kinds } from "./records.ts";

/** Fewer new records do not change the best query plans. */
const manyRecords = 1_000;

/**
 * Imports a network file (docs/operate/hosting.md) completely or not at all, and creates what is missing. `fileHash` is stored
 * in the same transaction. Throws `invalid_file` with up to a thousand mistakes and their total number.
 */
export async function importNetwork(
  context: ApiContext,
  input: Readonly<Record<string, unknown>>,
  fileHash?: string,
): Promise<ImportReport> {
  const readPlan = () => planImport(context.database.query, input);
  // Another import may commit between two statements of one plan, which makes the plan inconsistent.
  const plan = await readPlan().catch(readPlan);
  const now = seconds(context.clock);
  const encoded = await encodePlan(context, plan, now);
  try {
    const created = await context.database.transaction(async (tx) => {
      if (fileHash !== undefined) {
        await tx.insertInto("network.imported_files").values({ hash: fileHash, imported_at: now }).execute();
      }
      return applyImport(tx, plan, encoded, { now, hub: context.settings.hub });
    });
    await analyzeAfter(context, created);
    return report(plan, created);
  } catch (error) {
    const uniqueViolation = "23505";
    throw sqlState(error) === uniqueViolation ? networkChanged(error) : error;
  }
}

/** Imports a network file's text unless the same text was imported before, in which case there is no report. */
export async function importNetworkFileOnce(
  context: ApiContext,
  text: string,
): Promise<ImportReport | undefined> {
  const hash = createHash("sha256").update(text).digest("hex");
  if (await wasImported(context, hash)) return undefined;
  try {
    return await importNetwork(context, parseFile(text), hash);
  } catch (error) {
    // Another process that starts on the same database may have imported it in the meantime.
    if (asAppError(error, "not_ready") && (await wasImported(context, hash))) return undefined;
    throw error;
  }
}

async function wasImported({ database }: ApiContext, hash: string): Promise<boolean> {
  const known = await database.query
    .selectFrom("network.imported_files")
    .select("hash")
    .where("hash", "=", hash)
    .executeTakeFirst();
  return known !== undefined;
}

function parseFile(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const mistake = findJsonMistake(text);
    if (!mistake) throw error;
    const { line, column, why } = mistake;
    throw refusal([{ path: "", message: `is not JSON: line ${line}, column ${column}: ${why}` }]);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal([{ path: "", message: "must be an object of arrays" }]);
  }
  // A JSON object; its members are still unknown.
  return value as Record<string, unknown>;
}

/** An import may create most of a table's rows, so the statistics are renewed before the next query. */
async function analyzeAfter(
  { database, log }: ApiContext,
  created: ReadonlyMap<RowKind, number>,
): Promise<void> {
  const count = [...created.values()].reduce((sum, each) => sum + each, 0);
  if (count < manyRecords) return;
  try {
    const { rows } = await sql<{ names: string }>`
      select string_agg(format('%I.%I', schemaname, relname), ', ') as names
      from pg_stat_user_tables where schemaname = 'network'
    `.execute(database.query);
    await sql.raw(`analyze ${rows[0]?.names ?? ""}`).execute(database.query);
  } catch (error) {
    // The import itself is done, and the database will update its statistics later.
    log.warn({ err: error }, "the imported tables could not be analyzed");
  }
}

function report({ file }: ImportPlan, created: ReadonlyMap<RowKind, number>): ImportReport {
  const named = kinds.filter((kind) => file[kind].length > 0);
  const imported = named.map((kind) => [kind, created.get(kind) ?? 0] as const);
  const present = named.map((kind) => [kind, file[kind].length - (created.get(kind) ?? 0)] as const);
  return { imported: Object.fromEntries(imported), present: Object.fromEntries(present) };
}
