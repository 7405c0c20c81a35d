import { z } from "zod";
import { actionKinds } from "../actions/action-kinds.ts";
import { leavesOf, type ConditionNode } from "../evaluate/condition.ts";
import { conditionKinds } from "../conditions/index.ts";
import type { RuleEvent } from "../evaluate/occurrence.ts";
import { createPrefilter } from "../evaluate/prefilter.ts";
import type { CompiledRule, CompiledRules, WrittenList } from "../evaluate/rule-set.ts";
import { describePlainly } from "../explain/describe-condition.ts";
import { cutText } from "../../text/message-text.ts";
import { explainIssue, listFaults, type Fault } from "./explain-issue.ts";
import { findNeverFiring } from "./never-fires.ts";
import { readSource, sourceLimits, type Finding, type Path, type Source } from "./read-source.ts";
import { isFormerLockdown } from "./lockdown-rule.ts";
import { ruleEntry, RuleFile, ruleId, type Mode, type RuleEntry } from "./rule-file.ts";

/** The total cost limit of a file's conditions: see Leaf.cost. */
const costLimit = 20_000;

const always: ConditionNode = { kind: "all", parts: [], cheapestFirst: [] };

/** Parses a rule file, YAML or JSON. Throws `invalid_file` with every mistake, its line, column and path. */
export function parseRules(text: string): CompiledRules {
  const source = readSource(text);
  const file = RuleFile.safeParse(source.value, { error: explainIssue });
  const mistakes = file.success ? [] : listFaults(file.error).map((fault) => locate(source, [], fault));
  const readable = file.success ? file : readRulesAlone(source.value);
  if (!readable.success) throw source.errorAt(mistakes);
  const { defaults, rules: entries } = readable.data;
  const lists = new Map(Object.entries(readable.data.lists));
  const schema = ruleEntry(lists);
  const rules: CompiledRule[] = [];
  const ids = new Set<string>();
  const remarks: Finding[] = [];
  let cost = 0;
  for (const [index, entry] of entries.entries()) {
    if (isFormerLockdown(entry)) continue;
    const { rule, faults } = readRule(schema, entry, defaults.mode);
    const id = rule?.id ?? "";
    if (ids.has(id))
      faults.push({ path: ["id"], message: `"${id}" is the id of an earlier rule`, at: undefined });
    if (rule) {
      ids.add(id);
      remarks.push(...findNeverFiring(rule.when).map((fault) => locate(source, ["rules", index], fault)));
      const leaves = leavesOf(rule.when);
      const named = new Set(leaves.flatMap(({ leaf }) => leaf.lists ?? []));
      rules.push({ ...rule, lists: Object.fromEntries([...lists].filter(([name]) => named.has(name))) });
      cost += leaves.reduce((sum, { leaf }) => sum + leaf.cost, 0);
    }
    const message = "the patterns up to here are too large together: use fewer, or smaller ones";
    if (cost > costLimit) faults.push({ path: ["when"], message, at: undefined });
    mistakes.push(...faults.map((fault) => locate(source, ["rules", index], fault)));
    if (cost > costLimit || mistakes.length >= sourceLimits.mistakes) break;
  }
  if (mistakes.length > 0) throw source.errorAt(mistakes);
  const inOrder = rules.toSorted(
    (one, other) => other.priority - one.priority || (one.id < other.id ? -1 : 1),
  );
  return {
    source: text,
    exempt: defaults.exempt,
    lists: listsAsWritten(source.value),
    remarks: source.mistakesAt(remarks),
    rules: inOrder,
    findCandidates: createPrefilter(inOrder),
  };
}

/** The rules of a file that has mistakes elsewhere, so that people see all mistakes at once. */
function readRulesAlone(value: unknown) {
  const { version = 1, lists, rules } = asMap(value);
  return RuleFile.safeParse({ version, lists, rules });
}

function readRule(
  schema: ReturnType<typeof ruleEntry>,
  entry: unknown,
  defaultMode: Mode,
): { rule?: Omit<CompiledRule, "lists">; faults: Fault[] } {
  const parsed = schema.safeParse(entry, { error: explainIssue });
  if (!parsed.success) return { faults: listFaults(parsed.error) };
  const {
    id,
    priority,
    mode = defaultMode,
    channels = null,
    on,
    when = always,
    then: actions,
    stop,
    limits,
  } = parsed.data;
  return {
    rule: {
      id,
      priority,
      mode,
      channels,
      on: [...new Set(on.map(({ event }) => event))],
      timers: on.flatMap(({ every }) => (every ? [every.seconds] : [])),
      when,
      actions,
      stop,
      limits,
      onUnknown: parsed.data.on_unknown,
      needs: leavesOf(when).flatMap(({ leaf }) => leaf.needs),
      looksFor: describePlainly(when),
      entry: asMap(entry),
    },
    faults: findUnfit(parsed.data),
  };
}

const WrittenLists = z.looseObject({
  lists: z
    .record(
      z.string(),
      z.object({
        type: z.enum(["domain", "fid", "text", "name"]),
        values: z.array(z.union([z.string(), z.number()])),
      }),
    )
    .default({}),
});

/** Of a file that was read without a mistake. */
function listsAsWritten(value: unknown): ReadonlyMap<string, WrittenList> {
  return new Map(Object.entries(WrittenLists.parse(value).lists));
}

function asMap(entry: unknown): Readonly<Record<string, unknown>> {
  return typeof entry === "object" ? { ...entry } : {};
}

/** Conditions and actions that do not apply to one of the rule's events. */
function findUnfit({ on, when, then }: RuleEntry): Fault[] {
  const listened = [...new Set(on.map(({ event }) => event))];
  const unfit = (name: string, events: readonly RuleEvent[] | undefined, path: string): Fault[] =>
    listened
      .filter((event) => !events?.includes(event))
      .map((event) => ({
        path: [path],
        message: `${name} does not apply to ${event}; it applies to ${events?.join(", ")}`,
        at: undefined,
      }));
  if (!when && listened.some((event) => event !== "timer.fired")) {
    return [{ path: ["when"], message: "is missing", at: undefined }];
  }
  const asked = new Set(when ? leavesOf(when).map((leaf) => leaf.name) : []);
  const done = new Set(then.map((action) => action.name));
  return [
    ...[...asked].flatMap((name) =>
      unfit(name, conditionKinds.find((kind) => kind.name === name)?.events, "when"),
    ),
    ...[...done].flatMap((name) =>
      unfit(name, actionKinds.find((kind) => kind.name === name)?.events, "then"),
    ),
  ];
}

/** A fault below `base`, with its path and its place in the file. */
export function locate(source: Source, base: Path, { path, message, at }: Fault): Finding {
  const whole = [...base, ...path];
  const written = writePath(whole, source);
  return { offset: source.locate(whole, at), message: written ? `${written}: ${message}` : message };
}

/** "rule scam-links, when.all[0].text"; "rules[2].when" if that rule has no valid id. */
function writePath(path: Path, { value }: Source): string {
  const [part, index, ...within] = path;
  const { rules } = asMap(value);
  const isRule = part === "rules" && typeof index === "number" && Array.isArray(rules);
  const { id } = isRule ? asMap(rules[index]) : {};
  if (typeof id === "string" && ruleId.test(id))
    return [`rule ${id}`, joinPath(within)].filter(Boolean).join(", ");
  return joinPath(path);
}

function joinPath(path: Path): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${cutText(String(step), 40)}`))
    .join("")
    .replace(/^\./, "");
}
