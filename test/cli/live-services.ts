/**
 * A double of the live network's services as setup and doctor meet them, written from what the live ones document: a client
 * API with keys and signed key requests, a name registry, and a hub that lists signers. One origin, so each can fail alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { verify, createPublicKey } from "node:crypto";
import { verifyTypedData } from "ethers";

type Json = Record<string, unknown>;

const farcasterEpoch = 1_609_459_200;
export const requestDomain = {
  name: "Farcaster SignedKeyRequestValidator",
  version: "1",
  chainId: 10,
  verifyingContract: "0x00000000fc700472606ed4fa22623acf62c60553",
};

export type Service = "client" | "registry" | "hub";
/** What a service does instead of answering: a web page of somebody else, nothing at all, a status. */
export type Fault = "html" | "hang" | number;

interface Request {
  token: string;
  key: string;
  state: string;
  userFid?: number;
}

/** A key as the hub lists it. */
export interface ListedSigner {
  source?: string;
  key: string;
  scopes?: unknown[];
  /** UNIX seconds. */
  expiresAt?: number;
}

export interface LiveServices {
  url: string;
  /** `GET /v1/info`, say. */
  requests: string[];
  faults: Map<Service, Fault>;
  /** Custody addresses by fid: who may ask for keys. */
  custody: Map<number, string>;
  /** What the client API knows of keys: the fid they act for. */
  keys: Map<string, number>;
  /** Keys that the client API knows, but that may do nothing. */
  powerless: Set<string>;
  signers: ListedSigner[];
  keyRequests: Request[];
  /** The registry's name of a fid, and whose it is at the hub. */
  names: { name: string; fid: number; fidAtHub: number | undefined }[];
  hub: { network: string; behind: number; apiKey: string | undefined };
  /** Moderators of channels, by channel. */
  channels: Map<string, number[]>;
  /** Seconds by which its clock is ahead of the machine's. */
  clockAhead: number;
  /** The owner answers a request in the app. */
  answer(token: string, state: "approved" | "completed" | "denied", userFid?: number): void;
  close(): Promise<void>;
}

export async function startLiveServices(): Promise<LiveServices> {
  const server = createServer((request, response) => void respond(services, request, response));
  const services: LiveServices = {
    url: "",
    requests: [],
    faults: new Map(),
    custody: new Map(),
    keys: new Map(),
    powerless: new Set(),
    signers: [],
    keyRequests: [],
    names: [],
    hub: { network: "FARCASTER_NETWORK_MAINNET", behind: 0, apiKey: undefined },
    channels: new Map([["farcaster", []]]),
    clockAhead: 0,
    answer(token, state, userFid = 9001) {
      const found = services.keyRequests.find((one) => one.token === token);
      if (!found) throw new Error(`there is no request ${token}`);
      found.state = state;
      if (state === "denied") return;
      found.userFid = userFid;
      if (state !== "completed") return;
      services.keys.set(found.key, userFid);
      services.signers.push({ source: "SIGNER_SOURCE_ONCHAIN", key: found.key });
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this kind.
  services.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return services;
}

type Answer = [status: number, body: unknown];

async function respond(services: LiveServices, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://live");
  services.requests.push(`${request.method} ${pathname}`);
  const routes = routesOf(services);
  const [service, route] = routes[`${request.method} ${pathname}`] ?? [];
  response.setHeader("date", new Date(Date.now() + services.clockAhead * 1000).toUTCString());
  const fault = service && services.faults.get(service);
  if (fault === "hang") return;
  if (fault === "html") {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
    return;
  }
  if (typeof fault === "number") return send(response, [fault, { message: "Not now" }]);
  if (!route) return void response.writeHead(404).end("Not Found");
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  const body = (text === "" ? {} : JSON.parse(text)) as Json;
  send(response, route({ query, body, headers: request.headers }));
}

function send(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

interface Asked {
  query: URLSearchParams;
  body: Json;
  headers: IncomingMessage["headers"];
}

function routesOf(services: LiveServices): Record<string, [Service, (asked: Asked) => Answer]> {
  const refused = (status: number, message: string): Answer => [status, { errors: [{ message }] }];
  const hub = (route: (asked: Asked) => Answer): [Service, (asked: Asked) => Answer] => [
    "hub",
    (asked) => {
      const { apiKey } = services.hub;
      if (apiKey !== undefined && asked.headers["x-api-key"] !== apiKey) {
        return [401, { code: "Unauthorized", message: "Invalid API key" }];
      }
      return route(asked);
    },
  ];
  const showRequest = ({ token, key, state, userFid }: Request): Answer => {
    const shown = { token, deeplinkUrl: `farcaster://signed-key-request?token=${token}`, key, state };
    return [200, { result: { signedKeyRequest: { ...shown, ...(userFid && { userFid }) } } }];
  };
  return {
    "GET /v1/channel": [
      "client",
      ({ query }) => {
        const id = query.get("channelId") ?? "";
        const moderatorFids = services.channels.get(id);
        if (!moderatorFids) return refused(404, "Channel not found");
        const channel = { id, url: `https://farcaster.group/${id}`, name: id, leadFid: 1, moderatorFids };
        return [
          200,
          {
            result: { channel: { ...channel, createdAt: 1, followerCount: 1, memberCount: 1, imageUrl: "" } },
          },
        ];
      },
    ],
    "GET /v2/me": [
      "client",
      ({ headers }) => {
        const key = verifyToken(headers.authorization, services.clockAhead);
        if (key === undefined) return refused(401, "Invalid authorization token");
        if (services.powerless.has(key)) return refused(403, "Key lacks the scope for this call");
        const fid = services.keys.get(key);
        return fid === undefined ? refused(401, "Unknown app key") : [200, { result: { user: { fid } } }];
      },
    ],
    "POST /v2/signed-key-requests": [
      "client",
      ({ body }) => {
        const { key, requestFid, deadline, signature } = body;
        const types = {
          SignedKeyRequest: [
            { name: "requestFid", type: "uint256" },
            { name: "key", type: "bytes" },
            { name: "deadline", type: "uint256" },
          ],
        };
        const signed = verifyTypedData(
          requestDomain,
          types,
          { requestFid, key, deadline },
          String(signature),
        );
        if (signed.toLowerCase() !== services.custody.get(Number(requestFid))?.toLowerCase()) {
          return refused(400, "Invalid signature.");
        }
        const token = `0x${String(services.keyRequests.length + 1).padStart(24, "0")}`;
        const made = { token, key: String(key), state: "pending" };
        services.keyRequests.push(made);
        return showRequest(made);
      },
    ],
    "GET /v2/signed-key-request": [
      "client",
      ({ query }) => {
        const found = services.keyRequests.find(({ token }) => token === query.get("token"));
        return found ? showRequest(found) : refused(404, "Signed key request not found");
      },
    ],
    "GET /transfers/current": [
      "registry",
      ({ query }) => {
        const found = services.names.find(({ fid }) => String(fid) === query.get("fid"));
        if (!found) return [404, { error: "Could not resolve current name" }];
        const transfer = { id: 1, timestamp: 1, username: found.name, owner: "0x0", from: 0, to: found.fid };
        return [200, { transfers: [transfer] }];
      },
    ],
    "GET /v1/info": hub(() => [
      200,
      { version: "0.14.2", numShards: 1, shardInfos: [0, 1].map((shardId) => ({ shardId, maxHeight: 100 })) },
    ]),
    "GET /v1/events": hub(({ query }) => {
      const timestamp = Math.floor(Date.now() / 1000) - services.hub.behind - farcasterEpoch;
      const id = 100 * 16_384;
      const confirmed = { id, type: "HUB_EVENT_TYPE_BLOCK_CONFIRMED", blockConfirmedBody: { timestamp } };
      const message = { data: { network: services.hub.network } };
      const merged = { id: id + 1, type: "HUB_EVENT_TYPE_MERGE_MESSAGE", mergeMessageBody: { message } };
      return [200, { events: query.get("reverse") === "true" ? [merged, confirmed] : [confirmed, merged] }];
    }),
    "GET /v1/userNameProofByName": hub(({ query }) => {
      const found = services.names.find(({ name }) => name === query.get("name"));
      if (found?.fidAtHub === undefined) {
        return [400, { error: "Failed to get username proof", error_detail: "status: NotFound" }];
      }
      return [200, { name: found.name, fid: found.fidAtHub }];
    }),
    "GET /v1/signersByFid": hub(() => [200, { signers: services.signers }]),
  };
}

/** The key of a token that holds; undefined of any other. */
function verifyToken(header: string | undefined, clockAhead: number): string | undefined {
  const [head = "", payload = "", signature = ""] = header?.replace(/^Bearer /, "").split(".") ?? [];
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}") as Json;
  const { key } = read(head);
  const { exp } = read(payload);
  const now = Date.now() / 1000 + clockAhead;
  if (typeof key !== "string" || typeof exp !== "number" || exp < now || exp > now + 600) return undefined;
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key.slice(2), "hex").toString("base64url") };
  const holds = verify(
    null,
    Buffer.from(`${head}.${payload}`),
    createPublicKey({ key: jwk, format: "jwk" }),
    Buffer.from(signature, "base64url"),
  );
  return holds ? key : undefined;
}
