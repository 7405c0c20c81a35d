// @ts-nocheck
import type { Mistake } from "../../errors.ts";
import { createPace } from "./pace.ts";
import { kinds, recordSchemas, type Kind, type NetworkFile, type RecordOf } from "./records.ts";

/** Reads every record by its schema; mistakes carry JSON pointers. */
export async function readRecords(
  input: Readonly<Record<string, unknown>>,
  mistakes: Mistake[],
): Promise<NetworkFile> {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(recordSchemas, name)) {
      mistakes.push({ path: pointer(name), message: `is none of ${kinds.join(", ")}` });
    }
  }
  const file: Partial<Record<Kind, unknown[]>> = {};
  for (const kind of kinds) file[kind] = await readKind(kind, input[kind], mistakes);
  // Each kind was read by its own schema.
  return file as NetworkFile;
}

async function readKind<K extends Kind>(
  kind: K,
  value: unknown,
  mistakes: Mistake[],
): Promise<(RecordOf<K> | undefined)[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    mistakes.push({ path: pointer(kind), message: "must be an array" });
    return [];
  }
  const pace = createPace();
  const records: (RecordOf<K> | undefined)[] = [];
  for (const [index, record] of value.entries()) {
    const parsed = recordSchemas[kind].safeParse(record);
    // The schema of this kind gives this kind's record.
    if (parsed.success) records.push(parsed.data as RecordOf<K>);
    else {
      records.push(undefined);
      for (const { path, message } of parsed.error.issues) {
        mistakes.push({ path: pointer(kind, index, ...path), message });
      }
    }
    await pace();
  }
  return records;
}

/** A JSON pointer (RFC 6901). */
export function pointer(...path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
