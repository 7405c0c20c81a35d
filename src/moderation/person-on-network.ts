import { withTimeout } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import { Platform } from "../contract/verifications.ts";
import { AppError } from "../errors.ts";

/** One change of a name's holder; 0 means none. */
export interface NameChange {
  name: string;
  from: number;
  to: number;
  /** UNIX seconds. */
  at: number;
}

/** The network's own data on a person. Data that did not arrive in time is undefined, and named in `unanswered`. */
export interface PersonOnNetwork {
  names: NameChange[] | undefined;
  /** "x @pia". */
  accounts: { platform: Platform; username: string }[] | undefined;
  /** How many people they block, on the newest page; `more` if there are others. */
  blocks: { count: number; more: boolean } | undefined;
  /** The channels' owners who block them, as far as the owners' newest page shows. */
  blockedBy: number[] | undefined;
  unanswered: string[];
}

/** Milliseconds for all of it: the card is based on our own rows. */
const timeoutMs = 2_000;

export async function readPersonOnNetwork(
  context: BotContext,
  fid: number,
  owners: readonly number[],
): Promise<PersonOnNetwork> {
  const unanswered: string[] = [];
  const asked = async <T>(what: string, work: Promise<T>): Promise<T | undefined> => {
    try {
      return await withTimeout(work, timeoutMs, () => {
        throw new AppError("network_unreachable", "The network did not respond in time.");
      });
    } catch (error) {
      context.log.warn({ err: error, fid, what }, "could not read a person's data from the network");
      unanswered.push(what);
      return undefined;
    }
  };
  const [names, accounts, blocks, blockedBy] = await Promise.all([
    asked("names", readNameChanges(context, fid)),
    asked("verified accounts", readAccounts(context, fid)),
    asked("blocks", readBlocks(context, fid)),
    asked("who blocks them", readBlockers(context, fid, owners.slice(0, maxOwners))),
  ]);
  return { names, accounts, blocks, blockedBy, unanswered };
}

/** How many owners are checked. */
const maxOwners = 5;
/** How many pages of the registry are read, with a hundred changes each. */
const maxPages = 5;

/** All changes of a fid's names, oldest first. */
async function readNameChanges({ network }: BotContext, fid: number): Promise<NameChange[]> {
  const changes: NameChange[] = [];
  let from = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const { transfers } = await network.transfers.list({ fid, from_id: from });
    changes.push(
      ...transfers.map(({ username, from, to, timestamp }) => ({ name: username, from, to, at: timestamp })),
    );
    const last = transfers.at(-1)?.id ?? 0;
    if (transfers.length < 100 || last <= from) break;
    from = last;
  }
  return changes;
}

async function readAccounts(
  { network }: BotContext,
  fid: number,
): Promise<NonNullable<PersonOnNetwork["accounts"]>> {
  const found = await Promise.all(
    Platform.options.map((platform) => network.accountVerifications.list({ fid, platform })),
  );
  return found
    .flatMap(({ result }) => result.verifications)
    .map(({ platform, platformUsername }) => ({ platform, username: platformUsername }));
}

async function readBlocks(
  { network }: BotContext,
  fid: number,
): Promise<NonNullable<PersonOnNetwork["blocks"]>> {
  const { result, next } = await network.blockedUsers.list({ blockerFid: fid });
  return { count: result.blockedUsers.length, more: next !== undefined };
}

async function readBlockers(
  { network }: BotContext,
  fid: number,
  blockers: readonly number[],
): Promise<number[]> {
  const lists = await Promise.all(
    blockers.map((blockerFid) => network.blockedUsers.list({ blockerFid, limit: 100 })),
  );
  return blockers.filter((_, index) =>
    lists[index]?.result.blockedUsers.some(({ blockedFid }) => blockedFid === fid),
  );
}
