import type { CommandContext } from "../../src/discord/command-context.ts";
import { colors, type View } from "../../src/discord/view.ts";
import { Mode } from "../../src/rules/language/rule-file.ts";
import { findRules, saveRules, type NewRules } from "../../src/rules/versions/rules-of-server.ts";
import { authorizeChange } from "./authorize-change.ts";

const inWords = Mode.options.toReversed();

/**
 * Saves a new version in the actor's name and says what is in force now. Throws `not_allowed`, or `expired` when another
 * came in between.
 */
export async function putInForce(
  context: CommandContext,
  { source, ...rules }: Pick<NewRules, "baseVersion" | "change"> & { source: string },
): Promise<View> {
  const { database, clock, actor, ruleThreads } = context;
  const ruleSet = await ruleThreads.read(`user ${actor.userId}`, source);
  await authorizeChange(context, await findRules(context, actor.guildId), ruleSet);
  const save = { ...rules, ruleSet, guildId: actor.guildId, savedBy: actor.userId, savedAt: clock.now() };
  const version = await database.transaction((tx) => saveRules(tx, save));
  const counts = inWords.map(
    (mode) => `${ruleSet.rules.filter((rule) => rule.mode === mode).length} ${mode}`,
  );
  const description = `Version ${version} is in force: ${counts.join(", ")}.`;
  return { embeds: [{ description, color: colors.good }] };
}
