import { sql } from "kysely";
import { withTimeout } from "../async.ts";
import type { BotContext } from "../bot-context.ts";
import type { Database } from "../database/database.ts";
import { describeSharedToken, findSharedToken } from "../feed/shared-token.ts";
import { readKeyRow } from "../observe/live/bot-key.ts";
import type { WorkerStatus } from "../queue/watch-workers.ts";
import type { Finding } from "./doctor/finding.ts";

/** A part's own word: what is wrong with it, undefined when nothing is. */
export type Check = () => string | undefined | Promise<string | undefined>;

/** What a process knows of its parts. */
export interface Health {
  /** Adds a part. What a restart would not fix, such as an outage of Discord, counts for readiness alone. */
  add: (part: string, check: Check, counts?: "always" | "readiness") => void;
  /** One sentence for each part that does not work, within three seconds. */
  findTrouble: (forReadiness: boolean) => Promise<string[]>;
  /** Each part that counts for readiness, and whether it works; within three seconds. */
  examineParts: () => Promise<{ part: string; isWell: boolean }[]>;
  /** What `castellan doctor` asks a process that runs, once its parts are open. */
  examination?: Examination;
  /** What `castellan rules diff` and `apply` ask a process with the bot half. */
  takeRuleFile?: (body: unknown) => Promise<unknown>;
}

export interface Examination {
  operatorToken: string;
  /** Looks at all that the process needs. */
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

/** Whether the database answers, and is not a copy that only can be read. Of the embedded one `checkWriting` knows why. */
export function checkDatabase({ query, engine }: Pick<Database, "query" | "engine">): Check {
  return async () => {
    const { rows } = await sql<{ standby: boolean; isReadOnly: boolean }>`
      select pg_is_in_recovery() as standby, current_setting('transaction_read_only') = 'on' as "isReadOnly"
    `.execute(query);
    if (engine === "embedded" || !rows[0]?.isReadOnly) return undefined;
    return rows[0].standby
      ? "takes no changes: the server of DATABASE_URL is a standby, not the primary"
      : "takes no changes: the server of DATABASE_URL is read-only (default_transaction_read_only)";
  };
}

/** Whether the database takes changes. */
export function checkWriting(database: Pick<Database, "trouble">): Check {
  return () => database.trouble();
}

/** Milliseconds between two looks, and after which one that is not answered is a bad sign. */
const readiness = { every: 1_000, answered: 400 };

/** Knows at any moment whether these parts work: to ask then would take longer than anybody waits. */
export function watchReadiness(checks: readonly Check[]): {
  isReady: () => boolean;
  close: () => Promise<void>;
} {
  let isWell = true;
  let askedAt: number | undefined;
  const look = async () => {
    if (askedAt !== undefined) return;
    askedAt = performance.now();
    const found = await Promise.all(checks.map(async (check) => check())).catch(() => ["does not answer"]);
    isWell = found.every((trouble) => trouble === undefined);
    askedAt = undefined;
  };
  const timer = setInterval(() => void look(), readiness.every).unref();
  return {
    isReady: () => isWell && (askedAt === undefined || performance.now() - askedAt < readiness.answered),
    close: async () => clearInterval(timer),
  };
}

/**
 * Whether every worker of this process runs. While the database does not work, none can: that is said of the database, and
 * starting the process again would change nothing.
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

/** Whether the network takes the bot's key, on a network that is elsewhere. */
export function checkBotKey({ database, live }: Pick<BotContext, "database" | "live">): Check {
  return async () => {
    const key = live?.key && (await readKeyRow({ database }, live.key.name));
    if (!key || key.refused_at_ms === null) return undefined;
    const since = new Date(key.refused_at_ms).toISOString();
    return `is refused by the network since ${since}: ${key.refusal ?? "without a reason"} Run castellan doctor.`;
  };
}

/** Whether nobody else acts with the bot's token. */
export function checkToken(context: Pick<BotContext, "database" | "clock">): Check {
  return async () => {
    const shared = await findSharedToken(context);
    return shared && describeSharedToken(shared, context.clock.now());
  };
}
