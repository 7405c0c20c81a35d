// @ts-nocheck
import { AppError, type Mistake } from "../../errors.ts";
import type { Queryable } from "../../database/database.ts";
import { arrangeCasts, type ArrangedCast } from "./arrange-casts.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { readKnown, type Known } from "./read-known.ts";
import { pointer, readRecords } from "./read-records.ts";
import type { NetworkFile } from "./records.ts";
import { collectKeys, findDangling } from "./references.ts";

/** A file without mistakes, and what of it is to be created. */
export interface ImportPlan {
  file: NetworkFile;
  known: Known;
  /** Every channel that the import reads or creates. */
  channelIds: ReadonlySet<string>;
  newCasts: ArrangedCast[];
  /** Names that the network's registry gives to fids which never had one. */
  registrations: { fid: number; name: string; owner: `0x${string}`; notBefore: number }[];
}

/** Reads the whole file and looks up what it mentions; every mistake is told at once, as `invalid_file`. */
export async function planImport(
  db: Queryable,
  input: Readonly<Record<string, unknown>>,
): Promise<ImportPlan> {
  const mistakes: Mistake[] = [];
  const file = await readRecords(input, mistakes);
  await findDuplicates(file, mistakes);
  const keys = await collectKeys(file);
  const known = await readKnown(db, file, keys);
  await findDangling(file, keys.own, known, mistakes);
  const newCasts = await arrangeCasts(file, known, mistakes);
  findTakenUrls(file, known, mistakes);
  findStrayPins(file, known, newCasts, mistakes);
  const registrations = planRegistrations(file, known, mistakes);
  refuseMistakes(mistakes);
  // A cast is in a channel that the file names, or in its parent's, which is known.
  const channelIds = new Set([...keys.own.channel, ...keys.mentioned.channel, ...known.channels.keys()]);
  return { file, known, channelIds, newCasts, registrations };
}

export function refuseMistakes(mistakes: Mistake[]): void {
  if (mistakes.length === 0) return;
  const count = mistakes.length === 1 ? "a mistake" : `${mistakes.length} mistakes`;
  throw new AppError("invalid_file", `The network file has ${count}; nothing was imported.`, { mistakes });
}

function findTakenUrls(file: NetworkFile, known: Known, mistakes: Mistake[]): void {
  for (const [index, channel] of file.channels.entries()) {
    if (!channel || known.channels.has(channel.id)) continue;
    const other = known.channelsByUrl.get(channel.url);
    if (other === undefined) continue;
    mistakes.push({ path: pointer("channels", index, "url"), message: `is the url of channel ${other}` });
  }
}

function findStrayPins(file: NetworkFile, known: Known, casts: ArrangedCast[], mistakes: Mistake[]): void {
  if (!file.channels.some((channel) => channel?.pinnedCastHash !== undefined)) return;
  const channels = new Map(casts.map(({ record, channelId }) => [record.hash, channelId]));
  for (const [index, channel] of file.channels.entries()) {
    const pin = channel?.pinnedCastHash;
    if (!channel || pin === undefined || known.channels.has(channel.id)) continue;
    if ((known.casts.get(pin)?.channelId ?? channels.get(pin)) === channel.id) continue;
    mistakes.push({
      path: pointer("channels", index, "pinnedCastHash"),
      message: "is no cast of this channel",
    });
  }
}

/** A name counts for a fid that never had one: a later import never undoes what the user did with his. */
function planRegistrations(
  file: NetworkFile,
  known: Known,
  mistakes: Mistake[],
): ImportPlan["registrations"] {
  const registrations: ImportPlan["registrations"] = [];
  for (const [index, account] of file.accounts.entries()) {
    if (account?.username === undefined || known.named.has(account.fid)) continue;
    const { fid, username: name } = account;
    const holder = known.names.get(name);
    if (holder !== undefined) {
      const path = pointer("accounts", index, "username");
      mistakes.push({ path, message: `is registered to fid ${holder}` });
      continue;
    }
    // Its schema lets nothing but 0x and hex digits through.
    const owner = account.custodyAddress.toLowerCase() as `0x${string}`;
    registrations.push({ fid, name, owner, notBefore: (known.nameTimes.get(name) ?? -1) + 1 });
  }
  return registrations;
}
