import { answer } from "../../src/discord/command.ts";
import { authorizeBulk, authorizeIn } from "../../src/moderation/authorize-server.ts";
import { channelsOf, requireBulk, stopBulk } from "../../src/moderation/bulks/bulk.ts";
import { followBulk, showBulk } from "../shared/bulk.ts";
import { bulkNumber } from "./show.ts";

export const stopOneBulk = answer({
  description: "Stop a bulk before its remaining targets; finished ones stay as they are",
  needs: "undo",
  console: true,
  options: { number: bulkNumber },
  async run(context, { number }) {
    const { database, actor } = context;
    const bulk = await requireBulk(database.query, actor.guildId, number);
    const needed = bulk.requestedBy === actor.userId ? "view" : "undo";
    await authorizeBulk(context, actor, bulk, needed);
    // All of its channels, except those that are gone or suspended.
    await authorizeIn(context, actor, needed, channelsOf(bulk));
    const stopped = await stopBulk(context, bulk.id, actor.userId);
    return stopped
      ? followBulk(context, bulk.id)
      : showBulk(context, bulk.id, { notes: ["It had ended already."] });
  },
});
