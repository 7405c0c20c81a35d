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
import type { Insertable } from "kysely";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";

/** Writes decisions once; one that was put off is replaced by what came of it. */
export async function saveDecisions(tx: Tx, decisions: readonly Insertable<RuleDecisionTable>[]): Promise<void> {
  if (stryMutAct_9fa48("251")) {
    {}
  } else {
    stryCov_9fa48("251");
    if (stryMutAct_9fa48("254") ? decisions.length !== 0 : stryMutAct_9fa48("253") ? false : stryMutAct_9fa48("252") ? true : (stryCov_9fa48("252", "253", "254"), decisions.length === 0)) return;
    await tx.insertInto(stryMutAct_9fa48("255") ? "" : (stryCov_9fa48("255"), "castellan.rule_decisions")).values(stryMutAct_9fa48("256") ? [] : (stryCov_9fa48("256"), [...decisions])).onConflict(stryMutAct_9fa48("257") ? () => undefined : (stryCov_9fa48("257"), conflict => conflict.columns(stryMutAct_9fa48("258") ? [] : (stryCov_9fa48("258"), [stryMutAct_9fa48("259") ? "" : (stryCov_9fa48("259"), "event_id"), stryMutAct_9fa48("260") ? "" : (stryCov_9fa48("260"), "guild_id"), stryMutAct_9fa48("261") ? "" : (stryCov_9fa48("261"), "channel_id"), stryMutAct_9fa48("262") ? "" : (stryCov_9fa48("262"), "rule_id"), stryMutAct_9fa48("263") ? "" : (stryCov_9fa48("263"), "action_index")])).doUpdateSet(stryMutAct_9fa48("264") ? () => undefined : (stryCov_9fa48("264"), set => stryMutAct_9fa48("265") ? {} : (stryCov_9fa48("265"), {
      outcome: set.ref(stryMutAct_9fa48("266") ? "" : (stryCov_9fa48("266"), "excluded.outcome")),
      why: set.ref(stryMutAct_9fa48("267") ? "" : (stryCov_9fa48("267"), "excluded.why")),
      case_id: set.ref(stryMutAct_9fa48("268") ? "" : (stryCov_9fa48("268"), "excluded.case_id")),
      rule_version: set.ref(stryMutAct_9fa48("269") ? "" : (stryCov_9fa48("269"), "excluded.rule_version")),
      mode: set.ref(stryMutAct_9fa48("270") ? "" : (stryCov_9fa48("270"), "excluded.mode")),
      tree: set.ref(stryMutAct_9fa48("271") ? "" : (stryCov_9fa48("271"), "excluded.tree")),
      decided_at_ms: set.ref(stryMutAct_9fa48("272") ? "" : (stryCov_9fa48("272"), "excluded.decided_at_ms"))
    }))).where(stryMutAct_9fa48("273") ? "" : (stryCov_9fa48("273"), "castellan.rule_decisions.outcome"), stryMutAct_9fa48("274") ? "" : (stryCov_9fa48("274"), "="), stryMutAct_9fa48("275") ? "" : (stryCov_9fa48("275"), "asked_again")))).execute();
  }
}