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
import type { Tx } from "../../database/database.ts";
import { asAppError } from "../../errors.ts";
import type { NewChannelEvent } from "../../observe/event.ts";
import { eventOfRule } from "../actions/event-of-rule.ts";
import { changeMode } from "../language/change-mode.ts";
import type { Rule } from "../evaluate/rule-set.ts";
import { castellan, findVersion, saveRules } from "../versions/rules-of-server.ts";
import type { Breaker } from "./limits.ts";

/** Whose rule it is, and what set it off. */
export interface BreakerScope {
  guildId: string;
  channelId: string;
  version: number;
  depth: number;
}

/** A rule that may not act any more: the mode that it has instead, and the news of it. */
export interface Tripped {
  mode: Breaker["then"];
  events: NewChannelEvent[];
}

/**
 * Stops a rule that acted as often as it may: it gets another mode, as a new version of the rules, and people hear of
 * it. undefined while it may act. Workers count one after the other. Once the rule is let act again, it counts anew.
 */
export async function checkBreaker(tx: Tx, clock: Clock, rule: Rule, scope: BreakerScope): Promise<Tripped | undefined> {
  if (stryMutAct_9fa48("287")) {
    {}
  } else {
    stryCov_9fa48("287");
    const {
      breaker
    } = rule.limits;
    if (stryMutAct_9fa48("290") ? false : stryMutAct_9fa48("289") ? true : stryMutAct_9fa48("288") ? breaker : (stryCov_9fa48("288", "289", "290"), !breaker)) return undefined;
    const {
      guildId,
      version
    } = scope;
    const count = await countTowards(tx, clock, rule, breaker, scope);
    if (stryMutAct_9fa48("293") ? count !== "tripped" : stryMutAct_9fa48("292") ? false : stryMutAct_9fa48("291") ? true : (stryCov_9fa48("291", "292", "293"), count === (stryMutAct_9fa48("294") ? "" : (stryCov_9fa48("294"), "tripped")))) return stryMutAct_9fa48("295") ? {} : (stryCov_9fa48("295"), {
      mode: breaker.then,
      events: stryMutAct_9fa48("296") ? ["Stryker was here"] : (stryCov_9fa48("296"), [])
    });
    if (stryMutAct_9fa48("300") ? count >= breaker.max : stryMutAct_9fa48("299") ? count <= breaker.max : stryMutAct_9fa48("298") ? false : stryMutAct_9fa48("297") ? true : (stryCov_9fa48("297", "298", "299", "300"), count < breaker.max)) return undefined;
    const saved = await changeModeInForce(tx, clock.now(), rule, scope, breaker.then);
    // Somebody changed the rules at this moment: the next event finds their version.
    if (stryMutAct_9fa48("303") ? false : stryMutAct_9fa48("302") ? true : stryMutAct_9fa48("301") ? saved : (stryCov_9fa48("301", "302", "303"), !saved)) return stryMutAct_9fa48("304") ? {} : (stryCov_9fa48("304"), {
      mode: breaker.then,
      events: stryMutAct_9fa48("305") ? ["Stryker was here"] : (stryCov_9fa48("305"), [])
    });
    await trip(tx, clock, rule, scope);
    const perSeconds = breaker.per.seconds;
    const tripped: NewChannelEvent = stryMutAct_9fa48("306") ? {} : (stryCov_9fa48("306"), {
      ...eventOfRule(clock, scope, null),
      sourceKey: stryMutAct_9fa48("307") ? `` : (stryCov_9fa48("307"), `tripped ${guildId} ${rule.id} ${version}`),
      kind: stryMutAct_9fa48("308") ? "" : (stryCov_9fa48("308"), "rule.tripped"),
      data: stryMutAct_9fa48("309") ? {} : (stryCov_9fa48("309"), {
        guildId,
        ruleId: rule.id,
        acted: count,
        perSeconds,
        mode: breaker.then
      })
    });
    return stryMutAct_9fa48("310") ? {} : (stryCov_9fa48("310"), {
      mode: breaker.then,
      events: stryMutAct_9fa48("311") ? [] : (stryCov_9fa48("311"), [tripped])
    });
  }
}

/** Whether a rule on trial would have been stopped by now, or just is; undefined while it would still act. */
export async function rehearseBreaker(tx: Tx, clock: Clock, rule: Rule, scope: BreakerScope): Promise<"now" | "before" | undefined> {
  if (stryMutAct_9fa48("312")) {
    {}
  } else {
    stryCov_9fa48("312");
    const {
      breaker
    } = rule.limits;
    if (stryMutAct_9fa48("315") ? false : stryMutAct_9fa48("314") ? true : stryMutAct_9fa48("313") ? breaker : (stryCov_9fa48("313", "314", "315"), !breaker)) return undefined;
    const count = await countTowards(tx, clock, rule, breaker, scope);
    if (stryMutAct_9fa48("318") ? count !== "tripped" : stryMutAct_9fa48("317") ? false : stryMutAct_9fa48("316") ? true : (stryCov_9fa48("316", "317", "318"), count === (stryMutAct_9fa48("319") ? "" : (stryCov_9fa48("319"), "tripped")))) return stryMutAct_9fa48("320") ? "" : (stryCov_9fa48("320"), "before");
    if (stryMutAct_9fa48("324") ? count >= breaker.max : stryMutAct_9fa48("323") ? count <= breaker.max : stryMutAct_9fa48("322") ? false : stryMutAct_9fa48("321") ? true : (stryCov_9fa48("321", "322", "323", "324"), count < breaker.max)) return undefined;
    await trip(tx, clock, rule, scope);
    return stryMutAct_9fa48("325") ? "" : (stryCov_9fa48("325"), "now");
  }
}

/** How often it acted, or would have; holds its row until the transaction ends. */
async function countTowards(tx: Tx, clock: Clock, rule: Rule, breaker: Breaker, {
  guildId,
  version
}: BreakerScope): Promise<number | "tripped"> {
  if (stryMutAct_9fa48("326")) {
    {}
  } else {
    stryCov_9fa48("326");
    const row = await tx.insertInto(stryMutAct_9fa48("327") ? "" : (stryCov_9fa48("327"), "castellan.rule_breakers")).values(stryMutAct_9fa48("328") ? {} : (stryCov_9fa48("328"), {
      guild_id: guildId,
      rule_id: rule.id,
      tripped_at_ms: null,
      tripped_version: null
    })).onConflict(stryMutAct_9fa48("329") ? () => undefined : (stryCov_9fa48("329"), conflict =>
    // Nothing changes: it locks the row until the transaction ends.
    conflict.columns(stryMutAct_9fa48("330") ? [] : (stryCov_9fa48("330"), [stryMutAct_9fa48("331") ? "" : (stryCov_9fa48("331"), "guild_id"), stryMutAct_9fa48("332") ? "" : (stryCov_9fa48("332"), "rule_id")])).doUpdateSet(stryMutAct_9fa48("333") ? {} : (stryCov_9fa48("333"), {
      rule_id: rule.id
    })))).returningAll().executeTakeFirstOrThrow();
    // Of a version that was read before the breaker tripped, or that a trial has found tripped.
    if (stryMutAct_9fa48("337") ? version > (row.tripped_version ?? 0) : stryMutAct_9fa48("336") ? version < (row.tripped_version ?? 0) : stryMutAct_9fa48("335") ? false : stryMutAct_9fa48("334") ? true : (stryCov_9fa48("334", "335", "336", "337"), version <= (stryMutAct_9fa48("338") ? row.tripped_version && 0 : (stryCov_9fa48("338"), row.tripped_version ?? 0)))) return stryMutAct_9fa48("339") ? "" : (stryCov_9fa48("339"), "tripped");
    const since = stryMutAct_9fa48("340") ? Math.min(clock.now() - breaker.per.seconds * 1000, row.tripped_at_ms ?? 0) : (stryCov_9fa48("340"), Math.max(stryMutAct_9fa48("341") ? clock.now() + breaker.per.seconds * 1000 : (stryCov_9fa48("341"), clock.now() - (stryMutAct_9fa48("342") ? breaker.per.seconds / 1000 : (stryCov_9fa48("342"), breaker.per.seconds * 1000))), stryMutAct_9fa48("343") ? row.tripped_at_ms && 0 : (stryCov_9fa48("343"), row.tripped_at_ms ?? 0)));
    return countActed(tx, guildId, rule, since);
  }
}
async function trip(tx: Tx, clock: Clock, rule: Rule, {
  guildId,
  version
}: BreakerScope): Promise<void> {
  if (stryMutAct_9fa48("344")) {
    {}
  } else {
    stryCov_9fa48("344");
    await tx.updateTable(stryMutAct_9fa48("345") ? "" : (stryCov_9fa48("345"), "castellan.rule_breakers")).set(stryMutAct_9fa48("346") ? {} : (stryCov_9fa48("346"), {
      tripped_at_ms: clock.now(),
      tripped_version: version
    })).where(stryMutAct_9fa48("347") ? "" : (stryCov_9fa48("347"), "guild_id"), stryMutAct_9fa48("348") ? "" : (stryCov_9fa48("348"), "="), guildId).where(stryMutAct_9fa48("349") ? "" : (stryCov_9fa48("349"), "rule_id"), stryMutAct_9fa48("350") ? "" : (stryCov_9fa48("350"), "="), rule.id).execute();
  }
}

/** On how many events a rule of a server acted, or on trial would have, after a time (UNIX milliseconds). */
async function countActed(tx: Tx, guildId: string, {
  id,
  mode
}: Rule, since: number): Promise<number> {
  if (stryMutAct_9fa48("351")) {
    {}
  } else {
    stryCov_9fa48("351");
    const {
      acted
    } = await tx.selectFrom(stryMutAct_9fa48("352") ? "" : (stryCov_9fa48("352"), "castellan.rule_decisions")).select((stryMutAct_9fa48("353") ? sql<number>`` : (stryCov_9fa48("353"), sql<number>`count(distinct (event_id, channel_id))`)).as(stryMutAct_9fa48("354") ? "" : (stryCov_9fa48("354"), "acted"))).where(stryMutAct_9fa48("355") ? "" : (stryCov_9fa48("355"), "guild_id"), stryMutAct_9fa48("356") ? "" : (stryCov_9fa48("356"), "="), guildId).where(stryMutAct_9fa48("357") ? "" : (stryCov_9fa48("357"), "rule_id"), stryMutAct_9fa48("358") ? "" : (stryCov_9fa48("358"), "="), id).where(stryMutAct_9fa48("359") ? "" : (stryCov_9fa48("359"), "outcome"), stryMutAct_9fa48("360") ? "" : (stryCov_9fa48("360"), "="), (stryMutAct_9fa48("363") ? mode !== "shadow" : stryMutAct_9fa48("362") ? false : stryMutAct_9fa48("361") ? true : (stryCov_9fa48("361", "362", "363"), mode === (stryMutAct_9fa48("364") ? "" : (stryCov_9fa48("364"), "shadow")))) ? stryMutAct_9fa48("365") ? "" : (stryCov_9fa48("365"), "would_have") : stryMutAct_9fa48("366") ? "" : (stryCov_9fa48("366"), "acted")).where(stryMutAct_9fa48("367") ? "" : (stryCov_9fa48("367"), "decided_at_ms"), stryMutAct_9fa48("368") ? "" : (stryCov_9fa48("368"), ">"), since).executeTakeFirstOrThrow();
    return acted;
  }
}

/** False when the rules are not those of `scope.version` any more. */
async function changeModeInForce(tx: Tx, now: number, rule: Rule, {
  guildId,
  version
}: BreakerScope, mode: Breaker["then"]): Promise<boolean> {
  if (stryMutAct_9fa48("369")) {
    {}
  } else {
    stryCov_9fa48("369");
    const found = await findVersion(tx, guildId, version);
    if (stryMutAct_9fa48("372") ? false : stryMutAct_9fa48("371") ? true : stryMutAct_9fa48("370") ? found : (stryCov_9fa48("370", "371", "372"), !found)) return stryMutAct_9fa48("373") ? true : (stryCov_9fa48("373"), false);
    try {
      if (stryMutAct_9fa48("374")) {
        {}
      } else {
        stryCov_9fa48("374");
        await saveRules(tx, stryMutAct_9fa48("375") ? {} : (stryCov_9fa48("375"), {
          guildId,
          source: changeMode(found.source, rule.id, mode),
          change: stryMutAct_9fa48("376") ? `` : (stryCov_9fa48("376"), `breaker of ${rule.id}: ${mode}`),
          savedBy: castellan,
          savedAt: now,
          baseVersion: version
        }));
        return stryMutAct_9fa48("377") ? false : (stryCov_9fa48("377"), true);
      }
    } catch (error) {
      if (stryMutAct_9fa48("378")) {
        {}
      } else {
        stryCov_9fa48("378");
        if (stryMutAct_9fa48("380") ? false : stryMutAct_9fa48("379") ? true : (stryCov_9fa48("379", "380"), asAppError(error, stryMutAct_9fa48("381") ? "" : (stryCov_9fa48("381"), "expired")))) return stryMutAct_9fa48("382") ? true : (stryCov_9fa48("382"), false);
        throw error;
      }
    }
  }
}