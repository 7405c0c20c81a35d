import type { ConsoleSetup, TestConsole } from "./console.ts";

/** What the API answers: a part of it each time. */
export interface ApiAnswer {
  status: number;
  headers: Record<string, unknown>;
  cases: { number: string; action: string; state: string; by: Record<string, unknown> }[];
  reviews: { number: string; text: string; channels: { state: string; decidedToken: string | null }[] }[];
  channels: { channel: string; may: string[] }[];
  message: string;
  code: string;
  detail: string;
  /** The whole body. */
  text: string;
}

/** One request; to another console than the test's where one is given. */
interface ApiRequest {
  body?: object;
  headers?: Record<string, string>;
  desk?: TestConsole;
}

/** The API of the console that a test uses, as programs use it. */
export function apiOf(setup: Pick<ConsoleSetup, "desk" | "scene">) {
  const ask = async (
    token: string,
    method: "GET" | "POST",
    path: string,
    { body, headers = {}, desk: { server, origin } = setup.desk }: ApiRequest = {},
  ): Promise<ApiAnswer> => {
    const answer = await server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { host: new URL(origin).host, authorization: `Bearer ${token}`, ...headers },
      ...(body && { payload: body }),
    });
    const { statusCode: status, body: text } = answer;
    return { ...answer.json<ApiAnswer>(), status, headers: answer.headers, text };
  };
  return {
    ask,
    get: (token: string, path: string) => ask(token, "GET", path),
    post: (token: string, path: string, body: object, headers: Record<string, string> = {}) =>
      ask(token, "POST", path, { body, headers }),
    /** Has a token created in Discord; gives it as it is shown. Throws what Discord shows instead. */
    createToken: async (
      may: string,
      options: Record<string, string> = {},
      by = "moderator",
    ): Promise<string> => {
      const seen = await setup.scene.run(by, "setup tokens", { add: "ci-bot", may, ...options });
      const token = /castellan_\d+_[\w-]{43}/.exec(seen.text)?.[0];
      if (token === undefined) throw new Error(seen.text);
      return token;
    },
  };
}
