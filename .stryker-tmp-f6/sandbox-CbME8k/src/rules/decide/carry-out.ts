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
import type { NewChannelEvent } from "../../observe/event.ts";
import { eventOfRule } from "../actions/event-of-rule.ts";
import { giveStrike } from "../actions/give-strike.ts";
import { isNetworkDeed, type DoableDeed, type OwnDeed } from "./deed.ts";
import type { ActionOrigin, ProposeRuleAction } from "./rule-action.ts";
export interface Actors {
  clock: Clock;
  propose: ProposeRuleAction;
}

/** What came of an action: a case, events that tell of it, or why it could not be, or need not. */
export interface CarriedOut {
  caseId: number | null;
  events: NewChannelEvent[];
  impossible?: string;
  needless?: string;
}

/** Does an action, once for its origin however often it is asked. `fid` is whom the rule's event is about. */
export async function carryOut(tx: Tx, {
  clock,
  propose
}: Actors, origin: ActionOrigin, fid: number | null, deed: DoableDeed): Promise<CarriedOut> {
  if (stryMutAct_9fa48("15")) {
    {}
  } else {
    stryCov_9fa48("15");
    if (stryMutAct_9fa48("17") ? false : stryMutAct_9fa48("16") ? true : (stryCov_9fa48("16", "17"), isNetworkDeed(deed))) {
      if (stryMutAct_9fa48("18")) {
        {}
      } else {
        stryCov_9fa48("18");
        return stryMutAct_9fa48("19") ? {} : (stryCov_9fa48("19"), {
          caseId: null,
          ...(await propose(tx, stryMutAct_9fa48("20") ? {} : (stryCov_9fa48("20"), {
            ...origin,
            action: deed
          }))),
          events: stryMutAct_9fa48("21") ? ["Stryker was here"] : (stryCov_9fa48("21"), [])
        });
      }
    }
    switch (deed.kind) {
      case stryMutAct_9fa48("23") ? "" : (stryCov_9fa48("23"), "strike"):
        if (stryMutAct_9fa48("22")) {} else {
          stryCov_9fa48("22");
          return stryMutAct_9fa48("24") ? {} : (stryCov_9fa48("24"), {
            caseId: null,
            events: await giveStrike(tx, clock, origin, deed)
          });
        }
      case stryMutAct_9fa48("26") ? "" : (stryCov_9fa48("26"), "note"):
        if (stryMutAct_9fa48("25")) {} else {
          stryCov_9fa48("25");
          await writeNote(tx, clock, origin, deed);
          return stryMutAct_9fa48("27") ? {} : (stryCov_9fa48("27"), {
            caseId: null,
            events: stryMutAct_9fa48("28") ? ["Stryker was here"] : (stryCov_9fa48("28"), [])
          });
        }
      case stryMutAct_9fa48("30") ? "" : (stryCov_9fa48("30"), "alert"):
        if (stryMutAct_9fa48("29")) {} else {
          stryCov_9fa48("29");
          return raiseAlert(tx, clock, origin, fid, deed);
        }
    }
  }
}
async function writeNote(tx: Tx, clock: Clock, origin: ActionOrigin, {
  fid,
  text
}: Extract<OwnDeed, {
  kind: "note";
}>): Promise<void> {
  if (stryMutAct_9fa48("31")) {
    {}
  } else {
    stryCov_9fa48("31");
    await tx.insertInto(stryMutAct_9fa48("32") ? "" : (stryCov_9fa48("32"), "castellan.user_notes")).values(stryMutAct_9fa48("33") ? {} : (stryCov_9fa48("33"), {
      guild_id: origin.guildId,
      channel_id: origin.channelId,
      fid,
      text,
      written_at_ms: clock.now(),
      event_id: origin.eventId,
      rule_id: origin.ruleId,
      action_index: origin.actionIndex
    })).onConflict(stryMutAct_9fa48("34") ? () => undefined : (stryCov_9fa48("34"), conflict => conflict.doNothing())).execute();
  }
}
async function raiseAlert(tx: Tx, clock: Clock, origin: ActionOrigin, fid: number | null, {
  text,
  roomId
}: Extract<OwnDeed, {
  kind: "alert";
}>): Promise<CarriedOut> {
  if (stryMutAct_9fa48("35")) {
    {}
  } else {
    stryCov_9fa48("35");
    const {
      eventId,
      guildId,
      channelId,
      ruleId,
      actionIndex
    } = origin;
    if (stryMutAct_9fa48("38") ? roomId !== null || !(await hasFeed(tx, guildId, roomId)) : stryMutAct_9fa48("37") ? false : stryMutAct_9fa48("36") ? true : (stryCov_9fa48("36", "37", "38"), (stryMutAct_9fa48("40") ? roomId === null : stryMutAct_9fa48("39") ? true : (stryCov_9fa48("39", "40"), roomId !== null)) && (stryMutAct_9fa48("41") ? await hasFeed(tx, guildId, roomId) : (stryCov_9fa48("41"), !(await hasFeed(tx, guildId, roomId)))))) {
      if (stryMutAct_9fa48("42")) {
        {}
      } else {
        stryCov_9fa48("42");
        const impossible = stryMutAct_9fa48("43") ? `` : (stryCov_9fa48("43"), `Room ${roomId} has no feed of this server: /feed add gives it one.`);
        return stryMutAct_9fa48("44") ? {} : (stryCov_9fa48("44"), {
          caseId: null,
          events: stryMutAct_9fa48("45") ? ["Stryker was here"] : (stryCov_9fa48("45"), []),
          impossible
        });
      }
    }
    const event: NewChannelEvent = stryMutAct_9fa48("46") ? {} : (stryCov_9fa48("46"), {
      ...eventOfRule(clock, origin, fid),
      sourceKey: stryMutAct_9fa48("47") ? `` : (stryCov_9fa48("47"), `alert ${eventId} ${guildId} ${channelId} ${ruleId} ${actionIndex}`),
      kind: stryMutAct_9fa48("48") ? "" : (stryCov_9fa48("48"), "rule.alert"),
      data: stryMutAct_9fa48("49") ? {} : (stryCov_9fa48("49"), {
        guildId,
        ruleId,
        text,
        ...(stryMutAct_9fa48("52") ? roomId !== null || {
          roomId
        } : stryMutAct_9fa48("51") ? false : stryMutAct_9fa48("50") ? true : (stryCov_9fa48("50", "51", "52"), (stryMutAct_9fa48("54") ? roomId === null : stryMutAct_9fa48("53") ? true : (stryCov_9fa48("53", "54"), roomId !== null)) && (stryMutAct_9fa48("55") ? {} : (stryCov_9fa48("55"), {
          roomId
        }))))
      })
    });
    return stryMutAct_9fa48("56") ? {} : (stryCov_9fa48("56"), {
      caseId: null,
      events: stryMutAct_9fa48("57") ? [] : (stryCov_9fa48("57"), [event])
    });
  }
}

/** A rule file is a server's own: it may not write into another's rooms. */
async function hasFeed(tx: Tx, guildId: string, roomId: string): Promise<boolean> {
  if (stryMutAct_9fa48("58")) {
    {}
  } else {
    stryCov_9fa48("58");
    const feed = await tx.selectFrom(stryMutAct_9fa48("59") ? "" : (stryCov_9fa48("59"), "castellan.feeds")).select(stryMutAct_9fa48("60") ? "" : (stryCov_9fa48("60"), "id")).where(stryMutAct_9fa48("61") ? "" : (stryCov_9fa48("61"), "guild_id"), stryMutAct_9fa48("62") ? "" : (stryCov_9fa48("62"), "="), guildId).where(stryMutAct_9fa48("63") ? "" : (stryCov_9fa48("63"), "room_id"), stryMutAct_9fa48("64") ? "" : (stryCov_9fa48("64"), "="), roomId).executeTakeFirst();
    return stryMutAct_9fa48("67") ? feed === undefined : stryMutAct_9fa48("66") ? false : stryMutAct_9fa48("65") ? true : (stryCov_9fa48("65", "66", "67"), feed !== undefined);
  }
}