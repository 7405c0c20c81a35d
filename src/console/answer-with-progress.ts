import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { CommandContext } from "../discord/command-context.ts";
import type { Name } from "./resolve-names.ts";
import { toPageView } from "./page-view.ts";
import { explainRefusal } from "./refusals.ts";

/**
 * Answers with the result of `act`. If it reports progress, the answer is lines of JSON (`application/x-ndjson`):
 * `{progress}` for each report, then the answer or `{error}`. The action continues if the client disconnects.
 */
export async function answerWithProgress(
  reply: FastifyReply,
  context: CommandContext,
  named: Name,
  act: (watched: CommandContext) => Promise<object>,
): Promise<unknown> {
  let lines: PassThrough | undefined;
  const write = (line: object) => lines?.write(`${JSON.stringify(line)}\n`);
  const showProgress: CommandContext["showProgress"] = async (view) => {
    if (!lines) {
      lines = new PassThrough();
      void reply.type("application/x-ndjson").header("x-accel-buffering", "no").send(lines);
    }
    write({ progress: await named(context, { view: toPageView(view) }) });
  };
  try {
    const answer = await named(context, await act({ ...context, showProgress }));
    if (!lines) return answer;
    write(answer);
  } catch (error) {
    if (!lines) throw error;
    const shown = explainRefusal(error);
    if (shown.status >= 500)
      context.log.error({ err: error, interaction: shown.id }, "a request to the console failed");
    write(await named(context, { error: shown }));
  }
  lines.end();
  return reply;
}
