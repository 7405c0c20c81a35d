import { request as call, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { boundTo } from "../../src/listening.ts";

interface BotRequest {
  method: string;
  path: string;
}

/** Replaces the answer to one of the bot's requests. "lost": the network handles it, and the answer does not arrive. */
export type NetworkFault =
  "hang" | "lost" | { delayMs: number } | { status: number; body: string; headers?: Record<string, string> };

/** A load balancer before the api processes, which sends requests to the ones that are ready, in turn. */
export interface Balancer {
  url: string;
  /** Decides about each request of bots and workers; people's requests always get through. */
  fault: (request: BotRequest) => NetworkFault | undefined;
  /** Called when the network has handled a bot's request, before its answer is passed on. */
  handled: (request: BotRequest) => void;
  /** Refuses connections of bots and workers. */
  refuses: boolean;
  /** Removes all faults. */
  fix(): void;
  close(): void;
}

const checkEveryMs = 500;

export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  let ready = [...origins];
  let turn = 0;
  const check = async () => {
    const answers = await Promise.all(
      origins.map((origin) =>
        fetch(`${origin}/readycheck`, { signal: AbortSignal.timeout(1_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    ready = origins.filter((_, index) => answers[index]);
  };
  const over = new AbortController();
  const checking = (async () => {
    for (; !over.signal.aborted; await sleep(checkEveryMs)) await check();
  })();

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "", url: path = "", headers } = incoming;
    const isBot = headers["user-agent"]?.startsWith("Castellan") ?? false;
    const drop = () => void incoming.socket.destroy();
    if (isBot && balancer.refuses) return drop();
    const fault = isBot ? balancer.fault({ method, path }) : undefined;
    if (fault === "hang") return;
    if (typeof fault === "object" && "status" in fault) {
      incoming.resume();
      return void outgoing
        .writeHead(fault.status, { "content-type": "application/json", ...fault.headers })
        .end(fault.body);
    }
    if (typeof fault === "object") await sleep(fault.delayMs);
    // If none seems to be ready, one may still be.
    const among = ready.length > 0 ? ready : origins;
    const origin = among[(turn += 1) % among.length] ?? "";
    const passed = call(`${origin}${path}`, { method, headers }, (answer) => {
      if (isBot) balancer.handled({ method, path });
      if (fault === "lost") return drop();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", drop).pipe(outgoing);
    });
    passed.on("error", drop);
    incoming.pipe(passed);
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const balancer: Balancer = {
    url: `http://127.0.0.1:${boundTo(server).port}`,
    fault: () => undefined,
    handled: () => {},
    refuses: false,
    fix() {
      balancer.fault = () => undefined;
      balancer.handled = () => {};
      balancer.refuses = false;
    },
    close() {
      over.abort();
      server.closeAllConnections();
      server.close();
    },
  };
  void checking;
  return balancer;
}
