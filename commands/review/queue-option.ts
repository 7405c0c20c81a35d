import type { CommandContext } from "../../src/discord/command-context.ts";
import { type Choice, type Option, parsed } from "../../src/discord/command.ts";
import { readLoad } from "../../src/reviews/review-items.ts";
import { suggestedChannels } from "../shared/suggestions.ts";

/** A queue of reviews; those with open reviews are suggested. */
export const queueOption: Option<string | undefined> = parsed(
  { description: "Only this queue, by its name in the rule", maxLength: 40, suggest: suggestQueues },
  (typed) => typed.trim().toLowerCase(),
);

async function suggestQueues(typed: string, context: CommandContext): Promise<Choice[]> {
  const { database, clock, actor } = context;
  const channelIds = await suggestedChannels(context, "view");
  const { queues } = await readLoad(database.query, actor.guildId, channelIds, clock.now());
  return queues
    .filter(({ queue }) => queue.includes(typed.trim().toLowerCase()))
    .slice(0, 25)
    .map(({ queue, waiting }) => ({ name: `${queue} (${waiting} waiting)`, value: queue }));
}
