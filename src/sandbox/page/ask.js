/** What the server said no to, in words for the person at the page. */
export class Refusal extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

export function askFor(path, query = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined));
  return read(fetch(`${path}?${search}`));
}

export function send(path, body) {
  const headers = { "content-type": "application/json" };
  return read(fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function read(answering) {
  const response = await answering.catch(() => {
    throw new Refusal("The sandbox is not responding. Is it still running?");
  });
  if (response.status === 204) return undefined;
  const body = await response.json();
  if (!response.ok) throw new Refusal(body.error?.message ?? "Something went wrong.", body.error?.code);
  return body;
}
