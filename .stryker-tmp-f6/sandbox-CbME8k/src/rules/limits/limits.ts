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
import { z } from "zod";
import { durationBetween } from "../language/duration.ts";

/** How often a rule may act. */
export const Limits = z.strictObject(stryMutAct_9fa48("578") ? {} : (stryCov_9fa48("578"), {
  cooldown: z.strictObject(stryMutAct_9fa48("579") ? {} : (stryCov_9fa48("579"), {
    per: z.enum(stryMutAct_9fa48("580") ? [] : (stryCov_9fa48("580"), [stryMutAct_9fa48("581") ? "" : (stryCov_9fa48("581"), "author"), stryMutAct_9fa48("582") ? "" : (stryCov_9fa48("582"), "channel"), stryMutAct_9fa48("583") ? "" : (stryCov_9fa48("583"), "rule")])),
    for: durationBetween(stryMutAct_9fa48("584") ? "" : (stryCov_9fa48("584"), "1s"), stryMutAct_9fa48("585") ? "" : (stryCov_9fa48("585"), "30d"))
  })).optional(),
  breaker: z.strictObject(stryMutAct_9fa48("586") ? {} : (stryCov_9fa48("586"), {
    max: stryMutAct_9fa48("588") ? z.int().max(1).max(10_000) : stryMutAct_9fa48("587") ? z.int().min(1).min(10_000) : (stryCov_9fa48("587", "588"), z.int().min(1).max(10_000)),
    per: durationBetween(stryMutAct_9fa48("589") ? "" : (stryCov_9fa48("589"), "1m"), stryMutAct_9fa48("590") ? "" : (stryCov_9fa48("590"), "7d")),
    then: z.enum(stryMutAct_9fa48("591") ? [] : (stryCov_9fa48("591"), [stryMutAct_9fa48("592") ? "" : (stryCov_9fa48("592"), "review"), stryMutAct_9fa48("593") ? "" : (stryCov_9fa48("593"), "shadow"), stryMutAct_9fa48("594") ? "" : (stryCov_9fa48("594"), "off")])).default(stryMutAct_9fa48("595") ? "" : (stryCov_9fa48("595"), "review"))
  })).optional()
})).prefault({});
export type Limits = z.output<typeof Limits>;
export type Cooldown = NonNullable<Limits["cooldown"]>;
export type Breaker = NonNullable<Limits["breaker"]>;