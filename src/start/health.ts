import type { Readable } from "node:stream";
import { sql } from "kysely";
import { withTimeout } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { Database } from "../database/database.ts";
import { describeSharedToken, findSharedToken } from "../feed/shared-token.ts";
import { readKeyRow } from "../observe/live/bot-key.ts";
import type { WorkerStatus } from "../queue/watch-workers.ts";
import type { Finding } from "./doctor/finding.ts";

/** A part's own description of its problem, undefined if it has none. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** A process's knowledge about its parts. */
export interface Health {
  /** Adds a part. A problem that a restart would not fix, such as an outage of Discord, only affects readiness. */
  add: (part: string, check: Check, counts?: "always" | "readiness") => void;
  /** One sentence for each part that does not work, within three seconds. */
  findTrouble: (forReadiness: boolean) => Promise<string[]>;
  /** Each part that affects readiness, and whether it works; within three seconds. */
  examineParts: () => Promise<{ part: string; isWell: boolean }[]>;
  /** What the operator's commands must send, once the keys are read. */
  operatorToken?: string;
  /** Runs `castellan doctor` in this process, once its parts are open. */
  examination?: Examination;
  /** Sends the process's data without its keys (backup-archive.ts); undefined if the data is on a database server. */
  backUp?: (() => Promise<Readable>) | undefined;
  /** The address of the process's registry key, which identifies its keys. */
  signer?: string;
  /** What a process that is ready says of itself besides. */
  describe?: () => Record<string, unknown>;
  /** What the operator's commands ask a process with the bot half (operator-tasks.ts). */
  tasks: Partial<Record<TaskName, Task>>;
}

/** Tasks by their path after /operator/. */
export const taskNames = ["rules", "exports", "config", "config-import", "bans"] as const;
export type TaskName = (typeof taskNames)[number];
/** Throws `invalid_request` for another body. */
export type Task = (body: unknown) => Promise<unknown>;

export interface Examination {
  /** Checks everything that the process needs. */
  run: () => Promise<Finding[]>;
}

/** Milliseconds that a part may take to answer. */
const timeoutMs = 2_000;

export function createHealth(): Health {
  const parts: { part: string; check: Check; counts: string }[] = [];
  const ask = async ({ part, check }: { part: string; check: Check }) => {
    const answer = Promise.resolve()
      .then(check)
      .catch(() => "does not answer");
    const wrong = await withTimeout(answer, timeoutMs, () => `has not answered for ${timeoutMs / 1000} s`);
    return { part, wrong };
  };
  return {
    tasks: {},
    add: (part, check, counts = "always") => void parts.push({ part, check, counts }),
    async findTrouble(forReadiness) {
      const asked = parts.filter(({ counts }) => forReadiness || counts === "always");
      const answers = await Promise.all(asked.map(ask));
      return answers.flatMap(({ part, wrong }) => (wrong === undefined ? [] : [`${part} ${wrong}`]));
    },
    async examineParts() {
      const answers = await Promise.all(parts.map(ask));
      return answers.map(({ part, wrong }) => ({ part, isWell: wrong === undefined }));
    },
  };
}

/** Whether the database answers, and is not a read-only copy. For the embedded database, `checkWriting` knows the reason. */
export function checkDatabase({ query, engine }: Pick<Database, "query" | "engine">): Check {
  return async () => {
    const { rows } = await sql<{ standby: boolean; isReadOnly: boolean }>`
      select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "isReadOnly"
    `.execute(query);
    if (engine === "embedded" || !rows[0]?.isReadOnly) return undefined;
    return rows[0].standby
      ? "accepts no changes: the server of DATABASE_URL is a standby, not the primary"
      : "accepts no changes: the server of DATABASE_URL is read-only (default_transaction_read_only)";
  };
}

/** Whether the database accepts changes. */
export function checkWriting(database: Pick<Database, "trouble">): Check {
  return () => database.trouble();
}

/** Milliseconds after which a part that has not answered counts as one that does not work. */
const promptly = 400;

/**
 * Asks whether a part works, and waits no longer than somebody who has typed a command may. One question at a time: what is
 * silent is not asked again before it has answered the last one.
 */
export function createReadiness(check: Check): () => Promise<boolean> {
  let asked: { at: number; answer: Promise<boolean> } | undefined;
  const ask = async () => {
    try {
      return (await check()) === undefined;
    } catch {
      return false;
    } finally {
      asked = undefined;
    }
  };
  return async () => {
    asked ??= { at: performance.now(), answer: ask() };
    const left = Math.max(0, promptly - (performance.now() - asked.at));
    return withTimeout(asked.answer, left, () => false);
  };
}

/**
 * Whether every worker of this process runs. While the database does not work, none can. That is reported as the
 * database's problem, because a restart would not help.
 */
export function checkWorkers(status: () => WorkerStatus[], database: Check = () => undefined): Check {
  return async () => {
    const late = status().filter((worker) => worker.late);
    if (late.length === 0) return undefined;
    const isAway = Promise.resolve()
      .then(database)
      .then(
        (trouble) => trouble !== undefined,
        () => true,
      );
    if (await withTimeout(isAway, timeoutMs / 2, () => true)) return undefined;
    return `do not run: ${late.map(({ name, idle, running }) => `${name} (${Math.max(idle, running)} s)`).join(", ")}`;
  };
}

/** Whether a network outside this process accepts the bot's key. */
export function checkBotKey({ database, live }: Pick<BotContext, "database" | "live">): Check {
  return async () => {
    const key = live?.key && (await readKeyRow({ database }, live.key.name));
    if (!key || key.refused_at_ms === null) return undefined;
    const since = new Date(key.refused_at_ms).toISOString();
    return `has been refused by the network since ${since}: ${key.refusal ?? "without a reason"} Run castellan doctor.`;
  };
}

/** Whether the bot's token is used by this installation only. */
export function checkToken(context: Pick<BotContext, "database" | "clock">): Check {
  return async () => {
    const shared = await findSharedToken(context);
    return shared && describeSharedToken(shared, context.clock.now());
  };
}
