import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Readable, Transform } from "node:stream";
import { z } from "zod";
import { createOperatorClient } from "../client/create-client.ts";
import type { Config } from "../config.ts";
import { ImportReport, networkFileLimit } from "../contract/operator.ts";
import { AppError, explainSystemError } from "../errors.ts";
import { askInstance, instanceOf } from "./ask-instance.ts";
import { requireNewFile, writeNew } from "./new-file.ts";
import { createProgress, type Progress } from "./progress.ts";

const Answer = z.union([
  z.object({ result: ImportReport }),
  z.object({
    errors: z.array(
      z.object({
        message: z.string(),
        instancePath: z.string().optional(),
        count: z.number().exactOptional(),
      }),
    ),
  }),
]);

/** Sends a network file (`-` is standard input) to the running instance and reports the result. */
export async function importNetwork(
  config: Config,
  file: string,
  out: NodeJS.WriteStream,
  notes: NodeJS.WriteStream,
): Promise<void> {
  const size = file === "-" ? undefined : await sizeOf(file);
  const source = file === "-" ? process.stdin : createReadStream(file);
  const progress = createProgress(notes);
  const body = pipeline(source, countBytes(progress, size), () => {});
  await once(body, "readable").catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (body.readableLength === 0) throw new AppError("invalid_file", `${nameOf(file)} is empty.`);
  const answer = await send(config, Readable.toWeb(body)).finally(() => progress.end());
  if ("errors" in answer) {
    const [first, ...rest] = answer.errors;
    const mistakes = rest.map(({ instancePath: path = "", ...mistake }) => ({ path, ...mistake }));
    const message = `${nameOf(file)}: ${first?.message ?? "The instance returned no reason."}`;
    throw new AppError("invalid_file", message, { mistakes });
  }
  const kinds = new Set([...Object.keys(answer.result.imported), ...Object.keys(answer.result.present)]);
  for (const kind of kinds) {
    const { imported, present } = answer.result;
    out.write(`${kind}: ${imported[kind] ?? 0} imported, ${present[kind] ?? 0} already there\n`);
  }
}

function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}

function unreadable(file: string, cause: unknown): AppError {
  const why = explainSystemError(cause) ?? String(cause);
  return new AppError("invalid_file", `${nameOf(file)} cannot be read: ${why}.`, { cause });
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (found.isDirectory()) throw new AppError("invalid_file", `${file} is a directory. Give a file.`);
  if (found.size <= networkFileLimit) return found.size;
  throw new AppError(
    "invalid_file",
    `${file} is larger than ${networkFileLimit >> 20} MiB. Split it: imports are cumulative.`,
  );
}

async function send(config: Config, body: ReadableStream): Promise<z.output<typeof Answer>> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body, duplex: "half" } as const;
  const response = await askInstance(config, "/operator/network", request);
  const answer = Answer.safeParse(await response.json().catch(() => undefined));
  if (answer.success) return answer.data;
  throw new AppError(
    "network_failed",
    `${response.url} answered ${response.status}, which is not Castellan.`,
  );
}

/** Forwards bytes and reports progress. After all bytes are sent, the instance may work on them for minutes. */
function countBytes(progress: Progress, total: number | undefined): Transform {
  let sent = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      progress.say(drawBar(sent, total));
      done(null, chunk);
    },
    flush(done) {
      if (sent > 0) progress.wait("Everything is sent. The instance is checking and storing it");
      done();
    },
  });
}

function drawBar(sent: number, total: number | undefined): string {
  const size = `${(sent / 1024).toFixed(0)} KiB sent`;
  if (!total) return size;
  const filled = Math.round((30 * sent) / total);
  return `[${"#".repeat(filled)}${" ".repeat(Math.max(0, 30 - filled))}] ${size}`;
}

/** Writes the running instance's network to a file (`-` is standard output), which it never overwrites. */
export async function exportNetwork(config: Config, file: string, out: NodeJS.WritableStream): Promise<void> {
  requireNewFile(file);
  const operator = createOperatorClient(instanceOf(config));
  const network = await operator.exportNetwork({});
  const text = `${JSON.stringify(network, null, 2)}\n`;
  await writeNew(file, [text], out);
  if (file === "-") return;
  for (const [kind, records] of Object.entries(network)) {
    if (Array.isArray(records)) out.write(`${kind}: ${records.length}\n`);
  }
}
