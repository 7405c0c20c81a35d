import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import { asAppError } from "../../errors.ts";
import { newEvent, type NewChannelEvent } from "../../observe/events.ts";
import type { Rule, RuleSet } from "../evaluate/rule-set.ts";
import { castellan, saveRules } from "../versions/rules-of-server.ts";
import type { Breaker } from "../language/rule-file.ts";

/** The rule's server, and the event that set it off. */
interface BreakerScope {
  guildId: string;
  channelId: string;
  version: number;
  depth: number;
  /** The rules with one rule's mode changed, if already edited: see ModeWanted. */
  changes?: ReadonlyMap<string, RuleSet> | undefined;
}

/**
 * Thrown if a rule's mode must change: editing the file can take long, which must not happen inside a transaction. The
 * caller that began the transaction edits the file, adds it to `changes`, and starts over.
 */
export class ModeWanted extends Error {
  readonly ruleId: string;
  readonly mode: Breaker["then"];

  constructor(ruleId: string, mode: Breaker["then"]) {
    super(`the rules with ${ruleId} in mode ${mode} do not exist yet`);
    this.ruleId = ruleId;
    this.mode = mode;
  }

  /** Its key in `changes`. */
  get key(): string {
    return `${this.ruleId} ${this.mode}`;
  }
}

/** A rule that was stopped: its new mode, and the event that announces it. */
interface Tripped {
  mode: Breaker["then"];
  events: NewChannelEvent[];
}

/**
 * Stops a rule that has acted as often as it may: it gets another mode, in a new version of the rules, which is announced.
 * Undefined while it may act. Workers count one after the other. Once the rule may act again, counting restarts.
 */
export async function checkBreaker(
  tx: Tx,
  clock: Clock,
  rule: Rule,
  scope: BreakerScope,
): Promise<Tripped | undefined> {
  const { breaker } = rule.limits;
  if (!breaker) return undefined;
  const { guildId, version } = scope;
  const count = await countTowards(tx, clock, rule, breaker, scope);
  if (count === "tripped") return { mode: breaker.then, events: [] };
  if (count < breaker.max) return undefined;
  const saved = await changeModeInForce(tx, clock.now(), rule, scope, breaker.then);
  // Somebody changed the rules at the same moment: the next event finds their version.
  if (!saved) return { mode: breaker.then, events: [] };
  await trip(tx, clock, rule, scope);
  const perSeconds = breaker.per.seconds;
  const tripped = newEvent(clock.now(), {
    sourceKey: `tripped ${guildId} ${rule.id} ${version}`,
    kind: "rule.tripped",
    channelId: scope.channelId,
    depth: scope.depth,
    data: { guildId, ruleId: rule.id, acted: count, perSeconds, mode: breaker.then },
  });
  return { mode: breaker.then, events: [tripped] };
}

/** Whether a rule in shadow would be stopped now, or would have been before; undefined while it would still act. */
export async function rehearseBreaker(
  tx: Tx,
  clock: Clock,
  rule: Rule,
  scope: BreakerScope,
): Promise<"now" | "before" | undefined> {
  const { breaker } = rule.limits;
  if (!breaker) return undefined;
  const count = await countTowards(tx, clock, rule, breaker, scope);
  if (count === "tripped") return "before";
  if (count < breaker.max) return undefined;
  await trip(tx, clock, rule, scope);
  return "now";
}

/** How often it acted, or would have; locks its row until the transaction ends. */
async function countTowards(
  tx: Tx,
  clock: Clock,
  rule: Rule,
  breaker: Breaker,
  { guildId, version }: BreakerScope,
): Promise<number | "tripped"> {
  const row = await tx
    .insertInto("castellan.rule_breakers")
    .values({ guild_id: guildId, rule_id: rule.id })
    .onConflict((conflict) =>
      // Changes nothing, but locks the row until the transaction ends.
      conflict.columns(["guild_id", "rule_id"]).doUpdateSet({ rule_id: rule.id }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  // This version was read before the breaker tripped, or a rule in shadow found it tripped.
  if (version <= (row.tripped_version ?? 0)) return "tripped";
  const since = Math.max(clock.now() - breaker.per.seconds * 1000, row.tripped_at_ms ?? 0);
  return countActed(tx, guildId, rule, since);
}

async function trip(tx: Tx, clock: Clock, rule: Rule, { guildId, version }: BreakerScope): Promise<void> {
  await tx
    .updateTable("castellan.rule_breakers")
    .set({ tripped_at_ms: clock.now(), tripped_version: version })
    .where("guild_id", "=", guildId)
    .where("rule_id", "=", rule.id)
    .execute();
}

/** The number of events on which a rule acted, or would have in shadow, after a time (UNIX milliseconds). */
async function countActed(tx: Tx, guildId: string, { id, mode }: Rule, since: number): Promise<number> {
  const { acted } = await tx
    .selectFrom("castellan.rule_decisions")
    .select(sql<number>`count(distinct (event_id, channel_id))`.as("acted"))
    .where("guild_id", "=", guildId)
    .where("rule_id", "=", id)
    .where("outcome", "=", mode === "shadow" ? "would_have" : "acted")
    .where("decided_at_ms", ">", since)
    .executeTakeFirstOrThrow();
  return acted;
}

/** False if the rules are no longer those of `scope.version`. */
async function changeModeInForce(
  tx: Tx,
  now: number,
  rule: Rule,
  { guildId, version, changes }: BreakerScope,
  mode: Breaker["then"],
): Promise<boolean> {
  const wanted = new ModeWanted(rule.id, mode);
  const ruleSet = changes?.get(wanted.key);
  if (!ruleSet) throw wanted;
  try {
    await saveRules(tx, {
      guildId,
      ruleSet,
      change: `breaker of ${rule.id}: ${mode}`,
      savedBy: castellan,
      savedAt: now,
      baseVersion: version,
    });
    return true;
  } catch (error) {
    if (asAppError(error, "expired")) return false;
    throw error;
  }
}
