import { untoldIn } from "./list.ts";
import { pointer, type Mistakes } from "./mistakes.ts";
import { createPace } from "./pace.ts";
import { kinds, recordSchemas, type Kind, type NetworkFile, type RecordOf } from "./records.ts";

/** Reads every record by its schema; mistakes carry JSON pointers. */
export async function readRecords(
  input: Readonly<Record<string, unknown>>,
  mistakes: Mistakes,
): Promise<NetworkFile> {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(recordSchemas, name)) {
      mistakes.add({ path: pointer(name), message: `is none of ${kinds.join(", ")}` });
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
  mistakes: Mistakes,
): Promise<(RecordOf<K> | undefined)[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    mistakes.add({ path: pointer(kind), message: "must be an array" });
    return [];
  }
  const pace = createPace();
  const records: (RecordOf<K> | undefined)[] = [];
  for (const [index, record] of value.entries()) {
    const parsed = await recordSchemas[kind].safeParseAsync(record);
    // The schema of this kind gives this kind's record.
    if (parsed.success) records.push(parsed.data as RecordOf<K>);
    else {
      records.push(undefined);
      for (const issue of parsed.error.issues) {
        const untold = untoldIn(issue);
        if (untold > 0) mistakes.addUntold(untold);
        else mistakes.add({ path: pointer(kind, index, ...issue.path), message: issue.message });
      }
    }
    await pace();
  }
  return records;
}
