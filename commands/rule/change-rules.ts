import { z } from "zod";
import { seconds } from "../../src/clock.ts";
import type { Preview } from "../../src/discord/command.ts";
import type { CommandContext } from "../../src/discord/command-context.ts";
import { textView, type View } from "../../src/discord/view.ts";
import type { RoomEmbed } from "../../src/feed/rooms.ts";
import { authorizeRules } from "../../src/moderation/authorize-server.ts";
import { listLinkedChannels } from "../../src/moderation/channel-links.ts";
import type { Rule, RuleSet, RulesInForce } from "../../src/rules/evaluate/rule-set.ts";
import { Mode } from "../../src/rules/language/rule-file.ts";
import { rehearsalNote, rehearse } from "../../src/rules/rehearse/rehearse.ts";
import { fitsGlob } from "../../src/text/glob.ts";
import { channelsOfChange, compareRules, type RuleChanges } from "../../src/rules/versions/compare-rules.ts";
import { findRules, type NewRules } from "../../src/rules/versions/rules-of-server.ts";
import { putInForce } from "../../src/rules/versions/store-file.ts";
import { colors } from "../../src/text/colors.ts";
import { escapeText, fitLinesOrCount, inlineCode, listSome } from "../../src/text/message-text.ts";
import { describeRehearsal } from "./describe-rehearsal.ts";
import { describeRule, modeWords } from "./describe-rule.ts";

/** A new version of the rules that waits to be confirmed. */
export const ProposedRules = z.object({
  source: z.string(),
  baseVersion: z.int(),
  /** The change, in words. */
  change: z.string(),
});
export type ProposedRules = z.infer<typeof ProposedRules>;

/** How a new version is shown. */
interface Showing {
  /** The question; "Put these rules in force?" if left out. */
  title?: string;
  /** The text in place of a rehearsal, when there is no time for one. */
  insteadOfRehearsal?: string;
  /** What changes besides the rules themselves, such as a list that none of them names: said first. */
  lead?: readonly string[];
  /** On the button; "Put in force" where nothing is said. */
  confirmLabel?: string;
  /** What can be put in force in its place, each with its button. */
  others?: readonly { label: string; source: string }[];
}

/**
 * What a new version would change, and what it would have done lately. Every command shows this before it takes effect.
 * Throws `invalid_file` for mistakes, `not_allowed`.
 */
export async function proposeRules(
  context: CommandContext,
  source: string,
  change: string,
  showing: Showing = {},
): Promise<Preview<ProposedRules>> {
  const { title = "Put these rules in force?", insteadOfRehearsal, lead = [] } = showing;
  const { guildId } = context.actor;
  const after = await context.ruleThreads.read(`user ${context.actor.userId}`, source);
  const inForce = await findRules(context, guildId);
  const held = await authorizeChange(context, inForce, after);
  if (inForce && !inForce.unreadable && inForce.source === source)
    return { view: textView("plain", "These rules are already in force.") };
  const linked = await listLinkedChannels(context, guildId);
  const before = inForce?.unreadable ? undefined : inForce?.ruleSet;
  const changes = describeChanges({ title, lead }, before, after, linked);
  const meaning =
    insteadOfRehearsal === undefined
      ? await rehearseChange(context, held, before, after)
      : { description: insteadOfRehearsal, color: colors.plain };
  const view = { embeds: [changes, meaning] };
  const state = { source, baseVersion: inForce?.version ?? 0, change };
  const { confirmLabel, others = [] } = showing;
  const harmless = insteadOfRehearsal === undefined ? await startInShadow(context, before, after) : [];
  if (harmless.length + others.length === 0) return { view, state, ...(confirmLabel && { confirmLabel }) };
  const own = { label: confirmLabel ?? "Put in force", state };
  const answers = [
    ...harmless.map(({ label, source }) => ({ label, state: { ...state, source } })),
    own,
    ...others.map(({ label, source }) => ({ label, state: { ...state, source } })),
  ];
  return { view, question: { answers, changes: [] } };
}

const onlyTheText =
  "No rule changes, only the text of the file: its order, its comments, or lists that no rule uses.";

/** The same rules with the new ones in shadow, where they would act at once. */
async function startInShadow(
  { ruleThreads, actor }: CommandContext,
  before: RuleSet | undefined,
  after: RuleSet,
): Promise<{ label: string; source: string }[]> {
  const { added } = compareRules(before, after);
  const acting = added.filter(({ mode }) => mode === "enforce" || mode === "review").map(({ id }) => id);
  if (acting.length === 0) return [];
  const queue = `user ${actor.userId}`;
  const source = await ruleThreads.edit(queue, "changeMode", after.source, acting, "shadow");
  return [{ label: acting.length === 1 ? "New rule in shadow" : "New rules in shadow", source }];
}

const inWords = Mode.options.toReversed();

/**
 * Saves a new version in the actor's name and reports what is now in force. Throws `not_allowed`, or `expired` if another
 * came in between.
 */
export async function putRulesInForce(
  context: CommandContext,
  { source, ...rules }: Pick<NewRules, "baseVersion" | "change"> & { source: string },
): Promise<View> {
  const { database, clock, actor, ruleThreads } = context;
  const ruleSet = await ruleThreads.read(`user ${actor.userId}`, source);
  const inForce = await findRules(context, actor.guildId);
  await authorizeChange(context, inForce, ruleSet);
  const save = { ...rules, ruleSet, guildId: actor.guildId, savedBy: actor.userId, savedAt: clock.now() };
  const before = inForce?.unreadable ? undefined : inForce?.ruleSet;
  const how = inlineCode(rules.change, 80);
  const version = await database.transaction((tx) => putInForce(context, tx, save, before, how));
  const counts = inWords.map(
    (mode) => `${ruleSet.rules.filter((rule) => rule.mode === mode).length} ${mode}`,
  );
  const description = `Version ${version} is in force: ${counts.join(", ")}.`;
  return textView("good", description);
}

/**
 * Makes sure that the actor may replace the rules in force with these: "rules" in every channel in which a rule
 * that is new, gone or changed can act. Returns the channels in which they hold it. Throws as `authorizeRules` does.
 */
export async function authorizeChange(
  context: CommandContext,
  inForce: RulesInForce | undefined,
  after: RuleSet,
): Promise<string[]> {
  const linked = await listLinkedChannels(context, context.actor.guildId);
  // It is unknown which channels unreadable rules were about.
  const concerned = inForce?.unreadable ? linked : channelsOfChange(inForce?.ruleSet, after, linked);
  return authorizeRules(context, context.actor, concerned);
}

const days = 7;
/** Maximum time to wait for a preview, in milliseconds. */
const timeoutMs = 15_000;

/** What a change of the rules would have done lately, for the preview of every command that changes rules. */
export async function rehearseChange(
  context: CommandContext,
  channelIds: readonly string[],
  before: RuleSet | undefined,
  after: RuleSet,
): Promise<RoomEmbed> {
  const { guildId, userId } = context.actor;
  const queue = `user ${userId}`;
  const since = seconds(context.clock) - days * 86_400;
  const rehearsal = await rehearse(context, { queue, guildId, channelIds, since, before, after, timeoutMs });
  const description = describeRehearsal(rehearsal, `the last ${days} days`);
  return { description, footer: rehearsalNote, color: colors.plain };
}

const maxLines = 8;
const maxRemarks = 4;
/** A message has at most 6,000 characters, and the rehearsal needs its part. */
const maxCharacters = 1800;

/** What a new version would change, in words. */
function describeChanges(
  { title, lead }: Required<Pick<Showing, "title" | "lead">>,
  before: RuleSet | undefined,
  after: RuleSet,
  linked: readonly string[],
): RoomEmbed {
  const changes = compareRules(before, after);
  const { added, removed, changed, unchanged, exemptChanged } = changes;
  const changesRules = added.length + removed.length + changed.length > 0 || exemptChanged || !before;
  const exempt = after.exempt.join(" and ") || "nobody but Castellan itself";
  const first = changesRules || lead.length > 0 ? lead : [onlyTheText];
  const lines = [
    ...(first.length > 0 ? [...first, ""] : []),
    ...section("➕ New", added.map(describeRule)),
    ...section("✏️ Changed", changed.map(describeChange)),
    ...section(
      "➖ Gone",
      removed.map(({ id, mode }) => `${modeWords[mode]} **${id}**`),
    ),
  ];
  // Never cut, because people must know this before they put rules in force.
  const last = [
    `${unchanged} unchanged. Exempt: ${exempt}.`,
    ...warn(changes, after, linked),
    ...describeRemarks(after),
  ];
  return {
    title,
    description: [fitLinesOrCount(lines, maxCharacters), ...last].join("\n"),
    color: colors.warning,
  };
}

/** Rules that can never fire, or not as intended. */
function describeRemarks({ remarks }: RuleSet): string[] {
  const shown = remarks.slice(0, maxRemarks).map(({ path, message }) => `⚠️ ${path}: ${escapeText(message)}`);
  const rest = remarks.length - shown.length;
  return rest > 0 ? [...shown, `⚠️ ${rest} more. castellan rules check lists all of them.`] : shown;
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [`**${title} (${lines.length})**`, ...listSome(lines, maxLines), ""];
}

function describeChange({ before, after, keys }: RuleChanges["changed"][number]): string {
  const other = keys.filter((key) => key !== "mode").join(", ");
  const mode = before.mode === after.mode ? "" : ` ${modeWords[before.mode]} → ${modeWords[after.mode]}`;
  return `**${after.id}**${mode}${other && `: ${other}`}`;
}

function warn({ added, changed }: RuleChanges, after: RuleSet, linked: readonly string[]): string[] {
  const touched: Rule[] = [...added, ...changed.map((change) => change.after)];
  const acting = touched.filter((rule) => rule.mode === "enforce").length;
  const aimless = after.rules.filter(
    ({ channels }) => channels && !channels.some((glob) => linked.some((id) => fitsGlob(glob, id))),
  );
  const names = aimless.slice(0, maxLines).map((rule) => rule.id);
  return [
    ...(acting > 0 ? [`⚠️ ${acting} of the new and changed rules act automatically (enforce).`] : []),
    ...(names.length > 0 ? [`⚠️ Rules that match no channel linked here: ${names.join(", ")}.`] : []),
  ];
}
