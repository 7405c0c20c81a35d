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
import type { Occurrence } from "../evaluate/occurrence.ts";
import type { Rule } from "../evaluate/rule-set.ts";

/** Whether a rule can do something about an event, and not only hold it for a person. */
export function actsOn({
  actions
}: Pick<Rule, "actions">, occurrence: Occurrence): boolean {
  if (stryMutAct_9fa48("276")) {
    {}
  } else {
    stryCov_9fa48("276");
    return stryMutAct_9fa48("277") ? actions.every(action => {
      const aimed = action.aim(occurrence);
      return !("impossible" in aimed) && aimed.kind !== "review";
    }) : (stryCov_9fa48("277"), actions.some(action => {
      if (stryMutAct_9fa48("278")) {
        {}
      } else {
        stryCov_9fa48("278");
        const aimed = action.aim(occurrence);
        return stryMutAct_9fa48("281") ? !("impossible" in aimed) || aimed.kind !== "review" : stryMutAct_9fa48("280") ? false : stryMutAct_9fa48("279") ? true : (stryCov_9fa48("279", "280", "281"), (stryMutAct_9fa48("282") ? "impossible" in aimed : (stryCov_9fa48("282"), !((stryMutAct_9fa48("283") ? "" : (stryCov_9fa48("283"), "impossible")) in aimed))) && (stryMutAct_9fa48("285") ? aimed.kind === "review" : stryMutAct_9fa48("284") ? true : (stryCov_9fa48("284", "285"), aimed.kind !== (stryMutAct_9fa48("286") ? "" : (stryCov_9fa48("286"), "review")))));
      }
    }));
  }
}