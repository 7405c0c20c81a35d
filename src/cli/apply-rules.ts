import { z } from "zod";
import type { Config } from "../config.ts";
import type { TextOutput } from "../text/show-controls.ts";
import { askForTask } from "./ask-instance.ts";
import { readSoundFile } from "./rule-file.ts";

const Answer = z.object({ before: z.int(), stored: z.int().optional(), changes: z.array(z.string()) });

interface FileForServer {
  file: string;
  /** Discord's id. */
  server: string;
}

/** Prints what a rule file would change in a server. Returns whether there are changes. */
export async function diffRules(config: Config, target: FileForServer, out: TextOutput): Promise<boolean> {
  const { before, changes } = await send(config, target, false);
  out.write(
    describe(
      `${target.file}: nothing would change in version ${before}.`,
      `Compared with version ${before}:`,
      changes,
    ),
  );
  return changes.length > 0;
}

/** Puts a rule file in force in a server as a new version. Applying the same file again changes nothing. */
export async function applyRules(config: Config, target: FileForServer, out: TextOutput): Promise<void> {
  const { before, stored, changes } = await send(config, target, true);
  out.write(
    describe(
      `${target.file}: version ${before} has these rules already.`,
      `Version ${stored} is in force:`,
      changes,
    ),
  );
}

function describe(same: string, heading: string, changes: readonly string[]): string {
  const lines = changes.length === 0 ? [same] : [heading, ...changes.map((line) => `  ${line}`)];
  return `${lines.join("\n")}\n`;
}

async function send(config: Config, { file, server }: FileForServer, apply: boolean) {
  const { source } = await readSoundFile(file);
  return askForTask(config, "rules", { server, source, apply }, { Answer, file });
}
