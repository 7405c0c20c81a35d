import { z } from "zod";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import type { TextOutput } from "../text/show-controls.ts";
import { askInstance } from "./ask-instance.ts";
import { readSoundFile } from "./rule-file.ts";

const Answer = z.union([
  z.object({ before: z.int(), stored: z.int().optional(), changes: z.array(z.string()) }),
  z.object({ refused: z.string(), mistakes: z.array(z.object({ path: z.string(), message: z.string() })) }),
]);

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
  const response = await askInstance(config, "/operator/rules", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ server, source, apply }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const read = Answer.safeParse(answer);
  if (!read.success) throw new AppError("network_failed", explainAnswer(response, answer));
  if (!("refused" in read.data)) return read.data;
  const { refused, mistakes } = read.data;
  throw new AppError("invalid_file", `${file}: ${refused}`, { mistakes });
}

const ErrorAnswer = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

function explainAnswer({ url, status }: Response, answer: unknown): string {
  const reason = ErrorAnswer.safeParse(answer).data?.errors[0]?.message;
  return reason === undefined ? `${url} answered ${status}, which is not Castellan.` : `${url}: ${reason}`;
}
