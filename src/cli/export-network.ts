import { writeFile } from "node:fs/promises";
import { createOperatorClient } from "../client/create-client.ts";
import type { Config } from "../config.ts";
import { AppError, explainSystemError } from "../errors.ts";
import { nearOriginOf } from "../listening.ts";
import { readOperatorToken } from "../start/keys.ts";

/** Writes the running instance's network to a file (`-` is standard output), which it never overwrites. */
export async function exportNetwork(config: Config, file: string, out: NodeJS.WritableStream): Promise<void> {
  const operator = createOperatorClient({
    url: nearOriginOf({ host: config.HOST, port: config.PORT }),
    token: config.OPERATOR_TOKEN ?? readOperatorToken(config.DATA_DIR),
  });
  const network = await operator.exportNetwork({});
  const text = `${JSON.stringify(network, null, 2)}\n`;
  if (file === "-") {
    out.write(text);
    return;
  }
  await writeFile(file, text, { flag: "wx" }).catch((cause: unknown) => {
    const why = explainSystemError(cause);
    if (why === undefined) throw cause;
    throw new AppError("invalid_file", `${file} cannot be written: ${why}.`, { cause });
  });
  for (const [kind, records] of Object.entries(network)) {
    if (Array.isArray(records)) out.write(`${kind}: ${records.length}\n`);
  }
}
