// @ts-nocheck
import type { CommandContext } from "../../src/discord/command.ts";
import { colors, type View } from "../../src/discord/view.ts";
import { parseRules } from "../../src/rules/language/parse-rules.ts";
import { saveRules, type NewRules } from "../../src/rules/versions/rules-of-server.ts";

/** Saves a new version in the asker's name and says what is in force now. */
export async function putInForce(
  { database, clock, asker }: CommandContext,
  rules: Pick<NewRules, "source" | "baseVersion" | "change">,
): Promise<View> {
  const save = { ...rules, guildId: asker.guildId, savedBy: asker.userId, savedAt: clock.now() };
  const version = await database.transaction((tx) => saveRules(tx, save));
  const modes = parseRules(rules.source).rules.map((rule) => rule.mode);
  const count = (mode: string) => modes.filter((one) => one === mode).length;
  const description = `Version ${version} is in force: ${count("enforce")} enforce, ${count("shadow")} shadow, ${count("off")} off.`;
  return { embeds: [{ description, color: colors.good }] };
}
