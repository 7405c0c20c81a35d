/** What is asked of the network: moderation makes a case of it. */
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
export type NetworkDeed = {
  kind: "hide" | "unhide" | "pin";
  castHash: string;
}
/** null for whatever is pinned. */ | {
  kind: "unpin";
  castHash: string | null;
} | {
  kind: "ban";
  fid: number;
  reason: string | null;
  forSeconds: number | null;
} | {
  kind: "unban" | "remove_member" | "invite";
  fid: number;
};

/** What rules do without the network. */
export type OwnDeed = {
  kind: "strike";
  fid: number;
  points: number;
  ttlSeconds: number | null;
} | {
  kind: "note";
  fid: number;
  text: string;
}
/** For one room, or for all that hear of rules. */ | {
  kind: "alert";
  text: string;
  roomId: string | null;
} | {
  kind: "review";
  queue: string | null;
};

/** An action with its aim, ready to be done, or to be held. */
export type Deed = NetworkDeed | OwnDeed;

/** What can be done without, or after, a person's look. */
export type DoableDeed = Exclude<Deed, {
  kind: "review";
}>;
export const networkKinds = ["hide", "unhide", "pin", "unpin", "ban", "unban", "remove_member", "invite"] as const satisfies NetworkDeed["kind"][];
export function isNetworkDeed(deed: Deed): deed is NetworkDeed {
  if (stryMutAct_9fa48("203")) {
    {}
  } else {
    stryCov_9fa48("203");
    return stryMutAct_9fa48("204") ? networkKinds.every(kind => kind === deed.kind) : (stryCov_9fa48("204"), networkKinds.some(stryMutAct_9fa48("205") ? () => undefined : (stryCov_9fa48("205"), kind => stryMutAct_9fa48("208") ? kind !== deed.kind : stryMutAct_9fa48("207") ? false : stryMutAct_9fa48("206") ? true : (stryCov_9fa48("206", "207", "208"), kind === deed.kind))));
  }
}