import { serve } from "../live/live-server.ts";

/** Hubs that do not serve everybody, as their hosts put them up. */
export interface OddHubs {
  /** Gives what the other hub gives, but no events: they are not part of the plan. */
  planless: string;
  /** Wants money first. */
  unpaid: string;
  close(): Promise<unknown>;
}

export async function openOddHubs(hub: string): Promise<OddHubs> {
  const planless = await serve(async ({ url = "", headers }, response) => {
    const key = { "x-api-key": String(headers["x-api-key"]) };
    const answer = url.startsWith("/v1/events") ? undefined : await fetch(hub + url, { headers: key });
    response.writeHead(answer?.status ?? 403, { "content-type": "application/json" });
    response.end(answer ? await answer.text() : '{"error":"events are not part of your plan"}');
  });
  const unpaid = await serve((_, response) => response.writeHead(402).end('{"error":"your plan has ended"}'));
  const close = () => Promise.all([planless.close(), unpaid.close()]);
  return { planless: planless.url, unpaid: unpaid.url, close };
}
