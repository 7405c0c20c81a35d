import { z } from "zod";
import type { Config } from "../config.ts";
import { taskFileLimit } from "../contract/operator.ts";
import { amount } from "../text/amount.ts";
import type { TextOutput } from "../text/show-controls.ts";
import { askForTask } from "./ask-instance.ts";
import { requireNewFile, writeNew } from "./new-file.ts";
import { readTextFile } from "./text-file.ts";

const Exported = z.object({ text: z.string() });
const Imported = z.object({ changes: z.array(z.string()), digest: z.string() });

/** Writes a server's configuration as a YAML file, which overwrites none; "-" is standard output. */
export async function exportConfig(
  config: Config,
  { server, output }: { server: string; output: string },
  out: NodeJS.WritableStream,
): Promise<void> {
  requireNewFile(output);
  const { text } = await askForTask(config, "config", { server }, { Answer: Exported });
  await writeNew(output, [text], out);
}

/** Prints what a file would change in a server's configuration, and changes it unless it is a dry run. */
export async function importConfig(
  config: Config,
  { file, server, dryRun }: { file: string; server: string; dryRun: boolean },
  out: TextOutput,
): Promise<void> {
  const source = await readTextFile(file, taskFileLimit);
  const send = (apply?: string) =>
    askForTask(config, "config-import", { server, source, apply }, { Answer: Imported, file });
  const { changes, digest } = await send();
  if (changes.length === 0) {
    out.write(`${file}: the server has this configuration already.\n`);
    return;
  }
  out.write(["Changes:", ...changes.map((line) => `  ${line}`), ""].join("\n"));
  if (dryRun) return;
  const made = await send(digest);
  out.write(`${amount(made.changes.length, "change")} made.\n`);
}
