// @ts-nocheck
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import { eraseAuthor as erase } from "../rules/history/erase-author.ts";
import { openDatabase } from "../start/open-database.ts";
import { openAtRest } from "./open-at-rest.ts";

/** Erases what a user wrote from everything that is kept, because they asked for it. */
export async function eraseAuthor(config: Config, fid: string, out: NodeJS.WritableStream): Promise<void> {
  if (!/^[1-9][0-9]{0,15}$/.test(fid)) {
    throw new AppError("invalid_input", `"${fid.slice(0, 40)}" is no fid: give the number of the user.`);
  }
  const instead = "Nothing was erased: stop Castellan, run this again, and start it.";
  const database = await openAtRest(config, () => openDatabase(config, () => {}), instead);
  try {
    const { casts, cases } = await erase({ database, clock: systemClock }, Number(fid));
    out.write(`fid ${fid}: the text of ${casts} casts is erased, and the evidence of ${cases} cases.\n`);
  } finally {
    await database.close();
  }
}
