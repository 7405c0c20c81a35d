import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockDirectory } from "../database/embedded/directory-lock.ts";

const prefix = "unfinished-backup-";

/** A new folder in the data directory, for the copy of a running instance's data that a portable backup reads. */
export interface BackupFolder {
  directory: string;
  /** Deletes it. */
  close(): Promise<void>;
}

/** Also deletes the folders of backups that were killed: nobody holds the locks of those. */
export async function openBackupFolder(dataDirectory: string): Promise<BackupFolder> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith(prefix)) await removeUnlessHeld(join(dataDirectory, name));
  }
  const directory = await mkdtemp(join(dataDirectory, prefix));
  const release = await lockDirectory(directory);
  return {
    directory,
    async close() {
      await release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function removeUnlessHeld(directory: string): Promise<void> {
  try {
    await (
      await lockDirectory(directory)
    )();
    await rm(directory, { recursive: true, force: true });
  } catch {
    // In use, or another user's, as after a backup by root. Neither is in the way of this one.
  }
}
