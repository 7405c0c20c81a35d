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
import type { Queryable } from "../../database/database.ts";

/** How often each rule of a server fired since a time (UNIX milliseconds). */
export async function countHits(db: Queryable, guildId: string, ruleIds: readonly string[], since: number): Promise<Map<string, number>> {
  if (stryMutAct_9fa48("209")) {
    {}
  } else {
    stryCov_9fa48("209");
    if (stryMutAct_9fa48("212") ? ruleIds.length !== 0 : stryMutAct_9fa48("211") ? false : stryMutAct_9fa48("210") ? true : (stryCov_9fa48("210", "211", "212"), ruleIds.length === 0)) return new Map();
    const rows = await db.selectFrom(stryMutAct_9fa48("213") ? "" : (stryCov_9fa48("213"), "castellan.rule_decisions")).select(stryMutAct_9fa48("214") ? () => undefined : (stryCov_9fa48("214"), query => stryMutAct_9fa48("215") ? [] : (stryCov_9fa48("215"), [stryMutAct_9fa48("216") ? "" : (stryCov_9fa48("216"), "rule_id"), query.fn.countAll<number>().as(stryMutAct_9fa48("217") ? "" : (stryCov_9fa48("217"), "hits"))]))).where(stryMutAct_9fa48("218") ? "" : (stryCov_9fa48("218"), "guild_id"), stryMutAct_9fa48("219") ? "" : (stryCov_9fa48("219"), "="), guildId).where(stryMutAct_9fa48("220") ? "" : (stryCov_9fa48("220"), "rule_id"), stryMutAct_9fa48("221") ? "" : (stryCov_9fa48("221"), "in"), stryMutAct_9fa48("222") ? [] : (stryCov_9fa48("222"), [...ruleIds])).where(stryMutAct_9fa48("223") ? "" : (stryCov_9fa48("223"), "decided_at_ms"), stryMutAct_9fa48("224") ? "" : (stryCov_9fa48("224"), ">="), since).where(stryMutAct_9fa48("225") ? "" : (stryCov_9fa48("225"), "action_index"), stryMutAct_9fa48("226") ? "" : (stryCov_9fa48("226"), "="), 0).where(stryMutAct_9fa48("227") ? "" : (stryCov_9fa48("227"), "outcome"), stryMutAct_9fa48("228") ? "" : (stryCov_9fa48("228"), "<>"), stryMutAct_9fa48("229") ? "" : (stryCov_9fa48("229"), "unknown")).groupBy(stryMutAct_9fa48("230") ? "" : (stryCov_9fa48("230"), "rule_id")).execute();
    return new Map(rows.map(stryMutAct_9fa48("231") ? () => undefined : (stryCov_9fa48("231"), ({
      rule_id,
      hits
    }) => stryMutAct_9fa48("232") ? [] : (stryCov_9fa48("232"), [rule_id, hits]))));
  }
}

/** The latest decisions of one rule, newest first. */
export function listDecisions(db: Queryable, guildId: string, ruleId: string, limit: number) {
  if (stryMutAct_9fa48("233")) {
    {}
  } else {
    stryCov_9fa48("233");
    return db.selectFrom(stryMutAct_9fa48("234") ? "" : (stryCov_9fa48("234"), "castellan.rule_decisions")).select(stryMutAct_9fa48("235") ? [] : (stryCov_9fa48("235"), [stryMutAct_9fa48("236") ? "" : (stryCov_9fa48("236"), "channel_id"), stryMutAct_9fa48("237") ? "" : (stryCov_9fa48("237"), "outcome"), stryMutAct_9fa48("238") ? "" : (stryCov_9fa48("238"), "why"), stryMutAct_9fa48("239") ? "" : (stryCov_9fa48("239"), "action"), stryMutAct_9fa48("240") ? "" : (stryCov_9fa48("240"), "rule_version"), stryMutAct_9fa48("241") ? "" : (stryCov_9fa48("241"), "event_id"), stryMutAct_9fa48("242") ? "" : (stryCov_9fa48("242"), "decided_at_ms")])).where(stryMutAct_9fa48("243") ? "" : (stryCov_9fa48("243"), "guild_id"), stryMutAct_9fa48("244") ? "" : (stryCov_9fa48("244"), "="), guildId).where(stryMutAct_9fa48("245") ? "" : (stryCov_9fa48("245"), "rule_id"), stryMutAct_9fa48("246") ? "" : (stryCov_9fa48("246"), "="), ruleId).orderBy(stryMutAct_9fa48("247") ? "" : (stryCov_9fa48("247"), "decided_at_ms"), stryMutAct_9fa48("248") ? "" : (stryCov_9fa48("248"), "desc")).orderBy(stryMutAct_9fa48("249") ? "" : (stryCov_9fa48("249"), "id"), stryMutAct_9fa48("250") ? "" : (stryCov_9fa48("250"), "desc")).limit(limit).execute();
  }
}