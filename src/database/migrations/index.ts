import type { Tx } from "../database.ts";
import { up as baseline } from "./0200-baseline.ts";
import { up as revertedBy } from "./0201-reverted-by.ts";
import { up as noCaches } from "./0202-no-caches-of-the-network.ts";
import { up as bulksOfInvites } from "./0204-bulks-of-invites.ts";
import { up as apiTokens } from "./0206-api-tokens.ts";
import { up as botProcesses } from "./0207-bot-processes.ts";
import { up as bulksInSeveralChannels } from "./0208-bulks-in-several-channels.ts";
import { up as webhooks } from "./0210-webhooks.ts";
import { up as unreadableLinks } from "./0212-unreadable-links.ts";
import { up as languagesOfAppeals } from "./0213-languages-of-appeals.ts";
import { up as languagesOfTemplates } from "./0214-languages-of-templates.ts";
import { up as indexesForPruning } from "./0215-indexes-for-pruning.ts";
import { up as timeZones } from "./0216-time-zones.ts";
import { up as languagesOfRooms } from "./0217-languages-of-rooms.ts";
import { up as roomsForReaders } from "./0218-rooms-for-readers.ts";

/** SQL, or a function where SQL alone cannot do it. Runs once, in a transaction. Never changed after a release. */
export type Migration = string | ((tx: Tx) => Promise<void>);

/** In the order in which they run, which is that of their numbers. */
export const migrations: Record<string, Migration> = {
  "0200-baseline": baseline,
  "0201-reverted-by": revertedBy,
  "0202-no-caches-of-the-network": noCaches,
  "0204-bulks-of-invites": bulksOfInvites,
  "0206-api-tokens": apiTokens,
  "0207-bot-processes": botProcesses,
  "0208-bulks-in-several-channels": bulksInSeveralChannels,
  "0210-webhooks": webhooks,
  "0212-unreadable-links": unreadableLinks,
  "0213-languages-of-appeals": languagesOfAppeals,
  "0214-languages-of-templates": languagesOfTemplates,
  "0215-indexes-for-pruning": indexesForPruning,
  "0216-time-zones": timeZones,
  "0217-languages-of-rooms": languagesOfRooms,
  "0218-rooms-for-readers": roomsForReaders,
};

/**
 * For a migration that does more than add: the migration that a version must have to use the database after it. A process
 * of an earlier version that restarts during an upgrade refuses to start then; after all other migrations it starts.
 */
export const usableFrom: Record<string, string> = {
  "0200-baseline": "0200-baseline",
  "0202-no-caches-of-the-network": "0202-no-caches-of-the-network",
};
