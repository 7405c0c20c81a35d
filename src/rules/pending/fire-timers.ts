import { sql } from "kysely";
import { mapLimited } from "../../async.ts";
import type { Tx } from "../../database/database.ts";
import { newEvent } from "../../observe/events.ts";
import type { RuleContext } from "../context.ts";
import { coversChannel } from "../../text/glob.ts";
import type { Rule } from "../evaluate/rule-set.ts";
import { findRules, findServers } from "../versions/rules-of-server.ts";

interface Timer {
  channel: string;
  /** Seconds. */
  every: number;
}

/**
 * Fires the timers that are due, once each, and returns how many. A timer first fires one interval after its rule came
 * into force; missed times count as one.
 */
export async function fireTimers(context: RuleContext): Promise<number> {
  // Each server gets its turn, even if others fail.
  const fired = await mapLimited(
    await findServers(context.database, "timer.fired"),
    1,
    async ({ guildId, channels }) => {
      const rules = await findRules(context, guildId);
      // Timers of unreadable rules keep their schedule until the rules are fixed.
      if (!rules || rules.unreadable) return 0;
      const wanted = channels.flatMap((channel) => timersOf(rules.ruleSet.rules, channel));
      if (await isUpToDate(context, guildId, wanted)) return 0;
      return context.database.transaction((tx) => fireDue(tx, context, guildId, wanted));
    },
  );
  return fired.reduce((total, count) => total + count, 0);
}

export async function hasTimers(context: RuleContext): Promise<boolean> {
  return (await findServers(context.database, "timer.fired")).length > 0;
}

function timersOf(rules: readonly Rule[], channel: string): Timer[] {
  const own = rules.filter(({ mode, channels }) => mode !== "off" && coversChannel(channels, channel));
  return [...new Set(own.flatMap(({ timers }) => timers))].map((every) => ({ channel, every }));
}

/** Most of the time nothing is due, and nothing needs writing. */
async function isUpToDate(
  { database, clock }: RuleContext,
  guildId: string,
  wanted: readonly Timer[],
): Promise<boolean> {
  const rows = await database.query
    .selectFrom("castellan.rule_timers")
    .select(["channel_id", "every_seconds", "due_at_ms"])
    .where("guild_id", "=", guildId)
    .execute();
  const waiting = new Set(
    rows.flatMap((row) => (row.due_at_ms > clock.now() ? [`${row.channel_id} ${row.every_seconds}`] : [])),
  );
  return (
    rows.length === wanted.length && wanted.every(({ channel, every }) => waiting.has(`${channel} ${every}`))
  );
}

/** Syncs a server's rows with its rules and fires what is due. Rows held by another worker are skipped. */
async function fireDue(
  tx: Tx,
  { clock, appendEvents }: RuleContext,
  guildId: string,
  wanted: readonly Timer[],
): Promise<number> {
  const now = clock.now();
  const json = JSON.stringify(wanted);
  await sql`
    delete from castellan.rule_timers as timer where guild_id = ${guildId} and not exists (
      select from json_to_recordset(${json}::text::json) as wanted(channel text, every bigint)
      where wanted.channel = timer.channel_id and wanted.every = timer.every_seconds)
  `.execute(tx);
  await sql`
    insert into castellan.rule_timers (guild_id, channel_id, every_seconds, due_at_ms)
    select ${guildId}, channel, every, ${now}::bigint + every * 1000
    from json_to_recordset(${json}::text::json) as wanted(channel text, every bigint)
    on conflict do nothing
  `.execute(tx);
  const { rows } = await sql<{ channel: string; every: number; due: number }>`
    with due as materialized (
      select guild_id, channel_id, every_seconds, due_at_ms from castellan.rule_timers
      where guild_id = ${guildId} and due_at_ms <= ${now} for update skip locked
    )
    update castellan.rule_timers as timer
    set due_at_ms = timer.due_at_ms
      + timer.every_seconds * 1000 * ((${now}::bigint - timer.due_at_ms) / (timer.every_seconds * 1000) + 1)
    from due
    where timer.guild_id = due.guild_id and timer.channel_id = due.channel_id
      and timer.every_seconds = due.every_seconds
    returning timer.channel_id as channel, timer.every_seconds as every, due.due_at_ms as due
  `.execute(tx);
  const events = rows.map(({ channel, every, due }) =>
    newEvent(now, {
      sourceKey: `timer:${guildId}:${channel}:${every}:${due}`,
      kind: "timer.fired",
      channelId: channel,
      data: { guildId, every },
    }),
  );
  await appendEvents(tx, events);
  return events.length;
}
