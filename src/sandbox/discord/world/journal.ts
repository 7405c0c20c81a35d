import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../../errors.ts";
import { applyChange, type Change, emptyWorld, type World } from "./world.ts";

export interface Journal {
  world: World;
  /** Applies a change. The change is in the file before this returns, so that acknowledged changes survive a kill. */
  record: (change: Change) => void;
  close: () => void;
}

/** Opens or creates the sandbox's file. Drops a line that a kill truncated, and outdated versions. */
export function openJournal(file: string): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const world = emptyWorld();
  for (const change of readChanges(file)) applyChange(world, change);
  compact(file, world);
  const descriptor = openSync(file, "a", 0o600);
  return {
    world,
    record(change) {
      writeSync(descriptor, `${JSON.stringify(change)}\n`);
      applyChange(world, change);
    },
    close: () => closeSync(descriptor),
  };
}

function readChanges(file: string): Change[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  lines.pop(); // Empty or truncated: only a line with a line break is complete.
  return lines.map((line, index) => {
    try {
      // Only this module writes the file, and each line is one change.
      return JSON.parse(line) as Change;
    } catch (cause) {
      throw new AppError(
        "invalid_file",
        `${file} is damaged at line ${index + 1}. Move it away to start again.`,
        { cause },
      );
    }
  });
}

function compact(file: string, world: World): void {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, "w", 0o600);
  for (const change of changesOf(world)) writeSync(descriptor, `${JSON.stringify(change)}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
}

function* changesOf(world: World): Iterable<Change> {
  yield { kind: "boot", number: world.boot, applicationId: world.applicationId };
  for (const user of world.users.values()) yield { kind: "user", user };
  for (const guild of world.guilds.values()) yield { kind: "guild", guild };
  for (const room of world.rooms.values()) yield { kind: "room", room };
  for (const [scope, commands] of world.commands) yield { kind: "commands", scope, commands };
  for (const message of [...world.messages.values()].flat()) {
    yield { kind: "message", message };
    for (const { id } of message.attachments) {
      const content = world.files.get(id);
      if (content) yield { kind: "file", id, base64: content.toString("base64") };
    }
  }
}
