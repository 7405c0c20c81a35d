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
  /** Adds a part. What a restart would not mend, such as an outage of Discord, counts for readiness alone. */
  add: (part: string, check: Check, counts?: "always" | "readiness") => void;
  /** One sentence for each part that does not work, within three seconds. */
  findTrouble: (forReadiness: boolean) => Promise<string[]>;
  /** What `castellan doctor` asks a process that runs, once its parts are open. */
  examination?: Examination;
}

export interface Examination {
  operatorToken: string;
  /** Looks at all that the process needs. */
  run: () => Promise<Finding[]>;
}

/** Milliseconds that a part may take to answer. */
const patience = 2_000;

export function createHealth(): Health {
  const parts: { part: string; check: Check; counts: string }[] = [];
  const ask = async ({ part, check }: { part: string; check: Check }) => {
    const answer = Promise.resolve()
      .then(check)
      .catch(() => "does not answer");
    const wrong = await withTimeout(answer, patience, () => `has not answered for ${patience / 1000} s`);
    return wrong === undefined ? [] : [`${part} ${wrong}`];
  };
  return {
    add: (part, check, counts = "always") => void parts.push({ part, check, counts }),
    async findTrouble(forReadiness) {
      const asked = parts.filter(({ counts }) => forReadiness || counts === "always");
      return (await Promise.all(asked.map(ask))).flat();
    },
  };
}

/** Whether the database answers the least of all questions. */
export function checkDatabase({ query }: Pick<Database, "query">): Check {
  return () => sql`select 1`.execute(query).then(() => undefined);
}

/** Whether the database takes changes. */
export function checkWriting(database: Pick<Database, "trouble">): Check {
  return () => database.trouble();
}

/** Whether every worker of this process runs. */
export function checkWorkers(status: () => WorkerStatus[]): Check {
  return () => {
    const late = status().filter((worker) => worker.late);
    if (late.length === 0) return undefined;
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
