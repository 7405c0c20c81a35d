import type { Queryable } from "../../database/database.ts";
import { collectMistakes, pointer, type Mistakes } from "./mistakes.ts";
import { readKnown, type Known } from "./read-known.ts";
import { readRecords, unreadableKey, type NetworkFile } from "./records.ts";
import { collectKeys, findDangling, findDuplicates } from "./references.ts";
import { sortByParent, type LinkedCast } from "./sort-by-parent.ts";
import { createYield } from "../../async.ts";

/** A file without mistakes, and the records to create from it. */
export interface ImportPlan {
  file: NetworkFile;
  known: Known;
  /** Every channel that the import reads or creates. */
  channelIds: ReadonlySet<string>;
  newCasts: LinkedCast[];
  /** Names that the registry gives to fids that never had one. */
  registrations: { fid: number; name: string; owner: `0x${string}`; notBefore: number }[];
}

/** Reads the whole file and looks up its references; throws `invalid_file` with all its mistakes. */
export async function planImport(
  db: Queryable,
  input: Readonly<Record<string, unknown>>,
): Promise<ImportPlan> {
  const mistakes = collectMistakes();
  const unreadable = new Set<string>();
  const file = await readRecords(input, mistakes, unreadable);
  await findDuplicates(file, mistakes);
  const keys = await collectKeys(file);
  const known = await readKnown(db, file, keys);
  await findDangling(file, keys.own, known, unreadable, mistakes);
  const newCasts = await sortByParent(file, known, mistakes);
  await findTakenUrls(file, known, mistakes);
  await findStrayPins(file, known, newCasts, unreadable, mistakes);
  const registrations = await planRegistrations(file, known, mistakes);
  mistakes.refuse();
  // A cast's channel is named in the file, or is its parent's and therefore known.
  const channelIds = new Set([...keys.own.channel, ...keys.mentioned.channel, ...known.channels.keys()]);
  return { file, known, channelIds, newCasts, registrations };
}

async function findTakenUrls(file: NetworkFile, known: Known, mistakes: Mistakes): Promise<void> {
  const yieldToEventLoop = createYield();
  for (const [index, channel] of file.channels.entries()) {
    await yieldToEventLoop();
    if (!channel || known.channels.has(channel.id)) continue;
    const other = known.channelsByUrl.get(channel.url);
    if (other === undefined) continue;
    mistakes.add({ path: pointer("channels", index, "url"), message: `is the url of channel ${other}` });
  }
}

async function findStrayPins(
  file: NetworkFile,
  known: Known,
  casts: LinkedCast[],
  unreadable: ReadonlySet<string>,
  mistakes: Mistakes,
): Promise<void> {
  if (!file.channels.some((channel) => channel?.pinnedCastHash !== undefined)) return;
  const channels = new Map(casts.map(({ record, channelId }) => [record.hash, channelId]));
  const yieldToEventLoop = createYield();
  for (const [index, channel] of file.channels.entries()) {
    await yieldToEventLoop();
    const pin = channel?.pinnedCastHash;
    if (!channel || pin === undefined || known.channels.has(channel.id)) continue;
    if (unreadable.has(unreadableKey("casts", pin))) continue;
    if ((known.casts.get(pin)?.channelId ?? channels.get(pin)) === channel.id) continue;
    mistakes.add({
      path: pointer("channels", index, "pinnedCastHash"),
      message: "is not a cast of this channel",
    });
  }
}

/** A name applies only to a fid that never had one, so that a later import does not undo the user's own changes. */
async function planRegistrations(
  file: NetworkFile,
  known: Known,
  mistakes: Mistakes,
): Promise<ImportPlan["registrations"]> {
  const registrations: ImportPlan["registrations"] = [];
  const yieldToEventLoop = createYield();
  for (const [index, account] of file.accounts.entries()) {
    await yieldToEventLoop();
    // Importing a file again must not undo a transfer, so a user who ever had a name is left alone.
    if (account?.username === undefined || known.named.has(account.fid)) continue;
    const { fid, username: name } = account;
    const holder = known.names.get(name);
    if (holder !== undefined) {
      const path = pointer("accounts", index, "username");
      mistakes.add({ path, message: `is registered to fid ${holder}` });
      continue;
    }
    // The schema admits only 0x and hex digits.
    const owner = account.custodyAddress.toLowerCase() as `0x${string}`;
    registrations.push({ fid, name, owner, notBefore: (known.nameTimes.get(name) ?? -1) + 1 });
  }
  return registrations;
}
