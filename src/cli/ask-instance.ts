import { z } from "zod";
import type { Config } from "../config.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { nearOriginOf } from "../listening.ts";
import type { TaskName } from "../start/health.ts";
import { readOperatorToken } from "../start/keys.ts";

/** The running instance's address, and the operator's token. */
export function instanceOf({ HOST: host, PORT: port, OPERATOR_TOKEN, DATA_DIR }: Config) {
  return { url: nearOriginOf({ host, port }), token: OPERATOR_TOKEN ?? readOperatorToken(DATA_DIR) };
}

/** Sends a request to the running instance as its operator. Throws `network_unreachable` if none answers. */
export async function askInstance(
  config: Config,
  path: string,
  request: RequestInit = {},
): Promise<Response> {
  const { url, token } = instanceOf(config);
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(`${url}${path}`, { ...request, headers }).catch((cause: unknown) => {
    throw new AppError("network_unreachable", `No instance answers at ${url}${path}. Is it running?`, {
      cause,
    });
  });
}

const Rejection = z.object({
  refused: z.string(),
  code: z.custom<ErrorCode>((code) => typeof code === "string"),
  mistakes: z.array(z.object({ path: z.string(), message: z.string() })),
});

/**
 * Asks the running instance's bot for a task. Throws what the instance throws; `invalid_file` after the `file`'s name.
 */
export async function askForTask<T>(
  config: Config,
  name: TaskName,
  body: object,
  { Answer, file }: { Answer: z.ZodType<T>; file?: string },
): Promise<T> {
  const response = await askInstance(config, `/operator/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const rejection = Rejection.safeParse(answer).data;
  if (rejection) {
    const { refused, code, mistakes } = rejection;
    const isOfFile = file !== undefined && code === "invalid_file";
    throw new AppError(code, isOfFile ? `${file}: ${refused}` : refused, { mistakes });
  }
  const read = Answer.safeParse(answer);
  if (read.success) return read.data;
  throw new AppError("network_failed", explainAnswer(response, answer));
}

const ErrorAnswer = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

function explainAnswer({ url, status }: Response, answer: unknown): string {
  const reason = ErrorAnswer.safeParse(answer).data?.errors[0]?.message;
  return reason === undefined ? `${url} answered ${status}, which is not Castellan.` : `${url}: ${reason}`;
}
