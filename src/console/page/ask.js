/** What the server refused, with a sentence for people; `code` is "invalid_auth_token" for who is not signed in. */
export class Refused extends Error {
  constructor(status, { code = "failed", message = `The server answered ${status}.`, names } = {}) {
    super(message);
    this.code = code;
    this.names = names;
  }
}

let csrf = "";

/** What each request that changes something carries. */
export function rememberCsrf(token) {
  csrf = token;
}

/** Asks the console's server; with a body it is a POST. Throws Refused, or what the browser throws where nothing answers. */
export async function ask(path, body) {
  const response = await fetch(`/console/api${path}`, {
    ...(body !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": csrf },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Refused(0, { message: "The console does not answer. Is it running, and are you online?" });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(response.status, answer.error);
}

/** The same of one server, as functions that the parts of the page are given. */
export function deskOf(serverId) {
  const base = `/servers/${serverId}`;
  return {
    base,
    read: (path) => ask(`${base}${path}`),
    press: (customId, value) => ask(`${base}/press`, { customId, ...(value !== undefined && { value }) }),
    run: (path, options) => ask(`${base}/run`, { path, options }),
  };
}
