interface Reason {
  code?: string | undefined;
  /** Names of the people, roles and rooms that the sentence mentions, by id. */
  names?: Readonly<Record<string, string>> | undefined;
}

/** An error from one of our servers, with a sentence for people. */
export class Refused extends Error {
  readonly code: string;
  readonly names: Reason["names"];
  constructor(message: string, { code = "failed", names }: Reason = {}) {
    super(message);
    this.code = code;
    this.names = names;
  }
}

/** Sends a request to our server, as POST with a body. Throws Refused, with `silence` if there is no response. */
export async function request(
  path: string,
  silence: string,
  { body, headers }: { body?: object | undefined; headers?: Record<string, string> } = {},
): Promise<Response> {
  const post = body && {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  return fetch(path, post).catch(() => {
    throw new Refused(silence);
  });
}

/** The parsed response, {} if it is empty. Throws Refused with the server's text. */
export async function readJson(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // Our servers' error response.
  const { error } = answer as { error?: Reason & { message?: string } };
  throw new Refused(error?.message ?? `The server returned status ${response.status}.`, error);
}
