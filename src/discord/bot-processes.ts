import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { pid } from "node:process";
import { ShardClientUtil } from "discord.js";
import { sql } from "kysely";
import { withTimeout } from "../async.ts";
import type { BotContext } from "../bot-context.ts";

/** A process of this installation that answers commands. */
export interface BotProcess {
  process: string;
  /** Host and process id. */
  name: string;
  shardCount: number;
}

/** The bot processes that share a database. */
export interface BotProcesses {
  /** Called once Discord has accepted this process. From then on it answers its share while it receives events from Discord. */
  join(shardCount: number, hears?: () => boolean): Promise<void>;
  /** Whether another process also answers or recently did, as far as is known. */
  hasCompany(): boolean;
  /** The same, read from the database now. */
  askForCompany(): Promise<boolean>;
  /** Whether this process is responsible for a server; the others give it a head start. */
  answers(guildId: string | null): boolean;
  /** The shards that this process is responsible for; none for a standby. */
  shards(): number[];
  /** Called each time this process becomes responsible for shard 0, and with it for the installation's commands. */
  onFirst(listener: () => void): void;
  /** Reserves a turn to identify in a bucket, and returns the milliseconds until then. */
  takeTurn(bucket: number): Promise<number>;
  /** Hands this process's share to the others at once. */
  leave(): Promise<void>;
}

type Query = Pick<BotContext["database"], "query">;

/** Milliseconds between renewals of a lease, and until a process that does not renew loses its share. */
const lease = { renewEvery: 2_000, lasts: 6_000 };
/** Milliseconds for which a process that has gone may still have answers under way. */
const rememberedFor = 2 * 60_000;
/** Milliseconds between two sessions of a bucket; Discord accepts one every five seconds. */
const identifyEvery = 5_000;
/** Timeout for giving up the lease when the process ends, in milliseconds. */
const leavingTimeoutMs = 1_000;

/** UNIX milliseconds by the clock that all processes share. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Joins the bot processes of an installation. Each receives the events of all shards, so any can answer if another fails. The leases
 * alone determine which process answers a shard: they are assigned in turn, beginning with the oldest
 * process. If two processes disagree for a moment, Discord accepts the first answer.
 */
export async function openBotProcesses({
  database,
  log,
}: Pick<BotContext, "database" | "log">): Promise<BotProcesses> {
  const own = { process: randomUUID(), name: `${hostname()}:${pid}`, shardCount: 0 };
  let present: BotProcess[] = [];
  let company = false;
  let renewedAt = -Infinity;
  let wasFirst = false;
  let failed = false;
  let onFirst = () => {};
  let answersNow = () => false;

  const holds = (shard: number) =>
    performance.now() - renewedAt < lease.lasts && holderOf(present, shard)?.process === own.process;
  const say = (lasts: number) =>
    database.query
      .insertInto("castellan.gateways")
      .values({
        process: own.process,
        name: own.name,
        shard_count: own.shardCount,
        started_at_ms: now,
        seen_at_ms: now,
        leased_until_ms: sql<number>`${now} + ${lasts}::bigint`,
      })
      .onConflict((conflict) =>
        conflict.column("process").doUpdateSet({
          shard_count: own.shardCount,
          seen_at_ms: now,
          leased_until_ms: sql<number>`${now} + ${lasts}::bigint`,
        }),
      )
      .execute();
  const look = async () => {
    const askedAt = performance.now();
    const seen = await readProcesses(database);
    present = seen.filter(({ isLeased }) => isLeased);
    company = seen.some(({ process }) => process !== own.process);
    renewedAt = askedAt;
    const isFirst = holds(0);
    if (isFirst && !wasFirst) onFirst();
    wasFirst = isFirst;
  };
  const renew = async () => {
    try {
      await say(answersNow() ? lease.lasts : 0);
      await look();
      failed = false;
    } catch (error) {
      if (!failed) log.warn({ err: error }, "could not read which bot process answers");
      failed = true;
    }
  };
  let renewing: Promise<void> | undefined;
  const renewOnce = () => (renewing ??= renew().finally(() => (renewing = undefined)));

  await renewOnce();
  await forgetGone(database).catch(() => {});
  const timer = setInterval(() => void renewOnce(), lease.renewEvery).unref();
  return {
    async join(shardCount, hears = () => true) {
      await renewing;
      own.shardCount = shardCount;
      answersNow = hears;
      await renewOnce();
    },
    hasCompany: () => company,
    async askForCompany() {
      await look();
      return company;
    },
    answers: (guildId) => holds(guildId === null ? 0 : shardOf(guildId, own.shardCount)),
    shards: () => [...Array(own.shardCount).keys()].filter(holds),
    onFirst: (listener) => void (onFirst = listener),
    takeTurn: (bucket) => takeTurn(database, bucket),
    async leave() {
      clearInterval(timer);
      const left = Promise.resolve(renewing).then(() => say(0));
      await withTimeout(left, leavingTimeoutMs, () => {}).catch((error: unknown) =>
        log.warn(
          { err: error },
          "could not give up this process's share; the others take it over in seconds",
        ),
      );
      renewedAt = -Infinity;
    },
  };
}

/** The process that answers a shard; undefined if there is none. */
export function holderOf<Process>(present: readonly Process[], shard: number): Process | undefined {
  return present[shard % present.length];
}

/** Discord's formula for a server's shard. */
export function shardOf(guildId: string, shardCount: number): number {
  return ShardClientUtil.shardIdForGuildId(guildId, Math.max(1, shardCount));
}

/** The processes with a lease, oldest first. */
export async function readBotProcesses(database: Query): Promise<BotProcess[]> {
  return (await readProcesses(database)).filter(({ isLeased }) => isLeased);
}

/** Includes processes that ended recently. Oldest first, so that a new process takes nothing from those that answer. */
function readProcesses({ query }: Query) {
  return query
    .selectFrom("castellan.gateways")
    .select(["process", "name", "shard_count as shardCount"])
    .select(sql<boolean>`leased_until_ms > ${now}`.as("isLeased"))
    .where("seen_at_ms", ">", sql<number>`${now} - ${rememberedFor}::bigint`)
    .orderBy("started_at_ms")
    .orderBy("process")
    .execute();
}

async function forgetGone({ query }: Query): Promise<void> {
  await query
    .deleteFrom("castellan.gateways")
    .where("seen_at_ms", "<", sql<number>`${now} - ${rememberedFor}::bigint`)
    .execute();
}

async function takeTurn({ query }: Query, bucket: number): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    insert into castellan.identify_turns as turns (bucket, next_at_ms) values (${bucket}, ${now} + ${identifyEvery}::bigint)
    on conflict (bucket) do update set next_at_ms = greatest(turns.next_at_ms, ${now}) + ${identifyEvery}::bigint
    returning greatest(next_at_ms - ${identifyEvery}::bigint - ${now}, 0) as wait
  `.execute(query);
  return rows[0]?.wait ?? 0;
}
