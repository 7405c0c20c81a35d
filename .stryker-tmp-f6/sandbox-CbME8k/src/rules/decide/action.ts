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
import type { z } from "zod";
import type { Deed } from "./deed.ts";
import type { Occurrence, RuleEvent } from "../evaluate/occurrence.ts";

/** An action with its parameters. */
export interface PlannedAction {
  /** What is done, for people: "hide the cast". */
  sentence: string;
  /** What exactly is to be done about an event, or why that cannot be. */
  aim(occurrence: Occurrence): Deed | {
    impossible: string;
  };
}

/** A kind of action: one file each in actions/. */
export interface ActionKind {
  name: string;
  /** Events that have what it acts on. */
  events: readonly RuleEvent[];
  /** Its parameters, made into the action. */
  schema: z.ZodType<PlannedAction>;
}

/** Events about a cast that is still there. */
export const presentCastEvents = ["cast.created", "record.hidden", "record.unhidden", "pin.changed"] as const satisfies RuleEvent[];

/** An aim at the event's cast. */
export function atCast(deed: (castHash: string) => Deed): PlannedAction["aim"] {
  if (stryMutAct_9fa48("0")) {
    {}
  } else {
    stryCov_9fa48("0");
    return ({
      event: {
        data
      }
    }) => {
      if (stryMutAct_9fa48("1")) {
        {}
      } else {
        stryCov_9fa48("1");
        const castHash = (stryMutAct_9fa48("2") ? "" : (stryCov_9fa48("2"), "castHash")) in data ? data.castHash : null;
        return (stryMutAct_9fa48("5") ? castHash !== null : stryMutAct_9fa48("4") ? false : stryMutAct_9fa48("3") ? true : (stryCov_9fa48("3", "4", "5"), castHash === null)) ? stryMutAct_9fa48("6") ? {} : (stryCov_9fa48("6"), {
          impossible: stryMutAct_9fa48("7") ? "" : (stryCov_9fa48("7"), "The event is about no cast.")
        }) : deed(castHash);
      }
    };
  }
}

/** An aim at the event's author. */
export function atAuthor(deed: (fid: number) => Deed): PlannedAction["aim"] {
  if (stryMutAct_9fa48("8")) {
    {}
  } else {
    stryCov_9fa48("8");
    return stryMutAct_9fa48("9") ? () => undefined : (stryCov_9fa48("9"), ({
      authorFid
    }) => (stryMutAct_9fa48("12") ? authorFid !== null : stryMutAct_9fa48("11") ? false : stryMutAct_9fa48("10") ? true : (stryCov_9fa48("10", "11", "12"), authorFid === null)) ? stryMutAct_9fa48("13") ? {} : (stryCov_9fa48("13"), {
      impossible: stryMutAct_9fa48("14") ? "" : (stryCov_9fa48("14"), "The author is not known.")
    }) : deed(authorFid));
  }
}