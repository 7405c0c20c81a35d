import { verifyTypedData } from "ethers";
import { createFaults, misbehave, type Faults } from "./live-faults.ts";
import type { LiveChain } from "./live-hub.ts";
import { readBody, Refused, serve, type Json, type LiveServer } from "./live-server.ts";
import { proofTypes } from "../support/signing.ts";

/** A double of the live name registry: who has which name, and transfers that custody addresses sign. */

const domain = {
  name: "Farcaster name verification",
  version: "1",
  chainId: 1,
  verifyingContract: "0xe3be01d99baa8db9905b33a3ca391238234b79d1",
};
interface Transfer {
  id: number;
  timestamp: number;
  username: string;
  owner: string;
  from: number;
  to: number;
  user_signature: string;
  server_signature: string;
}

export interface LiveRegistry extends LiveServer {
  /** `GET /transfers`, say. */
  requests: string[];
  fail: Faults["fail"];
  /** Gives a name to a fid that nobody asked for; `at` in UNIX seconds. */
  give(name: string, fid: number, at: number): void;
}

/** `now` in UNIX milliseconds; `merge` gets the hub's event of each transfer. */
export async function startLiveRegistry(
  now: () => number,
  chain: LiveChain,
  merge: (proof: Json) => void,
): Promise<LiveRegistry> {
  const transfers: Transfer[] = [];
  const faults = createFaults();
  const requests: string[] = [];
  const holds = (fid: number) => transfers.findLast(({ from, to }) => from === fid || to === fid);
  const latest = (name: string) => transfers.findLast(({ username }) => username === name);

  function append(transfer: Omit<Transfer, "id" | "server_signature">): Transfer {
    const before = latest(transfer.username);
    const made = { id: transfers.length + 1, ...transfer, server_signature: `0x${"00".repeat(65)}` };
    transfers.push(made);
    const { username, to, timestamp, owner, user_signature } = made;
    const replaced = before && { fid: before.to, at: before.timestamp };
    const signature = Buffer.from(user_signature.slice(2), "hex").toString("base64");
    merge(chain.proof(username, to, timestamp, replaced, { owner, signature }));
    return made;
  }

  /** A name that is free, or that its holder lets go; of one fid to another there is no way. */
  function take(body: Json): Transfer {
    const { owner, signature } = body;
    const [name, from, to] = [String(body["name"]), Number(body["from"]), Number(body["to"])];
    const timestamp = Number(body["timestamp"]);
    const fid = Number(body["fid"] ?? to);
    const custody = chain.custody.get(fid)?.toLowerCase();
    if (custody === undefined || custody !== String(owner).toLowerCase())
      throw new Refused(400, "INVALID_FID_OWNER");
    if (from !== 0 && to !== 0) throw new Refused(400, "UNAUTHORIZED");
    const holder = latest(name)?.to ?? 0;
    if (holder !== from) throw new Refused(400, from === 0 ? "USERNAME_TAKEN" : "USERNAME_NOT_FOUND");
    if (to !== 0 && holds(to)?.to === to) throw new Refused(400, "TOO_MANY_NAMES");
    const signer = verifyTypedData(domain, proofTypes, { name, timestamp, owner }, String(signature));
    if (signer.toLowerCase() !== custody) throw new Refused(400, "INVALID_SIGNATURE");
    const user_signature = String(signature);
    return append({ username: name, owner: custody, from, to, timestamp, user_signature });
  }

  function answer(route: string, query: URLSearchParams, body: Json): Json {
    const [name, fid] = [query.get("name"), query.get("fid")];
    switch (route) {
      case "GET /transfers/current": {
        const found = name !== null ? latest(name) : holds(Number(fid));
        if (!found) throw new Refused(404, "Could not resolve current name");
        return { transfers: [found], transfer: found };
      }
      case "GET /transfers": {
        const from = Number(query.get("from_id") ?? 0);
        const fits = ({ id, username, from: giver, to }: Transfer) =>
          id > from && [null, username].includes(name) && (fid === null || [giver, to].includes(Number(fid)));
        return { transfers: transfers.filter(fits).slice(0, 100) };
      }
      case "POST /transfers":
        return { transfer: take(body) };
      default:
        throw new Refused(404, "Not found");
    }
  }

  const server = await serve(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://registry");
    const route = `${request.method} ${pathname}`;
    requests.push(route);
    const send = (status: number, json: unknown) => {
      const headers = { "content-type": "application/json", date: new Date(now()).toUTCString() };
      response.writeHead(status, headers).end(JSON.stringify(json));
    };
    const body = await readBody(request);
    if (await misbehave(faults.take(pathname), request, response, send)) return;
    try {
      send(200, answer(route, query, body));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, message } = error;
      send(status, status === 400 ? { error: "Validation failure", code: message } : { error: message });
    }
  });
  return {
    ...server,
    requests,
    fail: faults.fail,
    give(name, fid, at) {
      const owner = chain.custody.get(fid)?.toLowerCase() ?? `0x${"00".repeat(20)}`;
      append({
        username: name,
        owner,
        from: 0,
        to: fid,
        timestamp: at,
        user_signature: `0x${"01".repeat(65)}`,
      });
    },
  };
}
