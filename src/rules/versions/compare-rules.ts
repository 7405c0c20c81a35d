import { isDeepStrictEqual } from "node:util";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";
import { coversChannel } from "../../text/glob.ts";

/** The changes that a new version of a server's rules would make. */
export interface RuleChanges {
  added: Rule[];
  removed: Rule[];
  changed: { before: Rule; after: Rule; keys: string[] }[];
  unchanged: number;
  exemptChanged: boolean;
}

/** Compares rules by id; formatting and order do not matter. */
export function compareRules(before: RuleSet | undefined, after: RuleSet): RuleChanges {
  const old = new Map(before?.rules.map((rule) => [rule.id, rule]));
  const kept = new Set(after.rules.map((rule) => rule.id));
  const pairs = after.rules.flatMap((rule) => {
    const earlier = old.get(rule.id);
    return earlier ? [{ before: earlier, after: rule, keys: findDifferences(earlier, rule) }] : [];
  });
  const changed = pairs.filter(({ keys }) => keys.length > 0);
  return {
    added: after.rules.filter((rule) => !old.has(rule.id)),
    removed: [...old.values()].filter((rule) => !kept.has(rule.id)),
    changed,
    unchanged: pairs.length - changed.length,
    exemptChanged: before !== undefined && !isDeepStrictEqual(new Set(before.exempt), new Set(after.exempt)),
  };
}

/**
 * The linked channels that a change can affect: those of each rule that is new, gone or changed; those of all rules if the
 * exemptions change.
 */
export function channelsOfChange(
  before: RuleSet | undefined,
  after: RuleSet,
  linked: readonly string[],
): string[] {
  const { added, removed, changed, exemptChanged } = compareRules(before, after);
  const pairs = changed.flatMap((change) => [change.before, change.after]);
  const touched = exemptChanged
    ? [...(before?.rules ?? []), ...after.rules]
    : [...added, ...removed, ...pairs];
  return linked.filter((id) => touched.some(({ channels }) => coversChannel(channels, id)));
}

/** Keys of the file with a different meaning; a missing key means its default. */
function findDifferences(before: Rule, after: Rule): string[] {
  const [one, other] = [meaningOf(before), meaningOf(after)];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => !isDeepStrictEqual(one[key], other[key]));
}

function meaningOf({ entry, mode, priority, stop, lists }: Rule): Record<string, unknown> {
  return { on_unknown: "skip", ...entry, mode, priority, stop, lists };
}
