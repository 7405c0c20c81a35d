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
import type { Queryable, Tx } from "../../database/database.ts";
import type { Pending } from "../pending/pending.ts";

/** Why rules do not act in a channel now; read in the transaction that would act. */
export async function findPause(db: Queryable, clock: Clock, {
  guildId,
  channelId,
  roleLost
}: Pick<Pending, "guildId" | "channelId" | "roleLost">): Promise<string | undefined> {
  if (stryMutAct_9fa48("596")) {
    {}
  } else {
    stryCov_9fa48("596");
    if (stryMutAct_9fa48("598") ? false : stryMutAct_9fa48("597") ? true : (stryCov_9fa48("597", "598"), roleLost)) return stryMutAct_9fa48("599") ? `` : (stryCov_9fa48("599"), `The bot does not moderate /${channelId} any more.`);
    const row = await runningPauses(db, clock).where(stryMutAct_9fa48("600") ? "" : (stryCov_9fa48("600"), "guild_id"), stryMutAct_9fa48("601") ? "" : (stryCov_9fa48("601"), "="), guildId).where(stryMutAct_9fa48("602") ? "" : (stryCov_9fa48("602"), "channel_id"), stryMutAct_9fa48("603") ? "" : (stryCov_9fa48("603"), "="), channelId).executeTakeFirst();
    return stryMutAct_9fa48("606") ? row || `Rules are paused by <@${row.paused_by}>.` : stryMutAct_9fa48("605") ? false : stryMutAct_9fa48("604") ? true : (stryCov_9fa48("604", "605", "606"), row && (stryMutAct_9fa48("607") ? `` : (stryCov_9fa48("607"), `Rules are paused by <@${row.paused_by}>.`)));
  }
}

/** Where rules are paused at the moment. */
export function runningPauses(db: Queryable, clock: Clock) {
  if (stryMutAct_9fa48("608")) {
    {}
  } else {
    stryCov_9fa48("608");
    return db.selectFrom(stryMutAct_9fa48("609") ? "" : (stryCov_9fa48("609"), "castellan.automod_pauses")).selectAll().where(stryMutAct_9fa48("610") ? () => undefined : (stryCov_9fa48("610"), is => is.or(stryMutAct_9fa48("611") ? [] : (stryCov_9fa48("611"), [is(stryMutAct_9fa48("612") ? "" : (stryCov_9fa48("612"), "until_ms"), stryMutAct_9fa48("613") ? "" : (stryCov_9fa48("613"), "is"), null), is(stryMutAct_9fa48("614") ? "" : (stryCov_9fa48("614"), "until_ms"), stryMutAct_9fa48("615") ? "" : (stryCov_9fa48("615"), ">"), clock.now())]))));
  }
}
export interface NewPause {
  guildId: string;
  channelId: string;
  /** Discord user id. */
  pausedBy: string;
  reason: string | null;
  /** UNIX milliseconds; null until somebody resumes. */
  until: number | null;
}

/** Keeps rules from acting in a channel; a new pause replaces the one that is there. */
export async function pauseRules(tx: Tx, clock: Clock, pause: NewPause): Promise<void> {
  if (stryMutAct_9fa48("616")) {
    {}
  } else {
    stryCov_9fa48("616");
    const {
      guildId,
      channelId,
      pausedBy,
      reason,
      until
    } = pause;
    const values = stryMutAct_9fa48("617") ? {} : (stryCov_9fa48("617"), {
      paused_by: pausedBy,
      reason,
      paused_at_ms: clock.now(),
      until_ms: until
    });
    await tx.insertInto(stryMutAct_9fa48("618") ? "" : (stryCov_9fa48("618"), "castellan.automod_pauses")).values(stryMutAct_9fa48("619") ? {} : (stryCov_9fa48("619"), {
      guild_id: guildId,
      channel_id: channelId,
      ...values
    })).onConflict(stryMutAct_9fa48("620") ? () => undefined : (stryCov_9fa48("620"), conflict => conflict.columns(stryMutAct_9fa48("621") ? [] : (stryCov_9fa48("621"), [stryMutAct_9fa48("622") ? "" : (stryCov_9fa48("622"), "guild_id"), stryMutAct_9fa48("623") ? "" : (stryCov_9fa48("623"), "channel_id")])).doUpdateSet(values))).execute();
  }
}

/** Lets rules act again; false when they were not paused. */
export async function resumeRules(tx: Tx, clock: Clock, guildId: string, channelId: string): Promise<boolean> {
  if (stryMutAct_9fa48("624")) {
    {}
  } else {
    stryCov_9fa48("624");
    const ended = await tx.deleteFrom(stryMutAct_9fa48("625") ? "" : (stryCov_9fa48("625"), "castellan.automod_pauses")).where(stryMutAct_9fa48("626") ? "" : (stryCov_9fa48("626"), "guild_id"), stryMutAct_9fa48("627") ? "" : (stryCov_9fa48("627"), "="), guildId).where(stryMutAct_9fa48("628") ? "" : (stryCov_9fa48("628"), "channel_id"), stryMutAct_9fa48("629") ? "" : (stryCov_9fa48("629"), "="), channelId).returning(stryMutAct_9fa48("630") ? "" : (stryCov_9fa48("630"), "until_ms")).executeTakeFirst();
    return stryMutAct_9fa48("633") ? ended !== undefined || ended.until_ms === null || ended.until_ms > clock.now() : stryMutAct_9fa48("632") ? false : stryMutAct_9fa48("631") ? true : (stryCov_9fa48("631", "632", "633"), (stryMutAct_9fa48("635") ? ended === undefined : stryMutAct_9fa48("634") ? true : (stryCov_9fa48("634", "635"), ended !== undefined)) && (stryMutAct_9fa48("637") ? ended.until_ms === null && ended.until_ms > clock.now() : stryMutAct_9fa48("636") ? true : (stryCov_9fa48("636", "637"), (stryMutAct_9fa48("639") ? ended.until_ms !== null : stryMutAct_9fa48("638") ? false : (stryCov_9fa48("638", "639"), ended.until_ms === null)) || (stryMutAct_9fa48("642") ? ended.until_ms <= clock.now() : stryMutAct_9fa48("641") ? ended.until_ms >= clock.now() : stryMutAct_9fa48("640") ? false : (stryCov_9fa48("640", "641", "642"), ended.until_ms > clock.now())))));
  }
}