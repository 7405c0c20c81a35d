import { colors, type View } from "../../src/discord/view.ts";
import { compareRules, type RuleChanges } from "../../src/rules/versions/compare-rules.ts";
import { fitsGlob } from "../../src/rules/text/glob.ts";
import { fitLinesOrCount } from "../../src/text/cut-text.ts";
import type { Rule, RuleSet } from "../../src/rules/evaluate/rule-set.ts";
import { describeRule, modeWords } from "./describe-rule.ts";

const mostLines = 8;
/** A message takes 6,000 characters, and the rehearsal stands beside this. */
const mostCharacters = 1800;

/** What an import would change, in words; undefined when nothing. */
export function previewImport(
  before: RuleSet | undefined,
  after: RuleSet,
  linked: readonly string[],
): View | undefined {
  const changes = compareRules(before, after);
  const { added, removed, changed, unchanged, exemptChanged } = changes;
  if (added.length + removed.length + changed.length === 0 && !exemptChanged && before) return undefined;
  const exempt = after.exempt.join(" and ") || "nobody but Castellan itself";
  const lines = [
    ...section("➕ New", added.map(describeRule)),
    ...section("✏️ Changed", changed.map(describeChange)),
    ...section(
      "➖ Gone",
      removed.map(({ id, mode }) => `${modeWords[mode]} **${id}**`),
    ),
  ];
  // Whatever is cut: these are what a person has to know before putting rules in force.
  const last = [`${unchanged} unchanged. Exempt: ${exempt}.`, ...warn(changes, after, linked)];
  return {
    embeds: [
      {
        title: "Put these rules in force?",
        description: [fitLinesOrCount(lines, mostCharacters), ...last].join("\n"),
        color: colors.warning,
      },
    ],
  };
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const rest = lines.length > mostLines ? [`… and ${lines.length - mostLines} more`] : [];
  return [`**${title} (${lines.length})**`, ...lines.slice(0, mostLines), ...rest, ""];
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
  const names = aimless.slice(0, mostLines).map((rule) => rule.id);
  return [
    ...(acting > 0 ? [`⚠️ ${acting} of the new and changed rules act by themselves (enforce).`] : []),
    ...(names.length > 0 ? [`⚠️ No channel linked here fits: ${names.join(", ")}.`] : []),
  ];
}
