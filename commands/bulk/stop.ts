import { answer } from "../../src/discord/command.ts";
import { authorizeStop } from "../../src/moderation/authorize-server.ts";
import { requireBulk, stopBulk } from "../../src/moderation/bulks/bulk.ts";
import { followBulk, showBulk } from "../shared/bulk.ts";
import { numberOption } from "../shared/options.ts";
import { suggestBulks } from "../shared/suggest-numbers.ts";

export const stopOneBulk = answer({
  description: "Stop a bulk before its remaining targets; finished ones stay as they are",
  needs: "undo",
  console: true,
  options: { number: numberOption("bulk", "The bulk's number, such as B-3", suggestBulks) },
  async run(context, { number }) {
    const { database, actor } = context;
    const bulk = await requireBulk(database.query, actor.guildId, number);
    const viewed = await authorizeStop(context, actor, bulk);
    const stopped = await stopBulk(context, bulk.id, actor.userId);
    return stopped
      ? followBulk(context, bulk.id, { viewed })
      : showBulk(context, bulk.id, { viewed, notes: ["It had ended already."] });
  },
});
