import { z } from "zod";
import { seconds, systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { readSince } from "../text/since.ts";
import type { TableFormat } from "../text/table-file.ts";
import { askForTask } from "./ask-instance.ts";
import { requireNewFile, writeNew } from "./new-file.ts";

export interface ExportOptions {
  /** The server's Discord id. */
  server: string;
  format: TableFormat;
  /** Only this channel; undefined for all channels of the server. */
  channel?: string;
  /** As people write a time in the past: "7d ago". */
  since?: string;
  /** The file to write; "-" is standard output. */
  output: string;
}

const Page = z.object({ text: z.string(), next: z.unknown().optional() });

/** Writes the cases of a server, or the changes of its setup, as a table, page by page. */
export async function exportRecords(
  config: Config,
  of: "cases" | "audit",
  { output, since, ...options }: ExportOptions,
  out: NodeJS.WritableStream,
): Promise<void> {
  const from = since === undefined ? undefined : readSince(since, seconds(systemClock)) * 1000;
  requireNewFile(output);
  async function* pages() {
    for (let place: unknown; ;) {
      const body = { ...options, of, since: from, place };
      const page = await askForTask(config, "exports", body, { Answer: Page });
      yield page.text;
      if (page.next === undefined) return;
      place = page.next;
    }
  }
  await writeNew(output, pages(), out);
}
