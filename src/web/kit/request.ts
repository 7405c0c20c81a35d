interface Reason {
  code?: string | undefined;
  /** What the people, roles and rooms are called that the sentence mentions, by their ids. */
  names?: Readonly<Record<string, string>> | undefined;
}

/** What one of our servers refused, with a sentence for people. */
export class Refused extends Error {
  readonly code: string;
  readonly names: Reason["names"];
  constructor(message: string, { code = "failed", names }: Reason = {}) {
    super(message);
    this.code = code;
    this.names = names;
  }
}

/** Asks one of our servers; with a body it is a POST. Throws Refused in the words of `silence` where nothing answers. */
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

/** The answer, {} where it is empty. Throws Refused in the server's words. */
export async function readJson(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  // What our servers answer then.
  const { error } = answer as { error?: Reason & { message?: string } };
  throw new Refused(error?.message ?? `The server answered ${response.status}.`, error);
}
