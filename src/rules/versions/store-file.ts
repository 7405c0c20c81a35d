import { isDeepStrictEqual } from "node:util";
import type { BotContext } from "../../bot-context.ts";
import type { Tx } from "../../database/database.ts";
import { AppError } from "../../errors.ts";
import { recordSetupChange } from "../../observe/setup-changes.ts";
import { operator } from "../../text/show-doer.ts";
import type { RuleSet, WrittenList } from "../evaluate/rule-set.ts";
import { requireSound } from "../language/require-sound.ts";
import { compareAs } from "../language/rule-list.ts";
import { announceRules } from "./announce-change.ts";
import { compareRules } from "./compare-rules.ts";
import { findRules, saveRules, type NewRules, type RulesContext } from "./rules-of-server.ts";

export interface FileOfServer {
  guildId: string;
  source: string;
  /** If false, nothing is stored. */
  apply: boolean;
}

/** The changes that a file would make, or has made. */
interface StoredFile {
  /** The version in force before; 0 if there was none. */
  before: number;
  /** The new version; undefined if nothing was stored. */
  stored?: number;
  /** A line for each change; none if the file is already in force. */
  changes: string[];
}

/** The dependencies of `storeFile`. */
export type StoringContext = RulesContext & Pick<BotContext, "clock" | "appendEvents">;

/**
 * Compares a rule file with a server's rules in force, and can put it in force as the operator's version. Applying the same file
 * again changes nothing. Throws `invalid_file`, `not_found` for a server without a link, and `expired` if another version was
 * stored in the meantime.
 */
export async function storeFile(
  context: StoringContext,
  { guildId, source, apply }: FileOfServer,
): Promise<StoredFile> {
  const link = await context.database.query
    .selectFrom("castellan.links")
    .select("channel_id")
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
  if (!link) throw new AppError("not_found", `No channel is linked in the server ${guildId}.`);
  const compared = await compareFile(context, guildId, source);
  const { baseVersion: before, changes } = compared;
  if (!apply || changes.length === 0) return { before, changes };
  const stored = await context.database.transaction((tx) =>
    putFileInForce(context, tx, compared, "rules apply"),
  );
  return { before, stored, changes };
}

/** A file of rules next to the rules that it would replace. */
export interface ComparedFile {
  guildId: string;
  ruleSet: RuleSet;
  /** The rules in force, as far as they are readable, and their version; 0 if there are none. */
  before: RuleSet | undefined;
  baseVersion: number;
  changes: string[];
}

/** Throws `invalid_file`. */
export async function compareFile(
  context: RulesContext,
  guildId: string,
  source: string,
): Promise<ComparedFile> {
  const ruleSet = requireSound(await context.ruleThreads.read(`server ${guildId}`, source));
  const inForce = await findRules(context, guildId);
  const before = inForce?.unreadable ? undefined : inForce?.ruleSet;
  const changes = describeFileChanges(before, ruleSet, inForce?.source);
  return { guildId, ruleSet, before, baseVersion: inForce?.version ?? 0, changes };
}

/** Puts the file in force as the operator's version, as `putInForce` does. */
export function putFileInForce(
  context: Pick<BotContext, "clock" | "appendEvents">,
  tx: Tx,
  { before, changes: _changes, ...file }: ComparedFile,
  change: string,
): Promise<number> {
  const rules = { ...file, change, savedBy: operator, savedAt: context.clock.now() };
  return putInForce(context, tx, rules, before, "a file at the command line");
}

/** Stores and announces a new version, and returns its number. `how` is for the audit log. Last in its transaction. Throws `expired`. */
export async function putInForce(
  context: Pick<BotContext, "clock" | "appendEvents">,
  tx: Tx,
  rules: NewRules,
  before: RuleSet | undefined,
  how: string,
): Promise<number> {
  const version = await saveRules(tx, rules);
  const { guildId, savedBy: userId } = rules;
  const what = `put version ${version} of the rules in force (${how})`;
  await recordSetupChange(context, tx, { guildId, kind: "rules", userId, what });
  await context.appendEvents(tx, [announceRules(rules, version, before)]);
  return version;
}

function describeFileChanges(
  before: RuleSet | undefined,
  after: RuleSet,
  source: string | undefined,
): string[] {
  if (source === after.source) return [];
  const { added, removed, changed, exemptChanged } = compareRules(before, after);
  const lines = [
    ...added.map(({ id, mode }) => `+ rule ${id} (${mode})`),
    ...removed.map(({ id, mode }) => `- rule ${id} (${mode})`),
    ...changed.map(({ before, after, keys }) => {
      const mode = before.mode === after.mode ? "" : ` (${before.mode} → ${after.mode})`;
      return `~ rule ${after.id}${mode}: ${keys.join(", ")}`;
    }),
    ...describeLists(before?.lists ?? new Map(), after.lists),
    ...(exemptChanged ? [`~ exempt: ${after.exempt.join(", ") || "nobody"}`] : []),
  ];
  return lines.length > 0 ? lines : ["~ only comments, order or form"];
}

function describeLists(before: RuleSet["lists"], after: RuleSet["lists"]): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (!now) return [`- list ${name}`];
    if (!old) return [`+ list ${name}: ${now.values.length}`];
    const [one, other] = [comparable(old), comparable(now)];
    if (old.type === now.type && isDeepStrictEqual(one, other)) return [];
    const gained = [...other].filter((value) => !one.has(value)).length;
    const lost = [...one].filter((value) => !other.has(value)).length;
    return [`~ list ${name}: +${gained} -${lost}`];
  });
}

function comparable({ type, values }: WrittenList): Set<string | number> {
  return new Set(values.map((value) => compareAs(type, value)));
}
