import type { CommandContext } from "../../src/discord/command.ts";
import { colors, type View } from "../../src/discord/view.ts";
import { Mode } from "../../src/rules/language/rule-file.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { saveRules, type NewRules } from "../../src/rules/versions/rules-of-server.ts";

const inWords = Mode.options.toReversed();

/** Saves a new version in the asker's name and says what is in force now. */
export async function putInForce(
  { database, clock, asker }: CommandContext,
  rules: Pick<NewRules, "source" | "baseVersion" | "change">,
): Promise<View> {
  const save = { ...rules, guildId: asker.guildId, savedBy: asker.userId, savedAt: clock.now() };
  const version = await database.transaction((tx) => saveRules(tx, save));
  const inForce = parseRules(rules.source).rules;
  const counts = inWords.map((mode) => `${inForce.filter((rule) => rule.mode === mode).length} ${mode}`);
  const description = `Version ${version} is in force: ${counts.join(", ")}.`;
  return { embeds: [{ description, color: colors.good }] };
}
