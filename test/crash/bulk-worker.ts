/** Goes on with the bulks of a directory as a start of the program does, and says after each few targets how many are done. */
import { releaseLeases } from "../../src/database/lease.ts";
import { runBulk } from "../../src/moderation/bulks/run.ts";
import { openBulkSite } from "./bulk-site.ts";

const { database, bot } = await openBulkSite(process.argv[2] ?? "");
await database.transaction(releaseLeases);
const countDone = async () => {
  const { done } = await database.query
    .selectFrom("castellan.cases")
    .select((cases) => cases.fn.countAll<number>().as("done"))
    .where("state", "=", "applied")
    .executeTakeFirstOrThrow();
  process.stdout.write(`${done}\n`);
};
await countDone();
await runBulk(bot, Number(process.argv[3]), { onProgress: countDone });
await database.close();
process.stdout.write("ended\n");
process.exit(0);
