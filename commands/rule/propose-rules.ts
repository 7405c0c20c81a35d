import { z } from "zod";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { colors } from "../../src/discord/view.ts";
import { listLinkedChannels } from "../../src/moderation/links.ts";
import { findRules } from "../../src/rules/versions/rules-of-server.ts";
import { authorizeChange } from "./authorize-change.ts";
import { previewImport } from "./preview-import.ts";
import { rehearseChange } from "./rehearse-change.ts";

/** A new version of the rules that waits for its click. */
export const ProposedRules = z.object({
  source: z.string(),
  baseVersion: z.int(),
  /** What made it, for people. */
  change: z.string(),
});
export type ProposedRules = z.infer<typeof ProposedRules>;

/**
 * What a new version would change, and what it would have meant lately: shown by every command before it counts.
 * Throws `invalid_file` for mistakes, `not_allowed`.
 */
export async function proposeRules(
  context: CommandContext,
  source: string,
  change: string,
): Promise<Preview<ProposedRules>> {
  const { guildId } = context.actor;
  const after = await context.ruleThreads.read(`user ${context.actor.userId}`, source);
  const inForce = await findRules(context, guildId);
  const held = await authorizeChange(context, inForce, after);
  const linked = await listLinkedChannels(context, guildId);
  const before = inForce?.unreadable ? undefined : inForce?.ruleSet;
  const view = previewImport(before, after, linked);
  if (!view) {
    return { view: { embeds: [{ description: "These rules are in force already.", color: colors.plain }] } };
  }
  const rehearsed = await rehearseChange(context, held, before, after);
  return {
    view: { ...view, embeds: [...(view.embeds ?? []), rehearsed] },
    state: { source, baseVersion: inForce?.version ?? 0, change },
  };
}
