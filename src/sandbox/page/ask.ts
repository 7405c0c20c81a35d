import { readJson, request } from "../../web/kit/request.ts";

const silence = "The sandbox is not responding. Is it still running?";

type Query = Readonly<Record<string, string | number | undefined>>;

/** Both throw Refused. Their callers know the response's type. */
export async function askFor(path: string, query: Query = {}): Promise<unknown> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return readJson(await request(`${path}?${new URLSearchParams(given)}`, silence));
}

export async function send(path: string, body: object): Promise<unknown> {
  return readJson(await request(path, silence, { body }));
}
