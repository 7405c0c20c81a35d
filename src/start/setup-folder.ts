import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockDirectory } from "../database/embedded/directory-lock.ts";
import { AppError, asAppError, explainSystemError } from "../errors.ts";
import { readSettingsFile, writeSettingsFile, type Settings } from "../settings-file.ts";
import { makeDataDirectory } from "./make-directory.ts";

/** The draft of an unfinished setup. Only one process can have it at a time. */
export interface SetupFolder {
  draft: Record<string, string>;
  /** Adds to the draft; undefined removes a name. */
  save(settings: Settings): void;
  /** Deletes the draft after its work is done. */
  clear(): void;
  close(): Promise<void>;
}

/** Throws `directory_in_use` while another setup runs. `purpose` separates the drafts of different commands. */
export async function openSetupFolder(
  dataDirectory: string,
  purpose: "setup" | "rotation",
): Promise<SetupFolder> {
  makeDataDirectory(dataDirectory);
  const folder = join(dataDirectory, "setup");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const why = explainSystemError(cause) ?? String(cause);
    throw new AppError("invalid_file", `${folder} cannot be created: ${why}.`, { cause });
  }
  const release = await lockDirectory(folder).catch((cause: unknown) => {
    throw describeHolder(cause, folder);
  });
  const file = join(folder, `${purpose}.env`);
  const state = { draft: readSettingsFile(file) ?? {} };
  return {
    get draft() {
      return state.draft;
    },
    save(settings) {
      const next = Object.entries({ ...state.draft, ...settings }).flatMap(
        ([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]),
      );
      state.draft = Object.fromEntries(next);
      writeSettingsFile(file, state.draft);
    },
    clear() {
      state.draft = {};
      rmSync(file, { force: true });
    },
    close: release,
  };
}

function describeHolder(cause: unknown, folder: string): unknown {
  const known = asAppError(cause, "directory_in_use");
  if (known) {
    const [, process = "another process"] = /by (process \d+)/.exec(known.message) ?? [];
    const message = `Another castellan setup is running (${process}). Stop it, or let it finish.`;
    return new AppError("directory_in_use", message, { cause });
  }
  const why = explainSystemError(cause);
  return why === undefined
    ? cause
    : new AppError("invalid_file", `${folder} cannot be used: ${why}.`, { cause });
}
