import { randomUUID } from "node:crypto";
import { DefaultRestOptions, RESTJSONErrorCodes, type RESTOptions } from "discord.js";
import type { BotContext } from "../bot-context.ts";
import { noteTokenSign } from "../feed/shared-token.ts";

type Context = Pick<BotContext, "database" | "clock" | "log">;
type MakeRequest = RESTOptions["makeRequest"];

const callback = /\/interactions\/(\d+)\/[^/]+\/callback/;
/** Maximum answered interactions to remember. Discord accepts answers for seconds, and repeats events for minutes. */
const remembered = 10_000;
/** Interval at which a process reports its presence, and how long a report is valid. Milliseconds. */
const beatEvery = 30_000;
const presentFor = 2 * 60_000;

export interface AnswerWatch {
  /** Sends the requests of discord.js, and checks Discord's response to the first answer of an interaction. */
  makeRequest: MakeRequest;
  /** Whether another gateway of this installation was running at the last check. */
  hasCompany: () => boolean;
  stop(): Promise<void>;
}

/**
 * Detects that another program answers for the bot: Discord reports that an interaction was answered before we sent an
 * answer. It ignores our own repeated answers and repeated events, and answers that another process of this
 * installation may have given, for example while processes are replaced.
 */
export async function watchAnswers(context: Context): Promise<AnswerWatch> {
  const process = randomUUID();
  const answered = new Set<string>();
  const running = new Set<Promise<void>>();
  const warn = (error: unknown) =>
    context.log.warn({ err: error }, "could not check whether another program answers for the bot");
  let company = false;
  const look = async () => (company = await hasCompany(context, process));
  const beat = () =>
    sayPresent(context, process)
      .then(look)
      .then(() => {})
      .catch(warn);
  await beat();
  const timer = setInterval(() => void beat(), beatEvery).unref();

  async function note(id: string): Promise<void> {
    if (company || (await look())) return;
    await noteTokenSign(context, { kind: "answer", id });
  }

  return {
    hasCompany: () => company,
    async makeRequest(url, init) {
      const id = callback.exec(url)?.[1];
      const first = id !== undefined && !answered.has(id);
      if (first) remember(answered, id);
      const response = await DefaultRestOptions.makeRequest(url, init);
      if (!first || response.status !== 400) return response;
      const body = await response.text();
      if (isTaken(body)) {
        const done = note(id)
          .catch(warn)
          .finally(() => running.delete(done));
        running.add(done);
      }
      return new Response(body, { status: response.status, headers: [...response.headers] });
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > remembered && oldest !== undefined) ids.delete(oldest);
}

function isTaken(body: string): boolean {
  try {
    const answer: unknown = JSON.parse(body);
    const code = typeof answer === "object" && answer !== null && "code" in answer ? answer.code : undefined;
    return code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
  } catch {
    return false;
  }
}

async function sayPresent({ database, clock }: Context, process: string): Promise<void> {
  const seen_at_ms = clock.now();
  await database.query
    .insertInto("castellan.gateways")
    .values({ process, seen_at_ms })
    .onConflict((conflict) => conflict.column("process").doUpdateSet({ seen_at_ms }))
    .execute();
  await database.query
    .deleteFrom("castellan.gateways")
    .where("seen_at_ms", "<", seen_at_ms - presentFor)
    .execute();
}

/** Whether another gateway of this installation is running, or was a moment ago. */
async function hasCompany({ database, clock }: Context, process: string): Promise<boolean> {
  const other = await database.query
    .selectFrom("castellan.gateways")
    .select("process")
    .where("process", "<>", process)
    .where("seen_at_ms", ">", clock.now() - presentFor)
    .executeTakeFirst();
  return other !== undefined;
}
