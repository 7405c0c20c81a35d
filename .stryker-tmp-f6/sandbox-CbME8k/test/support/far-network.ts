// @ts-nocheck
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it came over the wire. */
export interface WireRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  /** Parsed JSON; undefined without a body. */
  body: unknown;
}

/** A status with a body: JSON, or text as it is. "drop" ends the connection instead. */
export type WireAnswer = [status: number, body: unknown, headers?: Record<string, string>] | "drop" | "hang";

export interface FarNetwork {
  url: string;
  requests: WireRequest[];
  /** Answers from now on: the first of them next, the last for ever. */
  answer(...answers: WireAnswer[]): void;
  close(): Promise<void>;
}

/** A server on loopback that answers what the test says, in the shapes of services that are not ours. */
export async function startFarNetwork(): Promise<FarNetwork> {
  const requests: WireRequest[] = [];
  let answers: WireAnswer[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(await readRequest(request));
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? "drop";
    if (answer === "hang") return;
    if (answer === "drop") {
      request.socket.destroy();
      return;
    }
    const [status, body, headers] = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (...next) => {
      answers = next;
    },
    close: () => close(server),
  };
}

async function readRequest(request: IncomingMessage): Promise<WireRequest> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  return {
    method: request.method ?? "",
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
