import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { FidDigits } from "../contract/values.ts";
import { AppError } from "../errors.ts";
import { describeErasure } from "../retention/describe-erasure.ts";
import { eraseAuthor as erase } from "../retention/erase-author.ts";
import { openAtRest, openExistingDatabase } from "../start/open-database.ts";
import type { TextOutput } from "../text/show-controls.ts";

/** Erases an author's texts from all stored data at their request, and lists what could not be erased and where. */
export async function eraseAuthor(config: Config, fid: string, out: TextOutput): Promise<void> {
  const { data: author } = FidDigits.safeParse(fid);
  if (author === undefined) {
    throw new AppError("invalid_input", `"${fid.slice(0, 40)}" is not a fid. Give a number such as 9001.`);
  }
  const instead = "Nothing was erased: stop Castellan, run this again, and start it.";
  const database = await openAtRest(config, () => openExistingDatabase(config), instead);
  try {
    const done = await erase({ database, clock: systemClock }, author);
    out.write(await describeErasure(database.query, author, done, config.HISTORY_DAYS));
  } finally {
    await database.close();
  }
}
