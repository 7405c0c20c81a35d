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
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import type { NewChannelEvent } from "../../observe/event.ts";
import type { EvaluatedNode } from "../evaluate/condition.ts";
import type { Verdict } from "../evaluate/evaluate.ts";
import type { Occurrence } from "../evaluate/occurrence.ts";
import { actsOn } from "./acts-on.ts";
import { checkBreaker, rehearseBreaker } from "./breaker.ts";
import { beginCooldown } from "./cooldown.ts";

/** Seconds after which an event is too old for acting on it unseen. */
export const freshness = 3600;
/** How often a rule that defers is asked again before a person is. */
export const mostAskedAgain = 10;

/** What deciding on one event needs besides the rules' verdicts. */
export interface Situation {
  occurrence: Occurrence;
  version: number;
  /** Why rules do not act in this channel now. */
  pause: string | undefined;
  /** How often the event was put off already. */
  askedAgain: number;
}

/** Whether a rule acts, is held for a person, or does nothing. */
export type Ruling = {
  events: readonly NewChannelEvent[];
  /** Told although nothing is done. */
  isNews?: boolean;
} & ({
  kind: "act";
  why: null;
} | {
  kind: "hold";
  why: string | null;
} | {
  kind: "withhold";
  outcome: RuleDecisionTable["outcome"];
  why: string | null;
});

/** Looks at everything that may keep a rule that fired from acting, and counts it where it does not. */
export async function judge(tx: Tx, clock: Clock, situation: Situation, {
  rule,
  truth,
  tree
}: Verdict): Promise<Ruling> {
  if (stryMutAct_9fa48("442")) {
    {}
  } else {
    stryCov_9fa48("442");
    const {
      occurrence,
      pause
    } = situation;
    if (stryMutAct_9fa48("445") ? truth !== "unknown" : stryMutAct_9fa48("444") ? false : stryMutAct_9fa48("443") ? true : (stryCov_9fa48("443", "444", "445"), truth === (stryMutAct_9fa48("446") ? "" : (stryCov_9fa48("446"), "unknown")))) {
      if (stryMutAct_9fa48("447")) {
        {}
      } else {
        stryCov_9fa48("447");
        const why = stryMutAct_9fa48("448") ? `` : (stryCov_9fa48("448"), `Whether the rule applies is not known. ${unknownsOf(tree).join(stryMutAct_9fa48("449") ? "" : (stryCov_9fa48("449"), " "))}`);
        if (stryMutAct_9fa48("452") ? rule.mode === "shadow" && rule.onUnknown === "skip" : stryMutAct_9fa48("451") ? false : stryMutAct_9fa48("450") ? true : (stryCov_9fa48("450", "451", "452"), (stryMutAct_9fa48("454") ? rule.mode !== "shadow" : stryMutAct_9fa48("453") ? false : (stryCov_9fa48("453", "454"), rule.mode === (stryMutAct_9fa48("455") ? "" : (stryCov_9fa48("455"), "shadow")))) || (stryMutAct_9fa48("457") ? rule.onUnknown !== "skip" : stryMutAct_9fa48("456") ? false : (stryCov_9fa48("456", "457"), rule.onUnknown === (stryMutAct_9fa48("458") ? "" : (stryCov_9fa48("458"), "skip")))))) return withhold(stryMutAct_9fa48("459") ? "" : (stryCov_9fa48("459"), "unknown"), why);
        if (stryMutAct_9fa48("461") ? false : stryMutAct_9fa48("460") ? true : (stryCov_9fa48("460", "461"), pause)) return withhold(stryMutAct_9fa48("462") ? "" : (stryCov_9fa48("462"), "paused"), pause);
        if (stryMutAct_9fa48("465") ? rule.onUnknown === "defer" || mayAskAgain(clock, situation) : stryMutAct_9fa48("464") ? false : stryMutAct_9fa48("463") ? true : (stryCov_9fa48("463", "464", "465"), (stryMutAct_9fa48("467") ? rule.onUnknown !== "defer" : stryMutAct_9fa48("466") ? true : (stryCov_9fa48("466", "467"), rule.onUnknown === (stryMutAct_9fa48("468") ? "" : (stryCov_9fa48("468"), "defer")))) && mayAskAgain(clock, situation))) return withhold(stryMutAct_9fa48("469") ? "" : (stryCov_9fa48("469"), "asked_again"), why);
        return stryMutAct_9fa48("470") ? (await cooling(tx, situation, rule)) && hold(why) : (stryCov_9fa48("470"), (await cooling(tx, situation, rule)) ?? hold(why));
      }
    }
    if (stryMutAct_9fa48("473") ? rule.mode !== "shadow" : stryMutAct_9fa48("472") ? false : stryMutAct_9fa48("471") ? true : (stryCov_9fa48("471", "472", "473"), rule.mode === (stryMutAct_9fa48("474") ? "" : (stryCov_9fa48("474"), "shadow")))) return judgeTrial(tx, clock, situation, rule);
    if (stryMutAct_9fa48("476") ? false : stryMutAct_9fa48("475") ? true : (stryCov_9fa48("475", "476"), pause)) return withhold(stryMutAct_9fa48("477") ? "" : (stryCov_9fa48("477"), "paused"), pause);
    const cools = await cooling(tx, situation, rule);
    if (stryMutAct_9fa48("479") ? false : stryMutAct_9fa48("478") ? true : (stryCov_9fa48("478", "479"), cools)) return cools;
    if (stryMutAct_9fa48("482") ? rule.mode !== "review" : stryMutAct_9fa48("481") ? false : stryMutAct_9fa48("480") ? true : (stryCov_9fa48("480", "481", "482"), rule.mode === (stryMutAct_9fa48("483") ? "" : (stryCov_9fa48("483"), "review")))) return hold(null);
    if (stryMutAct_9fa48("487") ? ageOf(clock, occurrence) <= freshness : stryMutAct_9fa48("486") ? ageOf(clock, occurrence) >= freshness : stryMutAct_9fa48("485") ? false : stryMutAct_9fa48("484") ? true : (stryCov_9fa48("484", "485", "486", "487"), ageOf(clock, occurrence) > freshness)) return hold(stryMutAct_9fa48("488") ? "" : (stryCov_9fa48("488"), "It happened more than an hour ago."));
    const tripped = await checkBreaker(tx, clock, rule, scopeOf(situation));
    if (stryMutAct_9fa48("491") ? false : stryMutAct_9fa48("490") ? true : stryMutAct_9fa48("489") ? tripped : (stryCov_9fa48("489", "490", "491"), !tripped)) return stryMutAct_9fa48("492") ? {} : (stryCov_9fa48("492"), {
      kind: stryMutAct_9fa48("493") ? "" : (stryCov_9fa48("493"), "act"),
      why: null,
      events: stryMutAct_9fa48("494") ? ["Stryker was here"] : (stryCov_9fa48("494"), [])
    });
    const why = stryMutAct_9fa48("495") ? "" : (stryCov_9fa48("495"), "The rule acted too often.");
    return (stryMutAct_9fa48("498") ? tripped.mode !== "review" : stryMutAct_9fa48("497") ? false : stryMutAct_9fa48("496") ? true : (stryCov_9fa48("496", "497", "498"), tripped.mode === (stryMutAct_9fa48("499") ? "" : (stryCov_9fa48("499"), "review")))) ? stryMutAct_9fa48("500") ? {} : (stryCov_9fa48("500"), {
      kind: stryMutAct_9fa48("501") ? "" : (stryCov_9fa48("501"), "hold"),
      why,
      events: tripped.events
    }) : stryMutAct_9fa48("502") ? {} : (stryCov_9fa48("502"), {
      kind: stryMutAct_9fa48("503") ? "" : (stryCov_9fa48("503"), "withhold"),
      outcome: stryMutAct_9fa48("504") ? "" : (stryCov_9fa48("504"), "would_have"),
      why,
      events: tripped.events
    });
  }
}

/** What its limits would have let it do in force; a pause, which is nothing of its own, does not count. */
async function judgeTrial(tx: Tx, clock: Clock, situation: Situation, rule: Verdict["rule"]): Promise<Ruling> {
  if (stryMutAct_9fa48("505")) {
    {}
  } else {
    stryCov_9fa48("505");
    const cools = await cooling(tx, situation, rule);
    if (stryMutAct_9fa48("507") ? false : stryMutAct_9fa48("506") ? true : (stryCov_9fa48("506", "507"), cools)) return cools;
    if (stryMutAct_9fa48("511") ? ageOf(clock, situation.occurrence) <= freshness : stryMutAct_9fa48("510") ? ageOf(clock, situation.occurrence) >= freshness : stryMutAct_9fa48("509") ? false : stryMutAct_9fa48("508") ? true : (stryCov_9fa48("508", "509", "510", "511"), ageOf(clock, situation.occurrence) > freshness)) {
      if (stryMutAct_9fa48("512")) {
        {}
      } else {
        stryCov_9fa48("512");
        return withhold(stryMutAct_9fa48("513") ? "" : (stryCov_9fa48("513"), "too_old"), stryMutAct_9fa48("514") ? "" : (stryCov_9fa48("514"), "It happened more than an hour ago: a person would have been asked."));
      }
    }
    // What is only held counts towards no breaker.
    if (stryMutAct_9fa48("517") ? false : stryMutAct_9fa48("516") ? true : stryMutAct_9fa48("515") ? actsOn(rule, situation.occurrence) : (stryCov_9fa48("515", "516", "517"), !actsOn(rule, situation.occurrence))) return withhold(stryMutAct_9fa48("518") ? "" : (stryCov_9fa48("518"), "would_have"), null);
    const tripped = await rehearseBreaker(tx, clock, rule, scopeOf(situation));
    if (stryMutAct_9fa48("521") ? false : stryMutAct_9fa48("520") ? true : stryMutAct_9fa48("519") ? tripped : (stryCov_9fa48("519", "520", "521"), !tripped)) return withhold(stryMutAct_9fa48("522") ? "" : (stryCov_9fa48("522"), "would_have"), null);
    const ruling = withhold(stryMutAct_9fa48("523") ? "" : (stryCov_9fa48("523"), "cooling"), stryMutAct_9fa48("524") ? "" : (stryCov_9fa48("524"), "It would have acted too often by now: its breaker stops it."));
    return stryMutAct_9fa48("525") ? {} : (stryCov_9fa48("525"), {
      ...ruling,
      isNews: stryMutAct_9fa48("528") ? tripped !== "now" : stryMutAct_9fa48("527") ? false : stryMutAct_9fa48("526") ? true : (stryCov_9fa48("526", "527", "528"), tripped === (stryMutAct_9fa48("529") ? "" : (stryCov_9fa48("529"), "now")))
    });
  }
}
function scopeOf({
  occurrence: {
    guildId,
    channelId,
    event
  },
  version
}: Situation) {
  if (stryMutAct_9fa48("530")) {
    {}
  } else {
    stryCov_9fa48("530");
    return stryMutAct_9fa48("531") ? {} : (stryCov_9fa48("531"), {
      guildId,
      channelId,
      version,
      depth: stryMutAct_9fa48("532") ? event.depth - 1 : (stryCov_9fa48("532"), event.depth + 1)
    });
  }
}
async function cooling(tx: Tx, {
  occurrence
}: Situation, rule: Verdict["rule"]): Promise<Ruling | undefined> {
  if (stryMutAct_9fa48("533")) {
    {}
  } else {
    stryCov_9fa48("533");
    const until = await beginCooldown(tx, rule, occurrence);
    if (stryMutAct_9fa48("536") ? until !== undefined : stryMutAct_9fa48("535") ? false : stryMutAct_9fa48("534") ? true : (stryCov_9fa48("534", "535", "536"), until === undefined)) return undefined;
    return withhold(stryMutAct_9fa48("537") ? "" : (stryCov_9fa48("537"), "cooling"), stryMutAct_9fa48("538") ? `` : (stryCov_9fa48("538"), `It acted a moment ago and cools down until <t:${Math.ceil(stryMutAct_9fa48("539") ? until * 1000 : (stryCov_9fa48("539"), until / 1000))}:T>.`));
  }
}
function mayAskAgain(clock: Clock, {
  occurrence,
  askedAgain
}: Situation): boolean {
  if (stryMutAct_9fa48("540")) {
    {}
  } else {
    stryCov_9fa48("540");
    return stryMutAct_9fa48("543") ? askedAgain < mostAskedAgain || ageOf(clock, occurrence) <= freshness : stryMutAct_9fa48("542") ? false : stryMutAct_9fa48("541") ? true : (stryCov_9fa48("541", "542", "543"), (stryMutAct_9fa48("546") ? askedAgain >= mostAskedAgain : stryMutAct_9fa48("545") ? askedAgain <= mostAskedAgain : stryMutAct_9fa48("544") ? true : (stryCov_9fa48("544", "545", "546"), askedAgain < mostAskedAgain)) && (stryMutAct_9fa48("549") ? ageOf(clock, occurrence) > freshness : stryMutAct_9fa48("548") ? ageOf(clock, occurrence) < freshness : stryMutAct_9fa48("547") ? true : (stryCov_9fa48("547", "548", "549"), ageOf(clock, occurrence) <= freshness)));
  }
}
function ageOf(clock: Clock, {
  event
}: Occurrence): number {
  if (stryMutAct_9fa48("550")) {
    {}
  } else {
    stryCov_9fa48("550");
    return stryMutAct_9fa48("551") ? clock.now() / 1000 + event.occurredAt : (stryCov_9fa48("551"), (stryMutAct_9fa48("552") ? clock.now() * 1000 : (stryCov_9fa48("552"), clock.now() / 1000)) - event.occurredAt);
  }
}

/** Why the leaves that are not known are not. */
function unknownsOf(node: EvaluatedNode): string[] {
  if (stryMutAct_9fa48("553")) {
    {}
  } else {
    stryCov_9fa48("553");
    if (stryMutAct_9fa48("556") ? node.kind === "leaf" : stryMutAct_9fa48("555") ? false : stryMutAct_9fa48("554") ? true : (stryCov_9fa48("554", "555", "556"), node.kind !== (stryMutAct_9fa48("557") ? "" : (stryCov_9fa48("557"), "leaf")))) return stryMutAct_9fa48("558") ? [] : (stryCov_9fa48("558"), [...new Set(node.parts.flatMap(unknownsOf))]);
    return (stryMutAct_9fa48("561") ? node.truth === "unknown" || node.why !== undefined : stryMutAct_9fa48("560") ? false : stryMutAct_9fa48("559") ? true : (stryCov_9fa48("559", "560", "561"), (stryMutAct_9fa48("563") ? node.truth !== "unknown" : stryMutAct_9fa48("562") ? true : (stryCov_9fa48("562", "563"), node.truth === (stryMutAct_9fa48("564") ? "" : (stryCov_9fa48("564"), "unknown")))) && (stryMutAct_9fa48("566") ? node.why === undefined : stryMutAct_9fa48("565") ? true : (stryCov_9fa48("565", "566"), node.why !== undefined)))) ? stryMutAct_9fa48("567") ? [] : (stryCov_9fa48("567"), [stryMutAct_9fa48("568") ? `` : (stryCov_9fa48("568"), `${node.name}: ${node.why}`)]) : stryMutAct_9fa48("569") ? ["Stryker was here"] : (stryCov_9fa48("569"), []);
  }
}
function hold(why: string | null): Ruling {
  if (stryMutAct_9fa48("570")) {
    {}
  } else {
    stryCov_9fa48("570");
    return stryMutAct_9fa48("571") ? {} : (stryCov_9fa48("571"), {
      kind: stryMutAct_9fa48("572") ? "" : (stryCov_9fa48("572"), "hold"),
      why,
      events: stryMutAct_9fa48("573") ? ["Stryker was here"] : (stryCov_9fa48("573"), [])
    });
  }
}
function withhold(outcome: RuleDecisionTable["outcome"], why: string | null): Ruling {
  if (stryMutAct_9fa48("574")) {
    {}
  } else {
    stryCov_9fa48("574");
    return stryMutAct_9fa48("575") ? {} : (stryCov_9fa48("575"), {
      kind: stryMutAct_9fa48("576") ? "" : (stryCov_9fa48("576"), "withhold"),
      outcome,
      why,
      events: stryMutAct_9fa48("577") ? ["Stryker was here"] : (stryCov_9fa48("577"), [])
    });
  }
}