import { DefaultRestOptions, RESTJSONErrorCodes, type RESTOptions } from "discord.js";
import type { BotContext } from "../bot-context.ts";
import { noteTokenSign } from "../feed/shared-token.ts";
import type { BotProcesses } from "./bot-processes.ts";

type MakeRequest = RESTOptions["makeRequest"];

interface Context extends Pick<BotContext, "database" | "clock" | "log"> {
  processes?: Pick<BotProcesses, "hasCompany" | "askForCompany"> | undefined;
}

const callback = /\/interactions\/(\d+)\/[^/]+\/callback/;
/** Maximum answered interactions to remember. Discord accepts answers for seconds, and repeats events for minutes. */
const remembered = 10_000;

export interface AnswerWatch {
  /** Sends the requests of discord.js, and checks Discord's response to the first answer of an interaction. */
  makeRequest: MakeRequest;
  stop(): Promise<void>;
}

/**
 * Detects that another program answers for the bot: Discord reports that an interaction was answered before we sent an
 * answer. It ignores our own repeated answers and repeated events, and answers that another process of this
 * installation may have given, for example while processes are replaced.
 */
export function watchAnswers(context: Context): AnswerWatch {
  const { processes, log } = context;
  const answered = new Set<string>();
  const running = new Set<Promise<void>>();
  const warn = (error: unknown) => log.warn({ err: error }, "could not read which bot process answers");

  async function note(id: string): Promise<void> {
    if (processes?.hasCompany() || (await processes?.askForCompany())) return;
    await noteTokenSign(context, id);
  }

  return {
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
