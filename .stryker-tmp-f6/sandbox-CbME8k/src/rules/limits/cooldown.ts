// @ts-nocheck
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Queryable, Tx } from "../../database/database.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Rule } from "../evaluate/rule-set.ts";
import type { Cooldown } from "./limits.ts";

/**
 * Begins a rule's cooldown for the event's author, its channel, or everywhere; undefined when it began, else when the
 * one that runs ends, in UNIX milliseconds. A running one is never made shorter. Of two workers one begins it.
 *
 * Time is the event's own, so that a rehearsal finds the same; an event that claims to be from the future counts as
 * happening when it was seen. What a rule on trial would have begun is kept apart from what it begins in force.
 */
export async function beginCooldown(tx: Tx, rule: Rule, occurrence: Occurrence): Promise<number | undefined> {
  if (stryMutAct_9fa48("383")) {
    {}
  } else {
    stryCov_9fa48("383");
    const {
      cooldown
    } = rule.limits;
    if (stryMutAct_9fa48("386") ? false : stryMutAct_9fa48("385") ? true : stryMutAct_9fa48("384") ? cooldown : (stryCov_9fa48("384", "385", "386"), !cooldown)) return undefined;
    const {
      event,
      guildId
    } = occurrence;
    const at = momentOf(event);
    const trial = (stryMutAct_9fa48("389") ? rule.mode !== "shadow" : stryMutAct_9fa48("388") ? false : stryMutAct_9fa48("387") ? true : (stryCov_9fa48("387", "388", "389"), rule.mode === (stryMutAct_9fa48("390") ? "" : (stryCov_9fa48("390"), "shadow")))) ? stryMutAct_9fa48("391") ? "" : (stryCov_9fa48("391"), "trial ") : stryMutAct_9fa48("392") ? "Stryker was here!" : (stryCov_9fa48("392"), "");
    const subject = stryMutAct_9fa48("393") ? `` : (stryCov_9fa48("393"), `${trial}${subjectOf(cooldown.per, occurrence)}`);
    const begun = await tx.insertInto(stryMutAct_9fa48("394") ? "" : (stryCov_9fa48("394"), "castellan.rule_cooldowns")).values(stryMutAct_9fa48("395") ? {} : (stryCov_9fa48("395"), {
      guild_id: guildId,
      rule_id: rule.id,
      subject,
      until_ms: stryMutAct_9fa48("396") ? at - cooldown.for.seconds * 1000 : (stryCov_9fa48("396"), at + (stryMutAct_9fa48("397") ? cooldown.for.seconds / 1000 : (stryCov_9fa48("397"), cooldown.for.seconds * 1000)))
    })).onConflict(stryMutAct_9fa48("398") ? () => undefined : (stryCov_9fa48("398"), conflict => conflict.columns(stryMutAct_9fa48("399") ? [] : (stryCov_9fa48("399"), [stryMutAct_9fa48("400") ? "" : (stryCov_9fa48("400"), "guild_id"), stryMutAct_9fa48("401") ? "" : (stryCov_9fa48("401"), "rule_id"), stryMutAct_9fa48("402") ? "" : (stryCov_9fa48("402"), "subject")])).doUpdateSet(stryMutAct_9fa48("403") ? {} : (stryCov_9fa48("403"), {
      until_ms: stryMutAct_9fa48("404") ? sql`` : (stryCov_9fa48("404"), sql`excluded.until_ms`)
    })).where(stryMutAct_9fa48("405") ? "" : (stryCov_9fa48("405"), "castellan.rule_cooldowns.until_ms"), stryMutAct_9fa48("406") ? "" : (stryCov_9fa48("406"), "<="), at))).executeTakeFirst();
    if (stryMutAct_9fa48("409") ? begun.numInsertedOrUpdatedRows === 0n : stryMutAct_9fa48("408") ? false : stryMutAct_9fa48("407") ? true : (stryCov_9fa48("407", "408", "409"), begun.numInsertedOrUpdatedRows !== 0n)) return undefined;
    const {
      until_ms
    } = await tx.selectFrom(stryMutAct_9fa48("410") ? "" : (stryCov_9fa48("410"), "castellan.rule_cooldowns")).select(stryMutAct_9fa48("411") ? "" : (stryCov_9fa48("411"), "until_ms")).where(stryMutAct_9fa48("412") ? "" : (stryCov_9fa48("412"), "guild_id"), stryMutAct_9fa48("413") ? "" : (stryCov_9fa48("413"), "="), guildId).where(stryMutAct_9fa48("414") ? "" : (stryCov_9fa48("414"), "rule_id"), stryMutAct_9fa48("415") ? "" : (stryCov_9fa48("415"), "="), rule.id).where(stryMutAct_9fa48("416") ? "" : (stryCov_9fa48("416"), "subject"), stryMutAct_9fa48("417") ? "" : (stryCov_9fa48("417"), "="), subject).executeTakeFirstOrThrow();
    return until_ms;
  }
}

/** When an event counts as happening, in UNIX milliseconds. */
export function momentOf({
  occurredAt,
  observedAt
}: Pick<Occurrence["event"], "occurredAt" | "observedAt">) {
  if (stryMutAct_9fa48("418")) {
    {}
  } else {
    stryCov_9fa48("418");
    return stryMutAct_9fa48("419") ? Math.max(occurredAt * 1000, observedAt) : (stryCov_9fa48("419"), Math.min(stryMutAct_9fa48("420") ? occurredAt / 1000 : (stryCov_9fa48("420"), occurredAt * 1000), observedAt));
  }
}

/** What cools down. */
export function subjectOf(per: Cooldown["per"], {
  channelId,
  authorFid
}: Pick<Occurrence, "channelId" | "authorFid">): string {
  if (stryMutAct_9fa48("421")) {
    {}
  } else {
    stryCov_9fa48("421");
    if (stryMutAct_9fa48("424") ? per !== "rule" : stryMutAct_9fa48("423") ? false : stryMutAct_9fa48("422") ? true : (stryCov_9fa48("422", "423", "424"), per === (stryMutAct_9fa48("425") ? "" : (stryCov_9fa48("425"), "rule")))) return stryMutAct_9fa48("426") ? "Stryker was here!" : (stryCov_9fa48("426"), "");
    // Without an author, the cooldown is the channel's.
    return (stryMutAct_9fa48("429") ? per === "channel" && authorFid === null : stryMutAct_9fa48("428") ? false : stryMutAct_9fa48("427") ? true : (stryCov_9fa48("427", "428", "429"), (stryMutAct_9fa48("431") ? per !== "channel" : stryMutAct_9fa48("430") ? false : (stryCov_9fa48("430", "431"), per === (stryMutAct_9fa48("432") ? "" : (stryCov_9fa48("432"), "channel")))) || (stryMutAct_9fa48("434") ? authorFid !== null : stryMutAct_9fa48("433") ? false : (stryCov_9fa48("433", "434"), authorFid === null)))) ? channelId : stryMutAct_9fa48("435") ? `` : (stryCov_9fa48("435"), `${channelId} ${authorFid}`);
  }
}

/** Events come late, and out of order: a cooldown is kept for this long after its end, in milliseconds. */
const keptAfter = stryMutAct_9fa48("436") ? 24 / 3600_000 : (stryCov_9fa48("436"), 24 * 3600_000);

/** Deletes cooldowns that no event can meet any more. */
export async function pruneCooldowns(db: Queryable, clock: Clock): Promise<void> {
  if (stryMutAct_9fa48("437")) {
    {}
  } else {
    stryCov_9fa48("437");
    await db.deleteFrom(stryMutAct_9fa48("438") ? "" : (stryCov_9fa48("438"), "castellan.rule_cooldowns")).where(stryMutAct_9fa48("439") ? "" : (stryCov_9fa48("439"), "until_ms"), stryMutAct_9fa48("440") ? "" : (stryCov_9fa48("440"), "<="), stryMutAct_9fa48("441") ? clock.now() + keptAfter : (stryCov_9fa48("441"), clock.now() - keptAfter)).execute();
  }
}