import { createServer, type IncomingHttpHeaders } from "node:http";
import { boundTo } from "../../src/listening.ts";
import type { BotContext } from "../../src/bot-context.ts";
import type { Rooms } from "../../src/feed/rooms.ts";
import { findDueWebhooks, sendTo } from "../../src/outbox/send-outbox.ts";
import { senders } from "../../workers/senders.ts";

/** A call as it arrives. */
export interface ReceivedCall {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  calls: ReceivedCall[];
  /** How it answers from now on; 204 at first. "hang": never. "switch": it goes over to another protocol. */
  answer: { status: number; headers?: Record<string, string> } | "hang" | "switch";
  types(): string[];
  close(): void;
}

/** A server on this machine that webhooks can call. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      receiver.calls.push({ headers: request.headers, body });
      if (receiver.answer === "hang") return;
      if (receiver.answer === "switch") {
        response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
        return;
      }
      response.writeHead(receiver.answer.status, receiver.answer.headers).end("x".repeat(100_000));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${boundTo(server).port}/hooks`,
    calls: [],
    answer: { status: 204 },
    types: () => receiver.calls.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** Makes the calls that are due now. */
export async function callWebhooks(bot: BotContext, rooms: Rooms): Promise<void> {
  const due = await findDueWebhooks(bot, 500).execute(bot.database.query);
  const { signal } = new AbortController();
  for (const { id } of due.rows) while (await sendTo({ ...bot, rooms }, senders, id, signal));
}
