import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, Readable, Transform } from "node:stream";
import { z } from "zod";
import type { Config } from "../config.ts";
import { ImportReport, networkFileLimit } from "../contract/operator.ts";
import { AppError } from "../errors.ts";
import { nearOriginOf } from "../listening.ts";
import { readOperatorToken } from "../start/keys.ts";
import { ProgressBar } from "./progress-bar.ts";

const Answer = z.union([
  z.object({ result: ImportReport }),
  z.object({ errors: z.array(z.object({ message: z.string(), instancePath: z.string().optional() })) }),
]);

/** Sends a network file (`-` is standard input) to the running instance and reports what it made of it. */
export async function importNetwork(config: Config, file: string, out: NodeJS.WriteStream): Promise<void> {
  const size = file === "-" ? undefined : await sizeOf(file);
  const source = file === "-" ? process.stdin : createReadStream(file);
  const bar = new ProgressBar(out, "sent", size);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bar.advance(chunk.length);
      done(null, chunk);
    },
  });
  const body = pipeline(source, counted, () => {});
  const answer = await send(config, Readable.toWeb(body));
  bar.finish();
  if ("errors" in answer) {
    const [first, ...rest] = answer.errors;
    const mistakes = rest.map(({ instancePath: path = "", message }) => ({ path, message }));
    throw new AppError("invalid_file", first?.message ?? "The instance gave no reason.", { mistakes });
  }
  const kinds = new Set([...Object.keys(answer.result.imported), ...Object.keys(answer.result.present)]);
  for (const kind of kinds) {
    const { imported, present } = answer.result;
    out.write(`${kind}: ${imported[kind] ?? 0} imported, ${present[kind] ?? 0} already there\n`);
  }
}

async function sizeOf(file: string): Promise<number> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw new AppError("invalid_file", `${file} cannot be read.`, { cause });
  });
  if (size <= networkFileLimit) return size;
  throw new AppError(
    "invalid_file",
    `${file} is larger than ${networkFileLimit >> 20} MiB. Split it: an import adds to what is there.`,
  );
}

async function send(config: Config, body: ReadableStream): Promise<z.output<typeof Answer>> {
  const address = `${nearOriginOf({ host: config.HOST, port: config.PORT })}/operator/network`;
  const token = config.OPERATOR_TOKEN ?? readOperatorToken(config.DATA_DIR);
  const response = await fetch(address, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
    duplex: "half",
  }).catch((cause: unknown) => {
    throw new AppError("network_unreachable", `No instance answers at ${address}. Is it running?`, { cause });
  });
  const answer = Answer.safeParse(await response.json().catch(() => undefined));
  if (answer.success) return answer.data;
  throw new AppError("network_failed", `${address} answered ${response.status}, which is not Castellan.`);
}
