// @ts-nocheck
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { AppError, asAppError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { actAs, PaneAction } from "./act.ts";
import type { NetworkPane, PanePerson } from "./pane.ts";
import { readChannelView, readOverview } from "./read-view.ts";

const prefix = "/network/";
const Act = z.object({ fid: z.int(), action: PaneAction });
const Address = z.object({ fid: z.coerce.number<string>(), channelId: z.string().optional() });

/**
 * Answers what the page asks of the network pane; false when the request is not for it. Whoever calls it has checked
 * Host and Origin.
 */
export function servePane(
  pane: NetworkPane,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://sandbox");
    if (!url.pathname.startsWith(prefix)) return false;
    answer(pane, request, url).then(
      (body) => sendJson(response, 200, body),
      (error: unknown) => {
        const known = asAppError(error);
        if (!known) log.error({ err: error, path: url.pathname }, "the network pane failed");
        sendJson(response, known ? 400 : 500, {
          error: known?.message ?? "Something went wrong; the log says what.",
        });
      },
    );
    return true;
  };
}

async function answer(pane: NetworkPane, request: IncomingMessage, url: URL): Promise<unknown> {
  const what = url.pathname.slice(prefix.length);
  if (request.method === "POST" && what === "act") {
    const { fid, action } = parse(Act, await json(request).catch(() => undefined));
    await actAs(pane, findPerson(pane, fid), action);
    return {};
  }
  if (request.method === "GET" && what === "people") {
    return pane.people.map(({ fid, name, userId, account }) => ({
      fid,
      name,
      userId,
      acts: Boolean(account),
    }));
  }
  const { fid, channelId } = parse(Address, Object.fromEntries(url.searchParams));
  const person = findPerson(pane, fid);
  if (request.method === "GET" && what === "overview") return readOverview(pane, person);
  if (request.method === "GET" && what === "channel" && channelId) {
    return readChannelView(pane, person, channelId);
  }
  throw new AppError("not_found", "The network pane knows no such request.");
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_request", z.prettifyError(parsed.error));
}

function findPerson(pane: NetworkPane, fid: number): PanePerson {
  const person = pane.people.find((person) => person.fid === fid);
  if (person) return person;
  throw new AppError("not_found", `Nobody of the sandbox has the fid ${fid}.`);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
