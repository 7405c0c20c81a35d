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
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../database/database.ts";
import type { RuleDecisionTable } from "../../database/tables/rules.ts";
import type { NewChannelEvent } from "../../observe/event.ts";
import { carryOut, type Actors, type CarriedOut } from "./carry-out.ts";
import type { Verdict } from "../evaluate/evaluate.ts";
import { judge, type Ruling, type Situation } from "../limits/judge.ts";
import { holdForReview, type HeldDeed } from "../review/hold-for-review.ts";
import { saveDecisions } from "./save-decisions.ts";
type Decision = Insertable<RuleDecisionTable>;
type Outcome = Pick<Decision, "outcome" | "why" | "case_id">;

/** What came of an event. */
export interface Decided {
  /** What tells of it; to be appended last in the transaction. */
  events: NewChannelEvent[];
  /** Rules that could not tell and want to be asked again. */
  askAgain: string[];
}

/** Writes what was decided, and does, holds or leaves what the rules ask for. */
export async function decide(tx: Tx, actors: Actors, situation: Situation, verdicts: readonly Verdict[]): Promise<Decided> {
  if (stryMutAct_9fa48("68")) {
    {}
  } else {
    stryCov_9fa48("68");
    const rulings: {
      verdict: Verdict;
      ruling: Ruling;
    }[] = stryMutAct_9fa48("69") ? ["Stryker was here"] : (stryCov_9fa48("69"), []);
    // All limits first, in the order of the rules, so that two workers lock them in the same order.
    for (const verdict of verdicts) {
      if (stryMutAct_9fa48("70")) {
        {}
      } else {
        stryCov_9fa48("70");
        rulings.push(stryMutAct_9fa48("71") ? {} : (stryCov_9fa48("71"), {
          verdict,
          ruling: await judge(tx, actors.clock, situation, verdict)
        }));
      }
    }
    const decisions: Decision[] = stryMutAct_9fa48("72") ? ["Stryker was here"] : (stryCov_9fa48("72"), []);
    const events: NewChannelEvent[] = rulings.flatMap(stryMutAct_9fa48("73") ? () => undefined : (stryCov_9fa48("73"), ({
      ruling
    }) => ruling.events));
    for (const {
      verdict,
      ruling
    } of rulings) {
      if (stryMutAct_9fa48("74")) {
        {}
      } else {
        stryCov_9fa48("74");
        const done = await settleVerdict(tx, actors, situation, verdict, ruling);
        decisions.push(...done.outcomes.map(stryMutAct_9fa48("75") ? () => undefined : (stryCov_9fa48("75"), (outcome, index) => stryMutAct_9fa48("76") ? {} : (stryCov_9fa48("76"), {
          ...describe(actors.clock, situation, verdict, index),
          ...outcome
        }))));
        if (stryMutAct_9fa48("78") ? false : stryMutAct_9fa48("77") ? true : (stryCov_9fa48("77", "78"), isNews(verdict, ruling, done.outcomes))) events.push(toHit(actors.clock, situation, verdict, done.outcomes));
        events.push(...done.events);
      }
    }
    await saveDecisions(tx, decisions);
    const askAgain = stryMutAct_9fa48("79") ? rulings : (stryCov_9fa48("79"), rulings.filter(stryMutAct_9fa48("80") ? () => undefined : (stryCov_9fa48("80"), ({
      ruling
    }) => stryMutAct_9fa48("83") ? ruling.kind === "withhold" || ruling.outcome === "asked_again" : stryMutAct_9fa48("82") ? false : stryMutAct_9fa48("81") ? true : (stryCov_9fa48("81", "82", "83"), (stryMutAct_9fa48("85") ? ruling.kind !== "withhold" : stryMutAct_9fa48("84") ? true : (stryCov_9fa48("84", "85"), ruling.kind === (stryMutAct_9fa48("86") ? "" : (stryCov_9fa48("86"), "withhold")))) && (stryMutAct_9fa48("88") ? ruling.outcome !== "asked_again" : stryMutAct_9fa48("87") ? true : (stryCov_9fa48("87", "88"), ruling.outcome === (stryMutAct_9fa48("89") ? "" : (stryCov_9fa48("89"), "asked_again"))))))));
    return stryMutAct_9fa48("90") ? {} : (stryCov_9fa48("90"), {
      events,
      askAgain: askAgain.map(stryMutAct_9fa48("91") ? () => undefined : (stryCov_9fa48("91"), ({
        verdict
      }) => verdict.rule.id))
    });
  }
}

/** What is held is told as that; what cools down or cannot be known is no hit. */
function isNews({
  truth
}: Verdict, ruling: Ruling, outcomes: readonly Outcome[]): boolean {
  if (stryMutAct_9fa48("92")) {
    {}
  } else {
    stryCov_9fa48("92");
    if (stryMutAct_9fa48("95") ? truth === "unknown" && ruling.kind === "hold" : stryMutAct_9fa48("94") ? false : stryMutAct_9fa48("93") ? true : (stryCov_9fa48("93", "94", "95"), (stryMutAct_9fa48("97") ? truth !== "unknown" : stryMutAct_9fa48("96") ? false : (stryCov_9fa48("96", "97"), truth === (stryMutAct_9fa48("98") ? "" : (stryCov_9fa48("98"), "unknown")))) || (stryMutAct_9fa48("100") ? ruling.kind !== "hold" : stryMutAct_9fa48("99") ? false : (stryCov_9fa48("99", "100"), ruling.kind === (stryMutAct_9fa48("101") ? "" : (stryCov_9fa48("101"), "hold")))))) return stryMutAct_9fa48("102") ? true : (stryCov_9fa48("102"), false);
    return stryMutAct_9fa48("105") ? ruling.isNews === true && outcomes.some(({
      outcome
    }) => outcome !== "cooling") : stryMutAct_9fa48("104") ? false : stryMutAct_9fa48("103") ? true : (stryCov_9fa48("103", "104", "105"), (stryMutAct_9fa48("107") ? ruling.isNews !== true : stryMutAct_9fa48("106") ? false : (stryCov_9fa48("106", "107"), ruling.isNews === (stryMutAct_9fa48("108") ? false : (stryCov_9fa48("108"), true)))) || (stryMutAct_9fa48("109") ? outcomes.every(({
      outcome
    }) => outcome !== "cooling") : (stryCov_9fa48("109"), outcomes.some(stryMutAct_9fa48("110") ? () => undefined : (stryCov_9fa48("110"), ({
      outcome
    }) => stryMutAct_9fa48("113") ? outcome === "cooling" : stryMutAct_9fa48("112") ? false : stryMutAct_9fa48("111") ? true : (stryCov_9fa48("111", "112", "113"), outcome !== (stryMutAct_9fa48("114") ? "" : (stryCov_9fa48("114"), "cooling"))))))));
  }
}

/** One outcome for each action of the rule. */
async function settleVerdict(tx: Tx, actors: Actors, {
  occurrence,
  version
}: Situation, {
  rule
}: Verdict, ruling: Ruling): Promise<{
  outcomes: Outcome[];
  events: NewChannelEvent[];
}> {
  if (stryMutAct_9fa48("115")) {
    {}
  } else {
    stryCov_9fa48("115");
    if (stryMutAct_9fa48("118") ? ruling.kind !== "withhold" : stryMutAct_9fa48("117") ? false : stryMutAct_9fa48("116") ? true : (stryCov_9fa48("116", "117", "118"), ruling.kind === (stryMutAct_9fa48("119") ? "" : (stryCov_9fa48("119"), "withhold")))) {
      if (stryMutAct_9fa48("120")) {
        {}
      } else {
        stryCov_9fa48("120");
        const {
          outcome,
          why
        } = ruling;
        return stryMutAct_9fa48("121") ? {} : (stryCov_9fa48("121"), {
          outcomes: rule.actions.map(stryMutAct_9fa48("122") ? () => undefined : (stryCov_9fa48("122"), () => stryMutAct_9fa48("123") ? {} : (stryCov_9fa48("123"), {
            outcome,
            why,
            case_id: null
          }))),
          events: stryMutAct_9fa48("124") ? ["Stryker was here"] : (stryCov_9fa48("124"), [])
        });
      }
    }
    const {
      guildId,
      channelId,
      event,
      text,
      name,
      authorFid
    } = occurrence;
    const outcomes: Outcome[] = stryMutAct_9fa48("125") ? ["Stryker was here"] : (stryCov_9fa48("125"), []);
    const events: NewChannelEvent[] = stryMutAct_9fa48("126") ? ["Stryker was here"] : (stryCov_9fa48("126"), []);
    const held: HeldDeed[] = stryMutAct_9fa48("127") ? ["Stryker was here"] : (stryCov_9fa48("127"), []);
    let queue: string | undefined;
    for (const [actionIndex, action] of rule.actions.entries()) {
      if (stryMutAct_9fa48("128")) {
        {}
      } else {
        stryCov_9fa48("128");
        const aimed = action.aim(occurrence);
        if (stryMutAct_9fa48("130") ? false : stryMutAct_9fa48("129") ? true : (stryCov_9fa48("129", "130"), (stryMutAct_9fa48("131") ? "" : (stryCov_9fa48("131"), "impossible")) in aimed)) {
          if (stryMutAct_9fa48("132")) {
            {}
          } else {
            stryCov_9fa48("132");
            outcomes.push(stryMutAct_9fa48("133") ? {} : (stryCov_9fa48("133"), {
              outcome: stryMutAct_9fa48("134") ? "" : (stryCov_9fa48("134"), "impossible"),
              why: aimed.impossible,
              case_id: null
            }));
          }
        } else if (stryMutAct_9fa48("137") ? aimed.kind === "review" && ruling.kind === "hold" : stryMutAct_9fa48("136") ? false : stryMutAct_9fa48("135") ? true : (stryCov_9fa48("135", "136", "137"), (stryMutAct_9fa48("139") ? aimed.kind !== "review" : stryMutAct_9fa48("138") ? false : (stryCov_9fa48("138", "139"), aimed.kind === (stryMutAct_9fa48("140") ? "" : (stryCov_9fa48("140"), "review")))) || (stryMutAct_9fa48("142") ? ruling.kind !== "hold" : stryMutAct_9fa48("141") ? false : (stryCov_9fa48("141", "142"), ruling.kind === (stryMutAct_9fa48("143") ? "" : (stryCov_9fa48("143"), "hold")))))) {
          if (stryMutAct_9fa48("144")) {
            {}
          } else {
            stryCov_9fa48("144");
            if (stryMutAct_9fa48("147") ? aimed.kind !== "review" : stryMutAct_9fa48("146") ? false : stryMutAct_9fa48("145") ? true : (stryCov_9fa48("145", "146", "147"), aimed.kind === (stryMutAct_9fa48("148") ? "" : (stryCov_9fa48("148"), "review")))) queue = stryMutAct_9fa48("149") ? aimed.queue && rule.id : (stryCov_9fa48("149"), aimed.queue ?? rule.id);else held.push(stryMutAct_9fa48("150") ? {} : (stryCov_9fa48("150"), {
              actionIndex,
              sentence: action.sentence,
              deed: aimed
            }));
            outcomes.push(stryMutAct_9fa48("151") ? {} : (stryCov_9fa48("151"), {
              outcome: stryMutAct_9fa48("152") ? "" : (stryCov_9fa48("152"), "held"),
              why: ruling.why,
              case_id: null
            }));
          }
        } else {
          if (stryMutAct_9fa48("153")) {
            {}
          } else {
            stryCov_9fa48("153");
            const origin = stryMutAct_9fa48("154") ? {} : (stryCov_9fa48("154"), {
              guildId,
              channelId,
              eventId: event.id,
              ruleId: rule.id,
              ruleVersion: version,
              actionIndex,
              depth: stryMutAct_9fa48("155") ? event.depth - 1 : (stryCov_9fa48("155"), event.depth + 1),
              evidence: stryMutAct_9fa48("156") ? (text ?? name)?.raw && null : (stryCov_9fa48("156"), (stryMutAct_9fa48("157") ? (text ?? name).raw : (stryCov_9fa48("157"), (stryMutAct_9fa48("158") ? text && name : (stryCov_9fa48("158"), text ?? name))?.raw)) ?? null)
            });
            const done = await carryOut(tx, actors, origin, authorFid, aimed);
            events.push(...done.events);
            outcomes.push(toOutcome(done));
          }
        }
      }
    }
    if (stryMutAct_9fa48("161") ? queue !== undefined && held.length > 0 : stryMutAct_9fa48("160") ? false : stryMutAct_9fa48("159") ? true : (stryCov_9fa48("159", "160", "161"), (stryMutAct_9fa48("163") ? queue === undefined : stryMutAct_9fa48("162") ? false : (stryCov_9fa48("162", "163"), queue !== undefined)) || (stryMutAct_9fa48("166") ? held.length <= 0 : stryMutAct_9fa48("165") ? held.length >= 0 : stryMutAct_9fa48("164") ? false : (stryCov_9fa48("164", "165", "166"), held.length > 0)))) {
      if (stryMutAct_9fa48("167")) {
        {}
      } else {
        stryCov_9fa48("167");
        const {
          why
        } = ruling;
        const item = stryMutAct_9fa48("168") ? {} : (stryCov_9fa48("168"), {
          occurrence,
          ruleId: rule.id,
          version,
          queue: stryMutAct_9fa48("169") ? queue && rule.id : (stryCov_9fa48("169"), queue ?? rule.id),
          why,
          deeds: held
        });
        events.push(...(await holdForReview(tx, actors.clock, item)));
      }
    }
    return stryMutAct_9fa48("170") ? {} : (stryCov_9fa48("170"), {
      outcomes,
      events
    });
  }
}
function toOutcome({
  caseId,
  impossible,
  needless
}: CarriedOut): Outcome {
  if (stryMutAct_9fa48("171")) {
    {}
  } else {
    stryCov_9fa48("171");
    if (stryMutAct_9fa48("174") ? impossible === undefined : stryMutAct_9fa48("173") ? false : stryMutAct_9fa48("172") ? true : (stryCov_9fa48("172", "173", "174"), impossible !== undefined)) return stryMutAct_9fa48("175") ? {} : (stryCov_9fa48("175"), {
      outcome: stryMutAct_9fa48("176") ? "" : (stryCov_9fa48("176"), "impossible"),
      why: impossible,
      case_id: null
    });
    if (stryMutAct_9fa48("179") ? needless === undefined : stryMutAct_9fa48("178") ? false : stryMutAct_9fa48("177") ? true : (stryCov_9fa48("177", "178", "179"), needless !== undefined)) return stryMutAct_9fa48("180") ? {} : (stryCov_9fa48("180"), {
      outcome: stryMutAct_9fa48("181") ? "" : (stryCov_9fa48("181"), "cooling"),
      why: needless,
      case_id: null
    });
    return stryMutAct_9fa48("182") ? {} : (stryCov_9fa48("182"), {
      outcome: stryMutAct_9fa48("183") ? "" : (stryCov_9fa48("183"), "acted"),
      why: null,
      case_id: caseId
    });
  }
}
function describe(clock: Clock, {
  occurrence,
  version
}: Situation, {
  rule,
  tree
}: Verdict, actionIndex: number) {
  if (stryMutAct_9fa48("184")) {
    {}
  } else {
    stryCov_9fa48("184");
    return stryMutAct_9fa48("185") ? {} : (stryCov_9fa48("185"), {
      event_id: occurrence.event.id,
      guild_id: occurrence.guildId,
      channel_id: occurrence.channelId,
      rule_id: rule.id,
      rule_version: version,
      // Rules that are off are not asked.
      mode: (stryMutAct_9fa48("188") ? rule.mode !== "off" : stryMutAct_9fa48("187") ? false : stryMutAct_9fa48("186") ? true : (stryCov_9fa48("186", "187", "188"), rule.mode === (stryMutAct_9fa48("189") ? "" : (stryCov_9fa48("189"), "off")))) ? "shadow" as const : rule.mode,
      action_index: actionIndex,
      action: stryMutAct_9fa48("190") ? rule.actions[actionIndex]?.sentence && "" : (stryCov_9fa48("190"), (stryMutAct_9fa48("191") ? rule.actions[actionIndex].sentence : (stryCov_9fa48("191"), rule.actions[actionIndex]?.sentence)) ?? (stryMutAct_9fa48("192") ? "Stryker was here!" : (stryCov_9fa48("192"), ""))),
      tree: JSON.stringify(tree),
      decided_at_ms: clock.now()
    });
  }
}
function toHit(clock: Clock, {
  occurrence,
  version
}: Situation, {
  rule
}: Verdict, outcomes: readonly Outcome[]): NewChannelEvent {
  if (stryMutAct_9fa48("193")) {
    {}
  } else {
    stryCov_9fa48("193");
    const {
      event,
      guildId,
      channelId,
      authorFid
    } = occurrence;
    const actions = rule.actions.map(({
      sentence
    }, index) => {
      if (stryMutAct_9fa48("194")) {
        {}
      } else {
        stryCov_9fa48("194");
        const why = stryMutAct_9fa48("195") ? outcomes[index].why : (stryCov_9fa48("195"), outcomes[index]?.why);
        return why ? stryMutAct_9fa48("196") ? `` : (stryCov_9fa48("196"), `${sentence}: not done. ${why}`) : sentence;
      }
    });
    return stryMutAct_9fa48("197") ? {} : (stryCov_9fa48("197"), {
      sourceKey: stryMutAct_9fa48("198") ? `` : (stryCov_9fa48("198"), `rule:${event.id}:${guildId}:${channelId}:${rule.id}`),
      kind: stryMutAct_9fa48("199") ? "" : (stryCov_9fa48("199"), "rule.hit"),
      channelId,
      subjectFid: authorFid,
      occurredAt: Math.floor(stryMutAct_9fa48("200") ? clock.now() * 1000 : (stryCov_9fa48("200"), clock.now() / 1000)),
      observedAt: clock.now(),
      depth: stryMutAct_9fa48("201") ? event.depth - 1 : (stryCov_9fa48("201"), event.depth + 1),
      caseId: null,
      data: stryMutAct_9fa48("202") ? {} : (stryCov_9fa48("202"), {
        guildId,
        ruleId: rule.id,
        version,
        mode: rule.mode,
        actions,
        eventId: event.id
      })
    });
  }
}