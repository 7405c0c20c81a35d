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

/**
 * Asks the console's server; with a body it is a POST. What takes long tells meanwhile how far it is: `onProgress` gets each
 * such view. Throws Refused.
 */
export async function ask(path, body, onProgress) {
  const response = await fetch(`/console/api${path}`, {
    ...(body !== undefined && {
      method: "POST",
      headers: { "content-type": "application/json", "x-csrf-token": csrf },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Refused(0, { message: "The console does not answer. Is it running, and are you online?" });
  });
  if (response.headers.get("content-type")?.startsWith("application/x-ndjson"))
    return readLines(response, onProgress);
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  throw new Refused(response.status, answer.error);
}

/** The last line is the answer, those before it tell of it. */
async function readLines(response, onProgress) {
  let answer;
  let rest = "";
  try {
    for await (const text of chunksOf(response.body.pipeThrough(new TextDecoderStream()))) {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        const { progress, ...other } = JSON.parse(line);
        if (progress) onProgress?.(progress);
        else answer = other;
      }
    }
  } catch {
    // What is missing then is told below.
  }
  if (!answer) {
    throw new Refused(0, { message: "The console stopped answering. What was begun may go on: look again." });
  }
  if (answer.error) throw new Refused(answer.error.status, { ...answer.error, names: answer.names });
  return answer;
}

/** Not every browser takes a stream in a for loop. */
async function* chunksOf(stream) {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

/** The same of one server, as functions that the parts of the page are given. */
export function deskOf(serverId) {
  const base = `/servers/${serverId}`;
  return {
    base,
    read: (path) => ask(`${base}${path}`),
    send: (path, body, onProgress) => ask(`${base}${path}`, body, onProgress),
    press: (customId, filled, onProgress) => ask(`${base}/press`, { customId, ...filled }, onProgress),
    run: (path, options, onProgress) => ask(`${base}/run`, { path, options }, onProgress),
  };
}
